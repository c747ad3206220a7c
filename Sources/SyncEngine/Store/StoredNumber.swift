/// The meaning of a number in a database, which limits the values that Waggle writes.
///
/// A damaged database may hold any value, and arithmetic on an extreme one would end the process.
/// A store checks each number that it reads, and refuses the row.
package enum StoredNumber: Hashable, Sendable {
    /// The revision of a record that exists: 1 or more.
    case revision
    /// A sequence, 0 before the first; also the number of a version or of a row, and a count.
    case sequence
    /// A number of bytes.
    case size
    /// Milliseconds since 1970.
    case time
    /// The number of an environment.
    case environment

    /// As many as the row numbers of SQLite have room for: see `RowKey` there.
    private static let lastSequence: Int64 = 1 << 40 - 1
    private static let lastEnvironment: Int64 = 1 << 23 - 1
    /// JSON numbers are exact up to here. It is the year 287396.
    private static let lastMillisecond: Int64 = 1 << 53

    package var values: ClosedRange<Int64> {
        switch self {
        case .revision: 1...Self.lastSequence
        case .sequence: 0...Self.lastSequence
        case .size: 0...1 << 60
        case .time: -Self.lastMillisecond...Self.lastMillisecond
        case .environment: 1...Self.lastEnvironment
        }
    }
}

extension StoreError {
    /// A row has a value in a column that Waggle never writes there. The value is named only if it
    /// is a number: others may be secrets.
    package static func damagedRow(column: String, number: Int64? = nil) -> StoreError {
        let value = number.map { "\($0)" } ?? "an unexpected value"
        return .unreadable("a row has \(value) in the column '\(column)'", remedy: .backup)
    }
}
