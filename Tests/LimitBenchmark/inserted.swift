import Foundation

/// The measurement of the records after the first tenth.
struct Inserted: Encodable {
    var records = 0
    var rows = 0
    var seconds = 0.0
    var processorSeconds = 0.0
}

/// Writes the rows of one database to another, with a number of records per transaction.
func inserted(
    into before: String, from after: String, recordsEach: Int
) throws(Failure) -> Inserted {
    let database = try RawDatabase(path: before)
    let rows = try PushedRows(before: database, after: try RawDatabase(path: after))
    let insertion = try Insertion(of: rows, into: database)
    let first = rows.records / 10 / recordsEach * recordsEach
    try insertion.write(0..<first, each: recordsEach)
    let start = ContinuousClock.now
    let processor = processorSeconds()
    try insertion.write(first..<rows.records, each: recordsEach)
    return Inserted(
        records: rows.records - first,
        rows: rows.tables.reduce(0) { $0 + $1.rows(of: first..<rows.records).count },
        seconds: (ContinuousClock.now - start) / .seconds(1),
        processorSeconds: processorSeconds() - processor)
}

private struct Insertion {
    private let rows: PushedRows
    private let begin: RawStatement
    private let insertions: [RawStatement]
    /// Reserves sequences for the new records.
    private let count: RawStatement
    private let commit: RawStatement

    init(of rows: PushedRows, into database: RawDatabase) throws(Failure) {
        self.rows = rows
        begin = try database.prepare("BEGIN IMMEDIATE")
        insertions = try rows.tables.map { table throws(Failure) in
            try database.prepare(table.insertion)
        }
        count = try database.prepare(
            "UPDATE environments SET sequence = sequence + ? WHERE id = \(rows.environment)")
        commit = try database.prepare("COMMIT")
    }

    func write(_ records: Range<Int>, each count: Int) throws(Failure) {
        for start in stride(from: records.lowerBound, to: records.upperBound, by: count) {
            try write(start..<min(start + count, records.upperBound))
        }
    }

    private func write(_ records: Range<Int>) throws(Failure) {
        try begin.run()
        count.bind(Int64(records.count), at: 0)
        try count.run()
        for (table, insertion) in zip(rows.tables, insertions) {
            for row in table.rows(of: records) { try write(row, of: table, with: insertion) }
        }
        try commit.run()
    }

    private func write(
        _ row: Int, of table: PushedTable, with insertion: RawStatement
    ) throws(Failure) {
        for column in 0..<table.width {
            switch table.cells[row * table.width + column] {
            case .null: insertion.bindNull(at: column)
            case .integer(let number): insertion.bind(number, at: column)
            case .text(let range): insertion.bind(rows.texts[range], at: column)
            }
        }
        try insertion.run()
    }
}

extension PushedTable {
    /// The rows of these records.
    func rows(of records: Range<Int>) -> Range<Int> {
        let start = records.lowerBound == 0 ? 0 : ends[records.lowerBound - 1]
        return start..<(records.isEmpty ? start : ends[records.upperBound - 1])
    }
}

private func processorSeconds() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return [usage.ru_utime, usage.ru_stime].reduce(0) {
        $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
    }
}
