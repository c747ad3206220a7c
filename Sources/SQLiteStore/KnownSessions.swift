import GRDBSQLite
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
        let row: AccountsRow
    }

    private static let mostKnown = 10_000

    private let reader: Mutex<EnvironmentReader>
    private let known = Mutex<[[UInt8]: Known]>([:])

    init(path: String) throws(StoreError) { reader = Mutex(try EnvironmentReader(path: path)) }

    /// Nil where it cannot be read at once. Whoever then takes the long way meets the reason.
    func row(of environment: EnvironmentID) -> AccountsRow? {
        reader.withLock { $0.row(of: environment) }
    }

    /// A session as it is when the environment's row says this; nil where it has to be looked up.
    func session(
        tokenHash: [UInt8], in environment: EnvironmentID, at row: AccountsRow,
        _ now: Instant
    ) -> OpenSession? {
        guard let found = known.withLock({ $0[tokenHash] }),
            found.open.session.environment == environment,
            found.row.accounts == row.accounts,
            found.row.moment.deployment == row.moment.deployment,
            found.open.session.expiresAt > now
        else { return nil }
        return found.open.at(row.moment)
    }

    /// `row` is of before it was looked up: what has changed between is then looked up again.
    func keep(_ open: OpenSession, from row: AccountsRow) {
        known.withLock { known in
            if known.count >= Self.mostKnown { known.removeAll(keepingCapacity: true) }
            known[open.session.tokenHash] = Known(open: open, row: row)
        }
    }

    /// From now on nothing is known.
    func close() { reader.withLock { $0.close() } }
}

/// What an environment's row said.
struct AccountsRow: Hashable, Sendable {
    /// Raised whenever a user or a session is changed or removed.
    let accounts: Int64
    let moment: EnvironmentMoment
}

/// Reads rows of environments, in SQLite's own words: every request waits for one.
private struct EnvironmentReader: ~Copyable {
    private var database: OpaquePointer?
    private var statement: OpaquePointer?

    init(path: String) throws(StoreError) {
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX
        // Nobody is waited for later on.
        guard sqlite3_open_v2(path, &database, flags, nil) == SQLITE_OK,
            sqlite3_busy_timeout(database, Int32(SQLiteDatabase.lockSeconds * 1000)) == SQLITE_OK,
            sqlite3_prepare_v3(
                database,
                "SELECT accounts, version, sequence, horizon FROM environments WHERE id = ?", -1,
                UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK,
            sqlite3_busy_timeout(database, 0) == SQLITE_OK
        else {
            let reason = String(cString: sqlite3_errmsg(database))
            close()
            throw .failed("sessions cannot be read: \(reason)")
        }
    }

    deinit {
        sqlite3_finalize(statement)
        sqlite3_close(database)
    }

    /// Nil also where somebody is about to make the log anew, which takes a moment.
    func row(of environment: EnvironmentID) -> AccountsRow? {
        guard let statement else { return nil }
        defer { sqlite3_reset(statement) }
        guard sqlite3_bind_int64(statement, 1, environment.number) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW
        else { return nil }
        return AccountsRow(
            accounts: sqlite3_column_int64(statement, 0),
            moment: EnvironmentMoment(
                deployment: sqlite3_column_int64(statement, 1),
                sequence: sqlite3_column_int64(statement, 2),
                horizon: sqlite3_column_int64(statement, 3)))
    }

    mutating func close() {
        sqlite3_finalize(statement)
        sqlite3_close(database)
        (statement, database) = (nil, nil)
    }
}

extension OpenSession {
    fileprivate func at(_ moment: EnvironmentMoment) -> OpenSession {
        OpenSession(
            session: session, group: group, isAdmin: isAdmin, moment: moment,
            fingerprint: fingerprint)
    }
}
