import GRDB
import SyncEngine

// Numbers of rows, checked before anything is done with them.

extension Row {
    /// Throws if the column has no number of this kind.
    func number(_ column: String, as kind: StoredNumber) throws -> Int64 {
        let number = try decode(Int64.self, forColumn: column)
        guard kind.values.contains(number) else {
            throw StoreError.damagedRow(column: column, number: number)
        }
        return number
    }

    func instant(_ column: String) throws -> Instant {
        Instant(milliseconds: try number(column, as: .time))
    }

    /// Nil for null.
    func optionalInstant(_ column: String) throws -> Instant? {
        try decode(Int64?.self, forColumn: column) == nil ? nil : instant(column)
    }
}

extension StatementRow {
    /// Throws if the column has a number that is not of this kind.
    func number(_ column: Int32, as kind: StoredNumber) throws(StoreError) -> Int64 {
        let number = number(column)
        guard kind.values.contains(number) else {
            throw .damagedRow(column: name(of: column), number: number)
        }
        return number
    }

    func instant(_ column: Int32) throws(StoreError) -> Instant {
        Instant(milliseconds: try number(column, as: .time))
    }
}

extension StoreError {
    /// The description of GRDB's error has the whole row in it, such as one with a password's hash.
    init(_ error: RowDecodingError) {
        let column = error.description.firstMatch(of: /column: "([^"]*)"/)?.1
        self = .damagedRow(column: column.map(String.init) ?? "of another name")
    }
}
