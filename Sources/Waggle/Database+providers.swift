public import Foundation
import JSON
import Secrets
import SyncProtocol

/// A provider of OpenID Connect with which users sign in, such as that of their company.
public struct SignInProvider: Hashable, Sendable {
    /// The name in the settings of the server.
    public let name: String
    /// Whether the server sends browsers to it; otherwise it takes ID tokens only.
    public let opensBrowser: Bool
}

extension Database {
    /// The providers with which users of the environment sign in. None in the mode `development`.
    ///
    /// Throws `unreachable` without a network.
    public func signInProviders() async throws(SyncFailure) -> [SignInProvider] {
        if case .development = settings.mode { return [] }
        do {
            let answer = try await wire.send(
                WireRequest(method: "GET", path: "v1/\(environment)/providers"))
            guard answer.status == 200 else { throw SyncFailure(answer) }
            return try decodeMessage(ProvidersResponse.self, from: answer.body).providers.map {
                SignInProvider(name: $0.name, opensBrowser: $0.browser)
            }
        } catch {
            throw SyncFailure(ofSignIn: error)
        }
    }

    /// Begins a sign-in with a provider, and returns the address to open in a browser. Calls no
    /// server.
    ///
    /// The browser returns to `redirect`, which is one of the provider's redirects in the settings
    /// of the server; pass its address to ``logIn(returningTo:)``. The proof that this device
    /// began the sign-in is stored on it, so that the app may be closed meanwhile. It is good for
    /// ten minutes and until the next sign-in begins.
    ///
    /// Throws `signIn(.providerUnknown)` in the mode `development`.
    public func signInAddress(
        provider: String, redirect: String
    ) throws(SyncFailure) -> URL {
        if case .development = settings.mode { throw .signIn(.providerUnknown) }
        do {
            let begun = DeviceFile.BegunSignIn(
                state: BearerToken.make(), verifier: BearerToken.make())
            let query = [
                ("provider", provider), ("redirect", redirect),
                ("challenge", URLSafeBase64.text(of: BearerToken.hash(begun.verifier))),
                ("state", begun.state),
            ].map { "\($0)=\(percentEncoded($1))" }.joined(separator: "&")
            let place = settings.server.appending(path: "v1/\(environment)/sign-in")
            guard let address = URL(string: "\(place.absoluteString)?\(query)") else {
                throw SyncFailure.unreachable("'\(place)' is no address of a server")
            }
            try device.store(begun)
            return address
        } catch {
            throw SyncFailure(ofSignIn: error)
        }
    }

    /// Ends a sign-in with the address to which the browser has returned: signs the user in on the
    /// server and opens their database on this device.
    ///
    /// Throws `signIn` with the reason: `stateUnknown` for an address that belongs to no sign-in
    /// begun here, after which the one that was begun can still be ended. After `unreachable` or
    /// `busy` pass the same address again, within two minutes.
    @discardableResult
    public func logIn(returningTo address: URL) async throws(SyncFailure) -> User {
        try await opening {
            let parameters =
                URLComponents(url: address, resolvingAgainstBaseURL: false)?.queryItems ?? []
            func parameter(_ name: String) -> String? {
                parameters.first { $0.name == name }?.value
            }
            guard let begun = try device.begunSignIn(), parameter("state") == begun.state else {
                throw SyncFailure.signIn(.stateUnknown)
            }
            if let error = parameter("error") {
                try device.store(nil)
                throw SyncFailure(ofCode: error)
            }
            guard let code = parameter("code") else {
                throw SyncFailure.unexpectedAnswer("the address has neither a code nor an error")
            }
            do {
                let session = try await session(by: .code(code, verifier: begun.verifier))
                try device.store(nil)
                return session
            } catch let failure as SyncFailure where !failure.isTemporary {
                try device.store(nil)
                throw failure
            }
        }
    }

    /// Signs a user in with an ID token, which the app has from the provider's own library.
    ///
    /// `nonce` is that with which the app asked for the token, such as ``freshNonce()``; nil if it
    /// asked without one. Throws `signIn` with the reason.
    @discardableResult
    public func logIn(
        idToken: String, of provider: String, nonce: String? = nil
    ) async throws(SyncFailure) -> User {
        try await opening {
            try await session(by: .idToken(idToken, provider: provider, nonce: nonce))
        }
    }

    /// A text that nobody can guess: a provider puts it into the ID token, which is then good for
    /// this sign-in only.
    public static func freshNonce() -> String { BearerToken.make() }

    private func session(by proof: SessionRequest.Proof) async throws -> LocalSession {
        if case .development = settings.mode { throw SyncFailure.signIn(.providerUnknown) }
        let answer = try await wire.send(try request(for: proof))
        guard answer.status == 201 else { throw SyncFailure(answer) }
        return try keep(answer, passwordHash: nil)
    }
}

// MARK: - Without signing in again

extension Database {
    /// Opens the database of the user who signed in last on this device, if that was with a
    /// provider and the user has not logged out. Returns nil if there is none: show the sign-in.
    ///
    /// A user of a provider has no password with which this device could check them offline. The
    /// token of their session stands for it: it is stored on the device until the user logs out, or
    /// the server says that the session has ended.
    ///
    /// The server is asked whether the session is good, and for the group that the user has now.
    /// Where it cannot be reached, the user has the role that they had last.
    ///
    /// Throws `sessionEnded` if the server has ended the session, then and until the user signs in
    /// again; unsent changes wait for that. Throws `roleUnknown` if the group has no role on
    /// this device category.
    @discardableResult
    public func continueSession() async throws(SyncFailure) -> User? {
        let known: DeviceFile.KnownUser
        do {
            guard let staying = try device.stayingUser() else { return nil }
            known = staying
        } catch {
            throw SyncFailure(ofSignIn: error)
        }
        return try await opening {
            guard let token = try device.token(of: known.login) else {
                throw SyncFailure.sessionEnded
            }
            return try await session(of: known, token: token)
        }
    }

    private func session(
        of known: DeviceFile.KnownUser, token: String
    ) async throws -> LocalSession {
        let answer: WireAnswer
        do {
            answer = try await wire.send(
                WireRequest(method: "GET", path: "v1/\(environment)/session", token: token))
        } catch {
            return try open(known, token: token, isOffline: true)
        }
        guard answer.status == 200 else {
            let failure = SyncFailure(answer)
            if failure == .sessionEnded { try device.endStay(token: token) }
            guard answer.status >= 500, failure.isTemporary else { throw failure }
            return try open(known, token: token, isOffline: true)
        }
        let response = try decodeMessage(OwnSessionResponse.self, from: answer.body)
        let present = DeviceFile.KnownUser(
            login: response.login, group: response.group, instance: response.instance)
        try device.remember(present, as: response.login)
        return try open(present, token: token)
    }
}
