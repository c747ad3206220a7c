import GRDBSQLite

/// All rows that pushes of new records wrote, in memory.
struct PushedRows {
    private(set) var tables: [PushedTable] = []
    let texts: RowTexts
    let records: Int
    let environment: Int64

    /// The rows in AFTER that are not in BEFORE.
    init(before: RawDatabase, after: RawDatabase) throws(Failure) {
        let last = try before.prepare("SELECT coalesce(max(place), 0) FROM records").integer() ?? 0
        try after.execute(
            """
            CREATE TEMP TABLE pushed (
                number INTEGER PRIMARY KEY, environment INTEGER NOT NULL,
                guid TEXT NOT NULL UNIQUE, change_id TEXT NOT NULL UNIQUE);
            INSERT INTO pushed (environment, guid, change_id)
                SELECT records.environment, records.guid, history.change_id
                FROM records JOIN history ON history.environment = records.environment
                    AND history.guid = records.guid
                WHERE place > \(last) AND records.revision = 1 ORDER BY place
            """)
        let environments = try after.prepare("SELECT DISTINCT environment FROM pushed")
        guard let environment = try environments.integer() else {
            throw Failure(
                "there is no record that was pushed", help: "name a file from before pushes first")
        }
        self.environment = environment
        records = Int(try after.prepare("SELECT count(*) FROM pushed").integer() ?? 0)
        var bytes: [UInt8] = []
        for (table, key) in Self.keys {
            tables.append(try PushedTable(table, by: key, of: after, records, &bytes))
        }
        texts = RowTexts(bytes)
    }

    /// The tables that the server writes for a new record, in order, each with the column that
    /// identifies the record and its counterpart in the pushed data.
    private static let keys = [
        ("records", "guid guid"), ("links", "guid source"), ("history", "guid guid"),
        ("unique_values", "guid guid"), ("outcomes", "change_id change_id"),
    ]
}

/// Bytes with a stable address.
final class RowTexts {
    private let bytes: UnsafeMutableRawBufferPointer

    init(_ bytes: [UInt8]) {
        self.bytes = .allocate(byteCount: bytes.count, alignment: 1)
        self.bytes.copyBytes(from: bytes)
    }

    deinit { bytes.deallocate() }

    subscript(range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[range])
    }
}

/// The rows of one table.
struct PushedTable {
    let insertion: String
    let width: Int
    private(set) var cells: [Cell] = []
    /// By record, the number of rows up to its last one.
    private(set) var ends: [Int] = []

    enum Cell {
        case null
        case integer(Int64)
        /// A range in the bytes of all texts.
        case text(Range<Int>)
    }

    fileprivate init(
        _ table: String, by key: String, of database: RawDatabase, _ records: Int,
        _ bytes: inout [UInt8]
    ) throws(Failure) {
        let names = key.split(separator: " ")
        let rows = try database.prepare(
            """
            SELECT pushed.number, row.* FROM \(table) AS row CROSS JOIN pushed
                ON row.environment = pushed.environment AND row.\(names[1]) = pushed.\(names[0])
            ORDER BY pushed.number
            """)
        width = rows.columns - 1
        let parameters = Array(repeating: "?", count: width).joined(separator: ", ")
        insertion = "INSERT INTO \(table) VALUES (\(parameters))"
        while try rows.step() {
            while ends.count < rows.integer(at: 0) - 1 { ends.append(cells.count / width) }
            for column in 1...width { cells.append(try Self.cell(column, of: rows, &bytes)) }
        }
        while ends.count < records { ends.append(cells.count / width) }
    }

    private static func cell(
        _ column: Int, of rows: RawStatement, _ bytes: inout [UInt8]
    ) throws(Failure) -> Cell {
        switch rows.type(at: column) {
        case SQLITE_NULL: return .null
        case SQLITE_INTEGER: return .integer(rows.integer(at: column))
        case SQLITE_TEXT:
            let start = bytes.count
            bytes.append(contentsOf: rows.bytes(at: column))
            return .text(start..<bytes.count)
        case let type: throw Failure("a column has the type \(type), and is written nowhere here")
        }
    }
}
