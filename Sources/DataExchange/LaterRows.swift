import ChangeRules
import DefinitionModel
import SyncEngine

/// Rows that wait for the records of later ones.
struct LaterRows {
    private(set) var rows: [ImportedRow] = []
    private var bytes = 0
    private var guids: Set<String> = []

    private static let maxRows = 10_000

    /// Whether a row of the record waits.
    func hasRecord(_ guid: String) -> Bool { guids.contains(guid) }

    func hasRoom(for row: ImportedRow, _ limits: RowLimits) -> Bool {
        rows.count < Self.maxRows && bytes + row.bytes <= limits.laterBytes
    }

    mutating func append(_ row: ImportedRow, of guid: String) {
        rows.append(row)
        bytes += row.bytes
        guids.insert(guid)
    }
}

/// Returns the rows in an order in which the rows of a related record come before those that refer
/// to it, unless they refer to each other.
func relatedFirst(_ rows: [IdentifiedRow]) -> [ImportedRow] {
    var last: [String: Int] = [:]
    // The rows of a record keep their order.
    let former = rows.indices.map { place in last.updateValue(place, forKey: rows[place].guid) }
    return neededFirst(rows.count) { place in
        let related = rows[place].fields.values.compactMap { value -> Int? in
            if case .value(.reference(let guid)) = value { last[guid] } else { nil }
        }
        return related.sorted() + (former[place].map { [$0] } ?? [])
    }.map { rows[$0].row }
}

/// Returns the places in an order in which those that a place needs come before it, unless they
/// need each other. Otherwise they keep their order.
func neededFirst(_ count: Int, by needs: (Int) -> [Int]) -> [Int] {
    var ordered: [Int] = []
    var isFound = [Bool](repeating: false, count: count)
    for start in 0..<count where !isFound[start] {
        isFound[start] = true
        var path = [(place: start, rest: needs(start)[...])]
        while let (place, rest) = path.last {
            guard let next = rest.first else {
                ordered.append(place)
                path.removeLast()
                continue
            }
            path[path.count - 1].rest = rest.dropFirst()
            guard !isFound[next] else { continue }
            isFound[next] = true
            path.append((next, needs(next)[...]))
        }
    }
    return ordered
}
