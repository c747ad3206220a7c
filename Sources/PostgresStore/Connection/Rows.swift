import CLibPQ
import SyncEngine

/// The result of a statement.
struct Rows {
    private let result: QueryResult

    /// Takes ownership of the result.
    init(_ result: OpaquePointer) { self.result = QueryResult(result) }

    var count: Int { Int(PQntuples(result.pointer)) }

    /// Number of rows that the statement wrote.
    var changedCount: Int { Int(String(cString: PQcmdTuples(result.pointer))) ?? 0 }

    /// The command tag.
    var tag: String { String(cString: PQcmdStatus(result.pointer)) }

    var first: Row? { count > 0 ? Row(result: result, number: 0) : nil }

    func each(_ body: (inout Row) throws -> Void) throws { _ = try map(body) }

    func map<Value>(_ body: (inout Row) throws -> Value) throws -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(count)
        for number in 0..<Int32(count) {
            var row = Row(result: result, number: number)
            values.append(try body(&row))
        }
        return values
    }
}

/// A row, read value by value in the order of its columns.
struct Row {
    private let result: QueryResult
    private let number: Int32
    private var column: Int32 = 0

    fileprivate init(result: QueryResult, number: Int32) {
        self.result = result
        self.number = number
    }

    mutating func int64() throws -> Int64 { try required(optionalInt64()) }

    /// Throws if the number is not of this kind.
    mutating func number(as kind: StoredNumber) throws -> Int64 { try checked(int64(), as: kind) }

    mutating func instant() throws -> Instant {
        Instant(milliseconds: try number(as: .time))
    }

    /// Nil for NULL.
    mutating func optionalInstant() throws -> Instant? {
        try optionalInt64().map { Instant(milliseconds: try checked($0, as: .time)) }
    }

    /// Checks the number of the column that was read last.
    func checked(_ number: Int64, as kind: StoredNumber) throws -> Int64 {
        guard kind.values.contains(number) else {
            throw StoreError.damagedRow(column: name(of: column - 1), number: number)
        }
        return number
    }

    mutating func optionalInt64() throws -> Int64? {
        try next().map { bytes in
            guard bytes.count == 8 else { throw unexpected("is no 64-bit integer") }
            return bytes.reduce(0) { $0 << 8 | Int64($1) }
        }
    }

    mutating func int() throws -> Int { Int(try int64()) }

    mutating func flag() throws -> Bool {
        let bytes = try required(next())
        guard bytes.count == 1 else { throw unexpected("is no boolean") }
        return bytes[0] != 0
    }

    mutating func text() throws -> String { try required(optionalText()) }

    mutating func optionalText() throws -> String? {
        try next().map { bytes in
            guard let text = decodedText(bytes) else { throw unexpected("is no text of ours") }
            return text
        }
    }

    /// Reads a one-dimensional array without NULL elements.
    mutating func optionalTexts() throws -> [String]? {
        try next().map { bytes in
            guard let texts = decodedTexts(bytes) else { throw unexpected("is no list of texts") }
            return texts
        }
    }

    /// A text without U+0000 and U+0001, such as JSON. It is valid as long as the row.
    mutating func plainText() throws -> UnsafeBufferPointer<UInt8> { try required(next()) }

    mutating func bytes() throws -> [UInt8] { Array(try required(next())) }

    mutating func optionalBytes() throws -> [UInt8]? { try next().map { Array($0) } }

    /// The bytes are valid as long as the row.
    private mutating func next() throws -> UnsafeBufferPointer<UInt8>? {
        defer { column += 1 }
        guard column < PQnfields(result.pointer) else { throw unexpected("is missing") }
        guard PQgetisnull(result.pointer, number, column) == 0 else { return nil }
        let start = PQgetvalue(result.pointer, number, column)
        let length = Int(PQgetlength(result.pointer, number, column))
        return UnsafeBufferPointer(
            start: UnsafeRawPointer(start)?.assumingMemoryBound(to: UInt8.self), count: length)
    }

    private func name(of column: Int32) -> String {
        PQfname(result.pointer, column).map { String(cString: $0) } ?? "\(column + 1)"
    }

    private func required<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw unexpected("is null") }
        return value
    }

    private func unexpected(_ what: String) -> StoreError {
        .unreadable("column \(column) of a row \(what)", remedy: .backup)
    }
}

/// Owns the memory of a result of libpq.
private final class QueryResult {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { PQclear(pointer) }
}
