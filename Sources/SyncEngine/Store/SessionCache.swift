import Synchronization

/// Sessions that a store has read. Every request looks up its session.
///
/// A cached session is valid while its environment's `accounts` counter and version are the same.
/// The store reads the counter for each lookup; every change or removal of a user and every end of
/// a session increments it, whichever process makes the change.
package final class SessionCache: Sendable {
    private struct Known {
        let open: OpenSession
        let row: AccountsRow
    }

    private static let maxSessions = 10_000

    private let known = Mutex<[[UInt8]: Known]>([:])
    /// The latest row of each environment that this process has read.
    private let rows = Mutex<[EnvironmentID: AccountsRow]>([:])

    package init() {}

    /// Returns nil unless the session is cached, valid for the given row of its environment, and
    /// not expired.
    package func session(
        tokenHash: [UInt8], in environment: EnvironmentID, at row: AccountsRow, _ now: Instant
    ) -> OpenSession? {
        guard let found = known.withLock({ $0[tokenHash] }),
            found.open.session.environment == environment,
            found.row.accounts == row.accounts,
            found.row.moment.deployment == row.moment.deployment,
            found.open.session.expiresAt > now
        else { return nil }
        return found.open.at(row.moment)
    }

    /// Notes a row that was read, or that a commit has left.
    package func note(_ row: AccountsRow, of environment: EnvironmentID) {
        rows.withLock { $0[environment] = row }
    }

    /// Returns a session that was valid for the latest row that was noted; nil if there is none.
    package func presumedSession(
        tokenHash: [UInt8], in environment: EnvironmentID, at now: Instant
    ) -> OpenSession? {
        guard let row = rows.withLock({ $0[environment] }),
            var open = session(tokenHash: tokenHash, in: environment, at: row, now)
        else { return nil }
        open.presumed = AccountsVersion(row)
        return open
    }

    /// Caches a session. `row` was read before the session or with it, so that a change in between
    /// invalidates it.
    package func keep(_ open: OpenSession, from row: AccountsRow) {
        known.withLock { known in
            if known.count >= Self.maxSessions { known.removeAll(keepingCapacity: true) }
            known[open.session.tokenHash] = Known(open: open, row: row)
        }
    }
}

/// The counters of an environment that cached sessions depend on.
package struct AccountsRow: Hashable, Sendable {
    /// Incremented when a user is changed or removed, or a session is ended.
    package let accounts: Int64
    package let moment: EnvironmentMoment

    package init(accounts: Int64, moment: EnvironmentMoment) {
        self.accounts = accounts
        self.moment = moment
    }
}

/// The accounts of an environment at one moment. Between two that are equal no user was changed or
/// removed, no session was ended, and nothing was deployed. New users and sessions do not count.
package struct AccountsVersion: Hashable, Sendable {
    package let accounts: Int64
    package let deployment: Int64

    package init(accounts: Int64, deployment: Int64) {
        self.accounts = accounts
        self.deployment = deployment
    }

    fileprivate init(_ row: AccountsRow) {
        self.init(accounts: row.accounts, deployment: row.moment.deployment)
    }
}

extension OpenSession {
    fileprivate func at(_ moment: EnvironmentMoment) -> OpenSession {
        OpenSession(
            session: session, group: group, isAdmin: isAdmin, moment: moment,
            fingerprint: fingerprint, epoch: epoch)
    }
}
