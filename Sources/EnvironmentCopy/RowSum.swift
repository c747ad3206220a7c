import Crypto
import SyncEngine

/// How many rows there are, and a checksum of them that is the same in whatever order their keys
/// come.
struct RowSum: Equatable {
    private let table: EnvironmentTable
    private(set) var count = 0
    private var sum: UInt128 = 0
    /// Of the row before, and its place among those of that key.
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

/// Of what is written, other rows are other bytes.
private func digest(of row: EnvironmentRow) -> UInt128 {
    var hash = SHA256()
    for cell in row {
        switch cell {
        case .null: hash.update(data: [0])
        case .integer(let number):
            hash.update(data: [1] + bigEndian(UInt64(bitPattern: number)))
        case .bytes(let bytes): hash.update(bytes, tag: 2)
        case .list(let texts):
            hash.update(data: [3] + bigEndian(UInt64(texts.count)))
            for text in texts { hash.update(text, tag: 2) }
        }
    }
    return hash.finalize().prefix(16).reduce(0) { $0 << 8 | UInt128($1) }
}

extension SHA256 {
    fileprivate mutating func update(_ bytes: [UInt8], tag: UInt8) {
        update(data: [tag] + bigEndian(UInt64(bytes.count)))
        update(data: bytes)
    }
}

private func bigEndian(_ number: UInt64) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
}

/// How many rows are taken at a time: fewer where they are large.
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
