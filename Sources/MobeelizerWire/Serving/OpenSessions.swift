import NIOConcurrencyHelpers
import Secrets

/// The sessions that were opened for clients that send a password with each request. A password is
/// known by a salted hash only, as long as the process lives.
final class OpenSessions: Sendable {
    private struct Kept {
        var hashes: [[UInt8]: [UInt8]] = [:]
        /// Oldest first.
        var order: [[UInt8]] = []
    }

    private let salt: String
    private let max: Int
    private let kept = NIOLockedValueBox(Kept())

    /// - Parameters:
    ///   - salt: A text that nobody can guess.
    ///   - max: Sessions that are kept; beyond them, the oldest is forgotten.
    init(salt: String, max: Int = 10_000) {
        self.salt = salt
        self.max = max
    }

    /// Nil when none was opened for exactly this environment, login, password and device.
    func tokenHash(of identity: ClientIdentity) -> [UInt8]? {
        let key = key(of: identity)
        return kept.withLockedValue { $0.hashes[key] }
    }

    func keep(_ tokenHash: [UInt8], of identity: ClientIdentity) {
        let key = key(of: identity)
        kept.withLockedValue { kept in
            if kept.hashes.updateValue(tokenHash, forKey: key) == nil { kept.order.append(key) }
            guard kept.order.count > max else { return }
            kept.hashes[kept.order.removeFirst()] = nil
        }
    }

    func forget(_ identity: ClientIdentity) {
        let key = key(of: identity)
        kept.withLockedValue { kept in
            kept.hashes[key] = nil
            kept.order.removeAll { $0 == key }
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
