import NIOConcurrencyHelpers
import Secrets

/// Sessions of clients that send a password with each request. Only a salted hash of the password
/// is state, in memory.
final class OpenSessions: Sendable {
    private struct State {
        var hashes: [[UInt8]: [UInt8]] = [:]
        /// Oldest first.
        var order: [[UInt8]] = []
    }

    private let salt: String
    private let max: Int
    private let state = NIOLockedValueBox(State())

    /// - Parameters:
    ///   - salt: A random text.
    ///   - max: The maximum number of sessions; beyond it, the oldest is removed.
    init(salt: String, max: Int = 10_000) {
        self.salt = salt
        self.max = max
    }

    /// Nil unless a session was opened for this environment, login, password and device.
    func tokenHash(of identity: ClientIdentity) -> [UInt8]? {
        let key = key(of: identity)
        return state.withLockedValue { $0.hashes[key] }
    }

    func keep(_ tokenHash: [UInt8], of identity: ClientIdentity) {
        let key = key(of: identity)
        state.withLockedValue { state in
            if state.hashes.updateValue(tokenHash, forKey: key) == nil { state.order.append(key) }
            guard state.order.count > max else { return }
            state.hashes[state.order.removeFirst()] = nil
        }
    }

    func forget(_ identity: ClientIdentity) {
        let key = key(of: identity)
        state.withLockedValue { state in
            state.hashes[key] = nil
            state.order.removeAll { $0 == key }
        }
    }

    private func key(of identity: ClientIdentity) -> [UInt8] {
        let parts = [
            identity.environment, identity.login, identity.password, identity.deviceCategory,
            identity.deviceIdentifier,
        ]
        return BearerToken.hash(salt + parts.map { "\($0.utf8.count):\($0)" }.joined())
    }
}
