import NIOConcurrencyHelpers
import NIOPosix
import Secrets
package import SyncEngine
package import UserAccounts

/// Verifies passwords, which is slow by design, on separate threads, so that other requests are not
/// delayed. The number of waiting verifications is limited.
package final class PasswordGuard: Sendable {
    static let maxWaiting = 64

    private let threads: NIOThreadPool
    private let waiting = NIOLockedValueBox(0)

    init(threads: NIOThreadPool) {
        self.threads = threads
    }

    /// Throws `overloaded` if too many are waiting.
    private func enter() throws {
        let hasRoom = waiting.withLockedValue { waiting in
            guard waiting < Self.maxWaiting else { return false }
            waiting += 1
            return true
        }
        guard hasRoom else { throw HTTPFailure.overloaded(retryAfterSeconds: 1) }
    }

    private func leave() {
        waiting.withLockedValue { $0 -= 1 }
    }

    /// Also false for a cancelled request, whose response nobody reads.
    private func matches(_ password: String, hash: String?) async -> Bool {
        guard password.utf8.count <= PasswordHash.maxPasswordBytes else { return false }
        do {
            return try await threads.runIfActive { PasswordHash.matches(password, hash: hash) }
        } catch {
            return false
        }
    }

    /// A hash by today's settings; nil where the stored one is that already, or no hash can be made
    /// now. The next sign-in tries again.
    private func renewedHash(of password: String, stored: String) async -> String? {
        guard !PasswordHash.isCurrent(stored) else { return nil }
        return try? await threads.runIfActive { try PasswordHash.make(of: password) }
    }

    /// Opens a session for a login and its password. Throws `SyncError`, or `overloaded` if too
    /// many are waiting.
    package func signIn(
        _ credentials: Credentials, to accounts: AccountEngine, at now: Instant
    ) async throws -> (session: SignedIn, token: NewToken) {
        try enter()
        defer { leave() }
        let text = BearerToken.make()
        let token = NewToken(text: text, hash: BearerToken.hash(text))
        let session = try await accounts.signIn(
            credentials, token: token, at: now, verify: { await matches($0, hash: $1) },
            renew: { await renewedHash(of: $0, stored: $1) })
        return (session, token)
    }

    /// Hashes a new password, for admins only. Throws `adminOnly`, `passwordIllegal`, or
    /// `overloaded` if too many are waiting.
    package func newHash(of password: String, for caller: Caller) async throws -> String {
        guard caller.isAdmin else { throw SyncError.adminOnly }
        guard (1...PasswordHash.maxPasswordBytes).contains(password.utf8.count) else {
            throw HTTPFailure.passwordIllegal(maxBytes: PasswordHash.maxPasswordBytes)
        }
        try enter()
        defer { leave() }
        return try await threads.runIfActive { try PasswordHash.make(of: password) }
    }
}
