import Synchronization

/// Sessions that a store has read. Every request looks up its session.
///
/// A cached session is valid while its environment's `accounts` counter and version are the same.
/// The store reads the counter for each lookup; every change of a user or session increments it,
/// whichever process makes the change.
package final class SessionCache: Sendable {
    private struct Known {
        let open: OpenSession
        let row: AccountsRow
    }

    private static let maxSessions = 10_000

    private let known = Mutex<[[UInt8]: Known]>([:])

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

extension OpenSession {
    fileprivate func at(_ moment: EnvironmentMoment) -> OpenSession {
        OpenSession(
            session: session, group: group, isAdmin: isAdmin, moment: moment,
            fingerprint: fingerprint)
    }
}
