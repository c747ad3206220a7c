import Hashing
import SyncEngine

/// A row count and a checksum that does not depend on the order of the keys.
struct RowSum: Equatable {
    private let table: EnvironmentTable
    private(set) var count = 0
    private var sum: UInt128 = 0
    /// The key of the previous row, and the row's position among rows with that key.
    private var last: (key: [Cell], place: Int64)?

    init(of table: EnvironmentTable) { self.table = table }

    mutating func add(_ rows: [EnvironmentRow]) {
        count += rows.count
        for row in rows { sum &+= digest(of: row + (table.hasSequels ? [place(of: row)] : [])) }
    }

    private mutating func place(of row: EnvironmentRow) -> Cell {
        let key = table.key(of: row)
        let place = last.map { $0.key == key ? $0.place + 1 : 0 } ?? 0
        last = (key, place)
        return .integer(place)
    }

    static func == (left: RowSum, right: RowSum) -> Bool {
        left.table == right.table && left.count == right.count && left.sum == right.sum
    }
}

/// Distinct rows have distinct encodings.
private func digest(of row: EnvironmentRow) -> UInt128 {
    var hash = SHA256()
    for cell in row {
        switch cell {
        case .null: hash.update([0])
        case .integer(let number):
            hash.update([1] + bigEndian(UInt64(bitPattern: number)))
        case .bytes(let bytes): hash.update(bytes, tag: 2)
        case .list(let texts):
            hash.update([3] + bigEndian(UInt64(texts.count)))
            for text in texts { hash.update(text, tag: 2) }
        }
    }
    return hash.finalize().prefix(16).reduce(0) { $0 << 8 | UInt128($1) }
}

extension SHA256 {
    fileprivate mutating func update(_ bytes: [UInt8], tag: UInt8) {
        update([tag] + bigEndian(UInt64(bytes.count)))
        update(bytes)
    }
}

private func bigEndian(_ number: UInt64) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
}

/// The number of rows in a page, which adapts to their size.
struct PageSize {
    private(set) var rows: Int
    private let most: Int

    init(most: Int) {
        rows = most
        self.most = most
    }

    mutating func adapt(to page: [EnvironmentRow]) {
        let bytes = page.reduce(0) { $0 + $1.reduce(0) { $0 + $1.size } }
        guard bytes > 0 else { return }
        rows = max(1, min(most, Self.wantedBytes * page.count / bytes))
    }

    private static let wantedBytes = 1 << 22
}

extension Cell {
    fileprivate var size: Int {
        switch self {
        case .null, .integer: 8
        case .bytes(let bytes): bytes.count
        case .list(let texts): texts.reduce(8) { $0 + $1.count }
        }
    }
}
