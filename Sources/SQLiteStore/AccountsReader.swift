import GRDBSQLite
import SyncEngine
import Synchronization

/// Reads the counters that cached sessions depend on.
///
/// The switch to a reader thread of the pool and back costs several times what the query does. The
/// row is therefore read on the calling thread, by its key, on a connection of its own. This read
/// waits for no transaction and rarely for the disk, since every push writes the same row.
final class AccountsReader: Sendable {
    private let reader: Mutex<EnvironmentReader>

    init(path: String) throws(StoreError) { reader = Mutex(try EnvironmentReader(path: path)) }

    /// Returns nil if the row cannot be read at once. The ordinary read then reports the error.
    func row(of environment: EnvironmentID) -> AccountsRow? {
        reader.withLock { $0.row(of: environment) }
    }

    /// Whether the database can be read at once. If not, the ordinary read reports the error.
    func isReadable() -> Bool { reader.withLock { $0.isReadable() } }

    /// Closes the connection. Every later read returns nil.
    func close() { reader.withLock { $0.close() } }
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

    /// Returns nil on any error, for numbers that are damaged, and while another connection resets
    /// the log.
    func row(of environment: EnvironmentID) -> AccountsRow? {
        guard let statement else { return nil }
        defer { sqlite3_reset(statement) }
        guard sqlite3_bind_int64(statement, 1, environment.number) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW
        else { return nil }
        let moment = EnvironmentMoment(
            deployment: sqlite3_column_int64(statement, 1),
            sequence: sqlite3_column_int64(statement, 2),
            purgeHorizon: sqlite3_column_int64(statement, 3))
        guard moment.isPossible else { return nil }
        return AccountsRow(accounts: sqlite3_column_int64(statement, 0), moment: moment)
    }

    func isReadable() -> Bool {
        guard let statement, isInPlace(database) else { return false }
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
