import NIOPosix
import Queues
import Secrets
package import SyncEngine
package import UserAccounts

/// Verifies passwords, which is slow by design, on separate threads, so that other requests are not
/// delayed, and in turns.
///
/// Users on devices that have signed in before have places of their own, and every second turn, so
/// a flood of sign-ins by strangers delays them only a little. The places of all others are divided
/// fairly between addresses, and those of an address between logins: a flood from one address
/// refuses none from another.
package final class PasswordGuard: Sendable {
    /// A user or a stranger who waits for a turn.
    enum Applicant {
        /// A user on a device that has signed in before.
        case user(String)
        case address(String, user: String)
    }

    let threads: NIOThreadPool
    private let turns: FairTurns
    /// The least length of new passwords, in characters.
    private let minLength: Int
    private let now: @Sendable () -> Instant

    /// `threads` has `count` threads.
    init(
        threads: NIOThreadPool, count: Int, minLength: Int, now: @escaping @Sendable () -> Instant
    ) {
        self.threads = threads
        self.minLength = minLength
        // While one sign-in of a thread is stored, the next password is verified.
        turns = FairTurns(
            turns: 2 * count, maxOfGroup: 2 * count, maxWaiting: WorkPool.maxWaiting, queues: 2)
        self.now = now
    }

    /// The sign-ins that wait for their turn.
    var waitingCount: Int { turns.waitingCount }

    /// Refuses the sign-ins that wait, and those that would have to wait from now on.
    func stop() { turns.stop() }

    /// Throws `overloaded` if too many are waiting, `stopping` if the server stops before the turn,
    /// and `CancellationError` if the task is cancelled before it.
    func withTurn<Value>(
        of applicant: Applicant, _ body: () async throws -> Value
    ) async throws -> Value {
        let (origin, queue) =
            switch applicant {
            case .user(let user): (WaitOrigin(group: user), 0)
            case .address(let address, let user): (WaitOrigin(group: address, member: user), 1)
            }
        return try await turns.run(
            as: origin, in: queue, orThrow: .overloaded(retryAfterSeconds: 1), body)
    }

    /// Also false for a cancelled request, whose response nobody reads.
    func matches(_ password: String, hash: String?) async -> Bool {
        guard password.utf8.count <= PasswordHash.maxPasswordBytes else { return false }
        do {
            return try await threads.runIfActive { PasswordHash.matches(password, hash: hash) }
        } catch {
            return false
        }
    }

    /// A hash by today's settings; nil if the stored one is that already, or no hash can be made
    /// now. The next sign-in tries again.
    private func renewedHash(of password: String, stored: String) async -> String? {
        guard !PasswordHash.isCurrent(stored) else { return nil }
        return try? await hash(password)
    }

    /// Opens a session for a login and its password. `address` is the network address of the
    /// client. Throws `SyncError`, or `overloaded` if too many are waiting.
    package func signIn(
        _ credentials: Credentials, to accounts: AccountEngine, from address: String
    ) async throws -> (session: SignedIn, token: NewToken) {
        let attempt = try await accounts.attempt(credentials, from: address)
        let user = "\(accounts.engine.environment.number) \(attempt.login)"
        let text = BearerToken.make()
        let token = NewToken(text: text, hash: BearerToken.hash(text))
        let session = try await withTurn(
            of: attempt.isOfKnownDevice ? .user(user) : .address(address, user: user)
        ) {
            try await accounts.signIn(
                attempt, token: token, at: now(), verify: { await matches($0, hash: $1) },
                renew: { await renewedHash(of: $0, stored: $1) })
        }
        return (session, token)
    }

    /// Opens a session for a user whose password was hashed just now, without verifying it.
    package func signIn(
        _ credentials: Credentials, knowing hash: String, to accounts: AccountEngine,
        from address: String
    ) async throws(SyncError) -> (session: SignedIn, token: NewToken) {
        let text = BearerToken.make()
        let token = NewToken(text: text, hash: BearerToken.hash(text))
        let session = try await accounts.signIn(
            credentials, from: address, token: token, at: now(), verify: { $1 == hash })
        return (session, token)
    }

    /// Hashes a new password, for admins only. Throws `adminOnly`, `passwordIllegal`, or
    /// `overloaded` if too many are waiting.
    package func newHash(of password: String, for caller: Caller) async throws -> String {
        guard caller.isAdmin else { throw SyncError.adminOnly }
        return try await newOwnHash(of: password, for: caller)
    }

    /// Hashes a new password of the caller's own. Throws `passwordIllegal`, or `overloaded` if too
    /// many are waiting.
    package func newOwnHash(of password: String, for caller: Caller) async throws -> String {
        try checkIsAcceptable(password)
        return try await withTurn(of: .user(caller.login)) { try await hash(password) }
    }

    /// Hashes a new password of somebody who has a code and no session. Throws `passwordIllegal`,
    /// or `overloaded` if too many are waiting.
    package func newHash(of password: String, from address: String) async throws -> String {
        try checkIsAcceptable(password)
        return try await withTurn(of: .address(address, user: "code")) { try await hash(password) }
    }

    /// Hashes the password of a user who registers from a network address. Throws
    /// `passwordIllegal`, or `overloaded` if too many are waiting.
    package func newHash(
        of password: String, forNewUser login: String, from address: String
    ) async throws -> String {
        try checkIsAcceptable(password)
        return try await withTurn(of: .address(address, user: login)) { try await hash(password) }
    }

    func hash(_ password: String) async throws -> String {
        try await threads.runIfActive { try PasswordHash.make(of: password) }
    }

    /// Throws `passwordIllegal` if a password is too short or too long to become a new one.
    func checkIsAcceptable(_ password: String) throws(HTTPFailure) {
        guard PasswordHash.isAcceptable(password, minLength: minLength) else {
            throw HTTPFailure.passwordIllegal(
                minLength: minLength, maxBytes: PasswordHash.maxPasswordBytes)
        }
    }
}
