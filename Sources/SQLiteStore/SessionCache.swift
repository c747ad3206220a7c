import GRDBSQLite
import SyncEngine
import Synchronization

/// A cache of sessions.
///
/// Every request looks up its session, and the switch to a reader thread of the pool and back costs
/// several times what the query does. A cached session is valid while its environment's `accounts`
/// counter is the same; every change of a user or session increments the counter, whichever process
/// makes it. The counter is read for each request on the calling thread, one row by its key on a
/// connection of its own. This read waits for no transaction and rarely for the disk, since every
/// push writes the same row.
final class SessionCache: Sendable {
    private struct Known {
        let open: OpenSession
        let row: AccountsRow
    }

    private static let mostKnown = 10_000

    private let reader: Mutex<EnvironmentReader>
    private let known = Mutex<[[UInt8]: Known]>([:])

    init(path: String) throws(StoreError) { reader = Mutex(try EnvironmentReader(path: path)) }

    /// Returns nil if the row cannot be read at once. The ordinary read then reports the error.
    func row(of environment: EnvironmentID) -> AccountsRow? {
        reader.withLock { $0.row(of: environment) }
    }

    /// Returns the cached session if it is valid for the given row of its environment; otherwise
    /// nil.
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

    /// Caches a session. `row` was read before the session, so that a change in between invalidates
    /// it.
    func keep(_ open: OpenSession, from row: AccountsRow) {
        known.withLock { known in
            if known.count >= Self.mostKnown { known.removeAll(keepingCapacity: true) }
            known[open.session.tokenHash] = Known(open: open, row: row)
        }
    }

    /// Whether the database can be read at once. If not, the ordinary read reports the error.
    func isReadable() -> Bool { reader.withLock { $0.isReadable() } }

    /// Closes the connection. Every later lookup returns nil.
    func close() { reader.withLock { $0.close() } }
}

/// The counters in an environment's row.
struct AccountsRow: Hashable, Sendable {
    /// Incremented when a user or session is changed or removed.
    let accounts: Int64
    let moment: EnvironmentMoment
}

/// Reads rows of environments by direct SQLite calls, since every request waits for one.
private struct EnvironmentReader: ~Copyable {
    private var database: OpaquePointer?
    private var statement: OpaquePointer?

    init(path: String) throws(StoreError) {
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX
        // Wait for locks only while opening.
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

    /// Returns nil on any error, and while another connection resets the log.
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

    func isReadable() -> Bool {
        guard let statement else { return false }
        defer { sqlite3_reset(statement) }
        // No environment has this number.
        guard sqlite3_bind_int64(statement, 1, 0) == SQLITE_OK else { return false }
        return [SQLITE_ROW, SQLITE_DONE].contains(sqlite3_step(statement))
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
