import GRDBSQLite

/// A database of the server, accessed through SQLite's C interface with the settings of
/// `SQLiteStore`.
final class RawDatabase {
    private let handle: OpaquePointer

    /// Opens an existing file.
    init(path: String) throws(Failure) {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil)
        guard code == SQLITE_OK, let handle else {
            sqlite3_close(handle)
            throw Failure(
                "'\(path)' cannot be opened: \(String(cString: sqlite3_errstr(code)))",
                help: "name a file that 'waggle serve' has filled")
        }
        self.handle = handle
        // The first and the last connection of a file lock it for a moment.
        sqlite3_busy_timeout(handle, 5000)
        try execute("PRAGMA synchronous = FULL")
        try execute("PRAGMA temp_store = MEMORY")
        try execute("PRAGMA cache_size = -65536")
        try execute("PRAGMA wal_autocheckpoint = 16384")
        try execute("PRAGMA foreign_keys = ON")
        guard try prepare("PRAGMA journal_mode").text() == "wal" else {
            throw Failure(
                "'\(path)' has no write-ahead log",
                help: "name a file that 'waggle serve' has filled")
        }
    }

    deinit { sqlite3_close_v2(handle) }

    func execute(_ sql: String) throws(Failure) {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure(sql) }
    }

    func prepare(_ sql: String) throws(Failure) -> RawStatement {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(
            handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw failure(sql) }
        return RawStatement(statement)
    }

    private func failure(_ sql: String) -> Failure {
        Failure("'\(sql)': \(String(cString: sqlite3_errmsg(handle)))")
    }
}

/// Columns and parameters are counted from 0.
final class RawStatement {
    private let handle: OpaquePointer

    fileprivate init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { sqlite3_finalize(handle) }

    /// Returns whether there is a row; after the last one, the statement can be executed again.
    func step() throws(Failure) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE:
            sqlite3_reset(handle)
            return false
        case _:
            let message = String(cString: sqlite3_errmsg(sqlite3_db_handle(handle)))
            sqlite3_reset(handle)
            throw Failure("'\(String(cString: sqlite3_sql(handle)))': \(message)")
        }
    }

    /// Executes a statement without result rows.
    func run() throws(Failure) { while try step() {} }

    func reset() { sqlite3_reset(handle) }

    func bind(_ number: Int64, at place: Int) {
        sqlite3_bind_int64(handle, CInt(place + 1), number)
    }

    func bindNull(at place: Int) { sqlite3_bind_null(handle, CInt(place + 1)) }

    /// The bytes must stay valid until the statement was executed.
    func bind(_ text: UnsafeRawBufferPointer, at place: Int) {
        sqlite3_bind_text(
            handle, CInt(place + 1), text.baseAddress?.assumingMemoryBound(to: CChar.self),
            CInt(text.count), nil)
    }

    var columns: Int { Int(sqlite3_column_count(handle)) }

    func type(at column: Int) -> CInt { sqlite3_column_type(handle, CInt(column)) }

    func integer(at column: Int) -> Int64 { sqlite3_column_int64(handle, CInt(column)) }

    /// Valid until the next step.
    func bytes(at column: Int) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_text(handle, CInt(column))
        return UnsafeRawBufferPointer(
            start: start, count: Int(sqlite3_column_bytes(handle, CInt(column))))
    }

    /// The first column of the first row.
    func integer() throws(Failure) -> Int64? {
        defer { reset() }
        return try step() ? integer(at: 0) : nil
    }

    func text() throws(Failure) -> String? {
        defer { reset() }
        return try step() ? String(decoding: bytes(at: 0), as: UTF8.self) : nil
    }
}
