import GRDB
import GRDBSQLite
import SyncEngine

/// A statement that runs many times by direct SQLite calls.
///
/// GRDB's overhead per run (conversion of arguments, observation) takes nearly as long as SQLite
/// takes to find or write a row, and a push consists of such runs. Only for statements that do not
/// change the schema, since GRDB must observe those.
struct RepeatedStatement {
    enum Value {
        case integer(Int64)
        case text(String)
        case flag(Bool)
    }

    /// Whether to read further rows.
    enum Continuation {
        case goOn
        case stop
    }

    /// Owned by GRDB, which finalizes the SQLite statement.
    private let statement: Statement
    private let database: SQLiteConnection?

    init(_ sql: String, _ db: Database) throws {
        statement = try db.cachedStatement(sql: sql)
        database = db.sqliteConnection
    }

    /// Runs the statement to completion.
    func run(_ values: [Value]) throws {
        try withValues(values) { while try step() {} }
    }

    /// Returns the result of `read` for the first row; nil if there is none.
    func first<Result>(
        _ values: [Value], _ read: (StatementRow) throws -> Result
    ) throws -> Result? {
        try withValues(values) { try step() ? try read(StatementRow(of: statement)) : nil }
    }

    /// Calls `read` for each row until it returns `stop`. A row is valid until `read` returns.
    func each(_ values: [Value], _ read: (StatementRow) throws -> Continuation) throws {
        let row = StatementRow(of: statement)
        try withValues(values) { while try step(), try read(row) == .goOn {} }
    }

    /// Binds the values without copying texts again: they share one buffer that lives while `body`
    /// runs.
    private func withValues<Result>(
        _ values: [Value], _ body: () throws -> Result
    ) throws -> Result {
        let row = statement.sqliteStatement
        // A parameter that is not bound would keep its former value.
        guard values.count == Int(sqlite3_bind_parameter_count(row)) else {
            throw DatabaseError(
                resultCode: .SQLITE_MISUSE, message: "\(values.count) values", sql: statement.sql)
        }
        // An empty buffer has no address, and SQLite binds a null pointer as NULL.
        let size = values.reduce(1) { $0 + $1.textBytes }
        return try withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { texts in
            defer {
                sqlite3_reset(row)
                sqlite3_clear_bindings(row)
            }
            var used = 0
            for (number, value) in zip(Int32(1)..., values) {
                let code = bind(value, number, keeping: texts, from: &used)
                guard code == SQLITE_OK else { throw failure() }
            }
            return try body()
        }
    }

    private func bind(
        _ value: Value, _ number: Int32, keeping texts: UnsafeMutableBufferPointer<CChar>,
        from used: inout Int
    ) -> Int32 {
        let row = statement.sqliteStatement
        switch value {
        case .integer(let integer): return sqlite3_bind_int64(row, number, integer)
        case .flag(let flag): return sqlite3_bind_int64(row, number, flag ? 1 : 0)
        case .text(var text):
            let place = UnsafeMutableRawBufferPointer(texts)[used...]
            let count = text.withUTF8 { bytes in
                UnsafeMutableRawBufferPointer(rebasing: place).copyMemory(from: .init(bytes))
                return bytes.count
            }
            used += count
            let start = texts.baseAddress.map { $0 + used - count }
            return sqlite3_bind_text(row, number, start, Int32(clamping: count), nil)
        }
    }

    private func step() throws -> Bool {
        switch sqlite3_step(statement.sqliteStatement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw failure()
        }
    }

    private func failure() -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(database)),
            message: String(cString: sqlite3_errmsg(database)), sql: statement.sql)
    }
}

/// The current row of a statement, in SQLite's memory. Valid until the statement advances.
struct StatementRow {
    private let row: SQLiteStatement

    init(of statement: Statement) { row = statement.sqliteStatement }

    /// Returns 0 for NULL.
    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(row, column) == SQLITE_NULL }

    func number(_ column: Int32) -> Int64 { sqlite3_column_int64(row, column) }

    func name(of column: Int32) -> String {
        sqlite3_column_name(row, column).map { String(cString: $0) } ?? "\(column + 1)"
    }

    func text(_ column: Int32) throws(StoreError) -> String {
        String(decoding: try bytes(column), as: UTF8.self)
    }

    func bytes(_ column: Int32) throws(StoreError) -> UnsafeBufferPointer<UInt8> {
        guard let text = sqlite3_column_text(row, column) else {
            throw .damagedRow(column: name(of: column))
        }
        return UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(row, column)))
    }
}

extension RepeatedStatement.Value {
    fileprivate var textBytes: Int {
        switch self {
        case .integer, .flag: 0
        case .text(let text): text.utf8.count
        }
    }
}
