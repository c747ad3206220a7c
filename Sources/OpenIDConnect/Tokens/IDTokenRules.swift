import JSON
import SyncEngine

/// The conditions under which the claims of an ID token are accepted (OpenID Connect Core 3.1.3.7).
struct IDTokenRules: Sendable {
    let issuer: String
    let audiences: Set<String>
    /// Nil if the sign-in has none. Then the token must have none either.
    let nonce: String?

    /// Clocks may differ by this.
    static let skewSeconds: Int64 = 60
    /// An older token is refused even if it has not expired.
    static let oldestSeconds: Int64 = 86_400

    /// Returns the subject, and the moment after which the token is refused.
    func accepted(
        _ claims: [String: JSONValue], at now: Instant
    ) throws(IDTokenFault) -> (subject: String, until: Instant) {
        guard claims["iss"] == .string(issuer) else { throw .issuerWrong }
        try checkParties(claims)
        let until = try checkTimes(claims, at: now)
        guard claims["nonce"] == nonce.map({ .string($0) }) else { throw .nonceWrong }
        guard case .string(let subject)? = claims["sub"], (1...255).contains(subject.utf8.count)
        else { throw .subjectMissing }
        return (subject, until)
    }

    private func checkParties(_ claims: [String: JSONValue]) throws(IDTokenFault) {
        guard let named = claims["aud"]?.texts, !named.isEmpty,
            audiences.isSuperset(of: named)
        else { throw .audienceWrong }
        guard let party = claims["azp"] else {
            guard named.count == 1 else { throw .partyWrong }
            return
        }
        guard case .string(let client) = party, audiences.contains(client) else {
            throw .partyWrong
        }
    }

    private func checkTimes(
        _ claims: [String: JSONValue], at now: Instant
    ) throws(IDTokenFault) -> Instant {
        guard let end = claims["exp"]?.instant else { throw .expired }
        guard now < end.adding(seconds: Self.skewSeconds) else { throw .expired }
        guard let issued = claims["iat"]?.instant,
            issued <= now.adding(seconds: Self.skewSeconds),
            now < issued.adding(seconds: Self.oldestSeconds)
        else { throw .timeWrong }
        if let start = claims["nbf"] {
            guard let start = start.instant, start <= now.adding(seconds: Self.skewSeconds) else {
                throw .timeWrong
            }
        }
        return min(
            end.adding(seconds: Self.skewSeconds), issued.adding(seconds: Self.oldestSeconds))
    }
}

extension JSONValue {
    /// A time in seconds since 1970, which may have a fraction. Nil for any other value.
    fileprivate var instant: Instant? {
        let seconds: Int64? =
            switch self {
            case .integer(let seconds): seconds
            case .decimal(let text): text.split(separator: ".").first.flatMap { Int64($0) }
            case .null, .boolean, .string, .array, .object, .unrepresentable: nil
            }
        guard let seconds, (0...Self.lastSecond).contains(seconds) else { return nil }
        return Instant(milliseconds: seconds * 1000)
    }

    /// The end of the year 9999.
    private static let lastSecond: Int64 = 253_402_300_799
}
