import GRDB
import SyncEngine
import Synchronization

/// Sessions that were looked up, for as long as they hold.
///
/// Each request asks who it is from, and the way to a reader of the pool and back, from thread to
/// thread, costs several times what the query does. So what was found is kept, with the number
/// that every change of users and sessions raises, whichever process makes it. That number is read
/// each time, on the thread that asks: one row by its key, by a connection of its own. It waits for
/// nobody's transaction, and hardly ever for the disk, since every push writes this very row.
final class KnownSessions: Sendable {
    private struct Known {
        let open: OpenSession
        let moment: EnvironmentMoment
    }

    private static let mostKnown = 10_000

    private let reader: DatabaseQueue
    private let known = Mutex<[[UInt8]: Known]>([:])

    init(path: String) throws {
        var configuration = Configuration()
        configuration.label = "waggle-sessions"
        configuration.readonly = true
        reader = try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Nil where it cannot be read at once. Whoever then takes the long way meets the reason.
    func moment(of environment: EnvironmentID) -> EnvironmentMoment? {
        try? reader.unsafeRead { db in
            let statement = try db.cachedStatement(
                sql: "SELECT accounts, version, sequence, horizon FROM environments WHERE id = ?")
            return try Row.fetchOne(statement, arguments: [environment.number])
                .map(EnvironmentMoment.init(row:))
        }
    }

    /// A session as it is at a moment; nil where it has to be looked up.
    func session(
        tokenHash: [UInt8], in environment: EnvironmentID, at moment: EnvironmentMoment,
        _ now: Instant
    ) -> OpenSession? {
        guard let found = known.withLock({ $0[tokenHash] }),
            found.open.session.environment == environment,
            found.moment.accounts == moment.accounts, found.moment.version == moment.version,
            found.open.session.expiresAt > now
        else { return nil }
        return found.open.at(moment)
    }

    /// `moment` is of before it was looked up: what has changed between is then looked up again.
    func keep(_ open: OpenSession, from moment: EnvironmentMoment) {
        known.withLock { known in
            if known.count >= Self.mostKnown { known.removeAll(keepingCapacity: true) }
            known[open.session.tokenHash] = Known(open: open, moment: moment)
        }
    }

    func close() throws { try reader.close() }
}

/// What an environment's row said.
struct EnvironmentMoment: Hashable, Sendable {
    /// Raised whenever a user or a session is changed or removed.
    let accounts: Int64
    let version: Int64
    let sequence: Int64
    let horizon: Int64

    init(row: Row) throws {
        accounts = try row.decode(Int64.self, atIndex: 0)
        version = try row.decode(Int64.self, atIndex: 1)
        sequence = try row.decode(Int64.self, atIndex: 2)
        horizon = try row.decode(Int64.self, atIndex: 3)
    }
}

extension OpenSession {
    fileprivate func at(_ moment: EnvironmentMoment) -> OpenSession {
        OpenSession(
            session: session, group: group, isAdmin: isAdmin, sequence: moment.sequence,
            horizon: moment.horizon, fingerprint: fingerprint)
    }
}
