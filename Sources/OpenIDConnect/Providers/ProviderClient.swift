import HTTPCalls
import JSON
import Queues
import Secrets
import SyncEngine

/// Asks one provider for its description, its keys, and ID tokens. Description and keys are kept.
actor ProviderClient {
    nonisolated let provider: IdentityProvider
    private let secret: ClientSecret?
    private let caller: HTTPCaller
    private let turns = KeyedMutex()
    private var description: Kept<ProviderDescription>?
    private var keys: Kept<[SigningKey]>?
    /// When each kind of answer was last missing.
    private var failures: [Source: Instant] = [:]
    /// Requests for keys because of unknown names, in the current minute.
    private var extraRequests = (minute: Int64(0), count: 0)
    private var exchanges = 0

    private struct Kept<Value: Sendable>: Sendable {
        let value: Value
        let at: Instant

        func isYounger(than seconds: Int64, at now: Instant) -> Bool {
            now < at.adding(seconds: seconds)
        }
    }

    private enum Source: String {
        case description, keys
    }

    init(_ provider: IdentityProvider, secret: ClientSecret?) {
        self.provider = provider
        self.secret = secret
        caller = HTTPCaller(
            HTTPLimits(
                answers: .whole(maxBytes: ProviderLimits.answerBytes),
                totalSeconds: ProviderLimits.callSeconds, idleSeconds: ProviderLimits.idleSeconds,
                calls: ProviderLimits.calls))
    }

    // MARK: Description and keys

    func description(at now: Instant) async throws(ProviderUnavailable) -> ProviderDescription {
        if let kept = description, kept.isYounger(than: ProviderLimits.freshSeconds, at: now) {
            return kept.value
        }
        await turns.lock(Source.description.rawValue)
        let result = await renewedDescription(at: now)
        await turns.unlock(Source.description.rawValue)
        return try result.get()
    }

    private func renewedDescription(
        at now: Instant
    ) async -> Result<ProviderDescription, ProviderUnavailable> {
        // Another request may have renewed it meanwhile.
        if let kept = description, kept.isYounger(than: ProviderLimits.freshSeconds, at: now) {
            return .success(kept.value)
        }
        let address = provider.issuer.trimmingLastSlash + "/.well-known/openid-configuration"
        do throws(ProviderUnavailable) {
            let answer = try await answer(from: address, of: .description, at: now)
            let found = try ProviderDescription(answer, of: provider)
            description = Kept(value: found, at: now)
            return .success(found)
        } catch {
            failures[.description] = now
            guard let kept = description,
                kept.isYounger(than: ProviderLimits.staleSeconds, at: now)
            else { return .failure(error) }
            return .success(kept.value)
        }
    }

    /// The key that has to have signed a token. A name that is not among the kept keys may be that
    /// of a new one: the provider is then asked again, a few times each minute.
    func key(
        for token: JSONWebToken, at now: Instant
    ) async throws(ProviderRefusal) -> SigningKey {
        if let kept = keys, kept.isYounger(than: ProviderLimits.freshSeconds, at: now),
            let key = token.key(among: kept.value)
        {
            return key
        }
        await turns.lock(Source.keys.rawValue)
        let result = await renewedKey(for: token, at: now)
        await turns.unlock(Source.keys.rawValue)
        return try result.get()
    }

    private func renewedKey(
        for token: JSONWebToken, at now: Instant
    ) async -> Result<SigningKey, ProviderRefusal> {
        let kept = keys
        let isFresh = kept?.isYounger(than: ProviderLimits.freshSeconds, at: now) ?? false
        if isFresh, let key = kept.flatMap({ token.key(among: $0.value) }) { return .success(key) }
        guard !isFresh || mayAskAgain(at: now) else { return .failure(.idToken(.keyUnknown)) }
        let found: [SigningKey]
        do throws(ProviderUnavailable) {
            let address = try await description(at: now).keysAddress
            guard let keys = signingKeys(try await answer(from: address, of: .keys, at: now)) else {
                throw ProviderUnavailable("its keys are no JSON Web Key Set")
            }
            self.keys = Kept(value: keys, at: now)
            found = keys
        } catch {
            failures[.keys] = now
            guard let kept, kept.isYounger(than: ProviderLimits.staleSeconds, at: now) else {
                return .failure(.unavailable(error.reason))
            }
            found = kept.value
        }
        return token.key(among: found).map { .success($0) } ?? .failure(.idToken(.keyUnknown))
    }

    private func mayAskAgain(at now: Instant) -> Bool {
        let minute = now.milliseconds / 60_000
        if extraRequests.minute != minute { extraRequests = (minute, 0) }
        extraRequests.count += 1
        return extraRequests.count <= ProviderLimits.extraRequestsPerMinute
    }

    /// After a failure the provider is left alone for a few seconds, so that requests do not queue
    /// up behind one that does not answer.
    private func answer(
        from address: String, of source: Source, at now: Instant
    ) async throws(ProviderUnavailable) -> [UInt8] {
        if let failed = failures[source], now < failed.adding(seconds: ProviderLimits.pauseSeconds),
            failed <= now
        {
            throw ProviderUnavailable("it did not answer a moment ago")
        }
        let answer = try await call(
            HTTPCall("GET", address, headers: ["Accept": "application/json"]))
        guard answer.status == 200 else {
            throw ProviderUnavailable("it answered \(answer.status) to a request for \(source)")
        }
        return answer.body
    }

    // MARK: Tokens

    /// Exchanges the code of an authorization for the ID token. Throws `codeRefused`, `unavailable`
    /// and `overloaded`.
    func idToken(
        code: String, verifier: String, redirect: String, at now: Instant
    ) async throws(ProviderRefusal) -> String {
        guard exchanges < ProviderLimits.exchanges else { throw .overloaded }
        exchanges += 1
        let result = await exchanged(code, verifier, redirect, at: now)
        exchanges -= 1
        return try result.get()
    }

    private func exchanged(
        _ code: String, _ verifier: String, _ redirect: String, at now: Instant
    ) async -> Result<String, ProviderRefusal> {
        do throws(ProviderUnavailable) {
            let description = try await description(at: now)
            let answer = try await call(
                request(description, code: code, verifier: verifier, redirect: redirect))
            guard answer.status == 200 else {
                guard (400..<500).contains(answer.status) else {
                    throw ProviderUnavailable("it answered \(answer.status) to a code")
                }
                return .failure(.codeRefused)
            }
            guard let json = try? parseJSON(answer.body), case .object(let members) = json,
                case .string(let token)? = members["id_token"]
            else { throw ProviderUnavailable("its answer to a code has no ID token") }
            return .success(token)
        } catch {
            return .failure(.unavailable(error.reason))
        }
    }

    private func request(
        _ description: ProviderDescription, code: String, verifier: String, redirect: String
    ) -> HTTPCall {
        var members = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect),
            ("code_verifier", verifier),
        ]
        var headers = [
            "Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json",
        ]
        if let secret, !description.takesSecretInBody {
            headers["Authorization"] = basicAuthorization(provider.clientID, secret)
        } else {
            members.append(("client_id", provider.clientID))
            if let secret { members.append(("client_secret", secret.text)) }
        }
        return HTTPCall(
            "POST", description.tokenAddress, headers: headers,
            body: Array(formEncoded(members).utf8))
    }

    private func call(_ call: HTTPCall) async throws(ProviderUnavailable) -> HTTPAnswer {
        do {
            return try await caller.call(call)
        } catch {
            throw ProviderUnavailable(error.reason)
        }
    }
}

extension JSONWebToken {
    /// The key that the token names, or the only one for its algorithm if it names none.
    fileprivate func key(among keys: [SigningKey]) -> SigningKey? {
        let fitting = keys.filter { $0.algorithm == algorithm && (keyID == nil || $0.id == keyID) }
        return fitting.count == 1 ? fitting[0] : nil
    }
}

extension String {
    fileprivate var trimmingLastSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}
