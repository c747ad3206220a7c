import GRDB
import GRDBSQLite
import SyncEngine

/// A statement that is run for each of many things, by SQLite's own calls.
///
/// What GRDB does around a run (arguments as values of another type, observers, of which there are
/// none here) takes nearly as long as SQLite takes to find or write a row, and pushes are made of
/// such runs. Only for statements that change no schema: of those GRDB wants to know.
struct RepeatedStatement {
    enum Value {
        case integer(Int64)
        case text(String)
        case flag(Bool)
    }

    /// Whether there is more to read.
    enum Continuation {
        case goOn
        case stop
    }

    /// GRDB's, since it is GRDB that ends SQLite's when nobody has this any more.
    private let statement: Statement
    private let database: SQLiteConnection?

    init(_ sql: String, _ db: Database) throws {
        statement = try db.cachedStatement(sql: sql)
        database = db.sqliteConnection
    }

    /// To its end.
    func run(_ values: [Value]) throws {
        try withValues(values) { while try step() {} }
    }

    /// What `read` makes of the first row; nil where there is none.
    func first<Result>(
        _ values: [Value], _ read: (StatementRow) throws -> Result
    ) throws -> Result? {
        try withValues(values) { try step() ? try read(StatementRow(of: statement)) : nil }
    }

    /// Row by row, until there is none or `read` wants no more. A row is good until `read` returns.
    func each(_ values: [Value], _ read: (StatementRow) throws -> Continuation) throws {
        let row = StatementRow(of: statement)
        try withValues(values) { while try step(), try read(row) == .goOn {} }
    }

    /// SQLite makes no copies of texts: they lie in one piece of memory for as long as `body` runs.
    private func withValues<Result>(
        _ values: [Value], _ body: () throws -> Result
    ) throws -> Result {
        let row = statement.sqliteStatement
        // What is not bound would be what was bound the last time.
        guard values.count == Int(sqlite3_bind_parameter_count(row)) else {
            throw DatabaseError(
                resultCode: .SQLITE_MISUSE, message: "\(values.count) values", sql: statement.sql)
        }
        // Of nothing there would be no address, and to SQLite that is no text.
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

/// The row where a statement stands, in SQLite's own memory. Good until the statement goes on.
struct StatementRow {
    private let row: SQLiteStatement

    init(of statement: Statement) { row = statement.sqliteStatement }

    /// 0 for what is none.
    func number(_ column: Int32) -> Int64 { sqlite3_column_int64(row, column) }

    func text(_ column: Int32) throws(StoreError) -> String {
        String(decoding: try bytes(column), as: UTF8.self)
    }

    func bytes(_ column: Int32) throws(StoreError) -> UnsafeBufferPointer<UInt8> {
        guard let text = sqlite3_column_text(row, column) else {
            throw .unreadable("a row has no value in column \(column + 1)", remedy: .backup)
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
