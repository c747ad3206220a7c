import NIOConcurrencyHelpers
import NIOPosix
import Secrets

/// Compares passwords, which is slow on purpose, on threads of its own, so that it holds up nobody
/// who is already signed in. Only so many may wait.
final class PasswordGuard: Sendable {
    static let maxWaiting = 64

    private let threads: NIOThreadPool
    private let waiting = NIOLockedValueBox(0)

    init(threads: NIOThreadPool) {
        self.threads = threads
    }

    /// Throws `overloaded` when too many wait already.
    func enter() throws {
        let hasRoom = waiting.withLockedValue { waiting in
            guard waiting < Self.maxWaiting else { return false }
            waiting += 1
            return true
        }
        guard hasRoom else { throw HTTPFailure.overloaded(retryAfterSeconds: 1) }
    }

    func leave() {
        waiting.withLockedValue { $0 -= 1 }
    }

    func hash(of password: String) async throws -> String {
        try await threads.runIfActive { try PasswordHash.make(of: password) }
    }

    /// False also for a request that was given up meanwhile: nobody reads its answer.
    func matches(_ password: String, hash: String?) async -> Bool {
        guard password.utf8.count <= PasswordHash.maxPasswordBytes else { return false }
        do {
            return try await threads.runIfActive { PasswordHash.matches(password, hash: hash) }
        } catch {
            return false
        }
    }
}
