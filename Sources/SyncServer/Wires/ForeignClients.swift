import HTTPTypes
import Secrets
package import SyncEngine

/// Settings for clients of other products, which know neither environments nor device
/// categories, and may not sign in.
package struct ForeignClients: Hashable, Sendable {
    /// The environment of clients that name none; nil for the only one of the database.
    package var environment: String?
    /// The login of the user as whom clients without a session act; nil refuses them.
    package var guest: String?
    package var deviceCategory: String
    /// The key that clients without a session must send; nil if they need none.
    package var applicationKey: String?
    /// The version, by number or tag, of clients whose address names none; nil for the served one.
    package var version: String?

    package init(
        environment: String? = nil, guest: String? = nil, deviceCategory: String = "mobile",
        applicationKey: String? = nil, version: String? = nil
    ) {
        self.version = version
        self.environment = environment
        self.guest = guest
        self.deviceCategory = deviceCategory
        self.applicationKey = applicationKey
    }

    /// Whether a key that a client sent is the application key. Any will do if there is none.
    package func accepts(key: String?) -> Bool {
        guard let applicationKey else { return true }
        // Hashes are compared, so that the time tells nothing of the key.
        return key.map { BearerToken.hash($0) } == BearerToken.hash(applicationKey)
    }
}

extension WireHost {
    /// The environment of clients that name none. Throws `environmentUnset` if the database has
    /// several environments and none of them is set.
    package func environment(of clients: ForeignClients) async throws -> ServedEnvironment {
        if let name = clients.environment { return try await environment(named: name) }
        guard let only = try await environments.only() else {
            throw HTTPFailure.environmentUnset()
        }
        return only
    }
}

extension Exchange {
    /// The user to whom a token belongs, or the guest if there is no token.
    ///
    /// - Parameters:
    ///   - key: The application key that the client sent.
    ///   - device: Identifies the installation of a guest; see `Limits.deviceIdentifierBytes`.
    ///   - wire: The name of the wire.
    ///   - words: The engine in the words of the client.
    package func foreignCaller(
        token: String?, key: String?, device: String, of clients: ForeignClients, wire: String,
        speaking words: WordedEngine
    ) async throws -> Caller {
        let caller: Caller
        if let token {
            caller = try await engine.identify(tokenHash: BearerToken.hash(token), at: now)
        } else {
            guard let guest = clients.guest, clients.accepts(key: key) else {
                throw SyncError.signIn(.tokenUnknown)
            }
            caller = try await engine.guestCaller(
                guest, deviceCategory: clients.deviceCategory, device: device)
        }
        context.charge(caller.login, in: environment)
        note(
            caller, wire: wire, fingerprint: words.namedVersion, isGuest: token == nil)
        return caller
    }
}

extension HTTPFailure {
    static func environmentUnset() -> HTTPFailure {
        HTTPFailure(
            .notFound, "environmentUnset", "the address names no environment",
            help: "the operator can choose one with the setting foreignEnvironment")
    }
}
