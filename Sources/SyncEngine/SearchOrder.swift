import DefinitionModel

/// By what records are sorted: some values, then their creation, and in the end the guid, so that
/// no two are equal.
struct SearchOrder: Hashable, Sendable {
    let keys: [Key]

    struct Key: Hashable, Sendable {
        let operand: Operand
        let descends: Bool
    }

    /// Whose the records are: the order in which a store can walk.
    static let byOwnership = SearchOrder(
        keys: [.group, .owner].map {
            Key(operand: Operand(relation: nil, property: $0), descends: false)
        })

    func position(of sighting: Sighting) -> Position {
        Position(
            keys: keys.map { sighting.value(of: $0.operand)?.sortable },
            created: sighting.created, guid: sighting.record.guid)
    }

    /// What has no value comes last, also in a descending order.
    func isOrdered(_ first: Position, before second: Position) -> Bool {
        for (key, values) in zip(keys, zip(first.keys, second.keys)) {
            switch values {
            case (nil, nil): continue
            case (_?, nil): return true
            case (nil, _?): return false
            case (let one?, let other?):
                let order = one.order(to: other) ?? .same
                if order != .same { return (order == .after) == key.descends }
            }
        }
        guard first.created == second.created else { return first.created < second.created }
        return ValueOrder(bytesOf: first.guid, second.guid) == .before
    }
}

/// Where a record stands in an order.
struct Position: Hashable, Sendable {
    /// One for each of the order's keys.
    let keys: [FieldValue?]
    /// The sequence of its creation; 0 where nobody noted it, which may be of several records.
    let created: Int64
    let guid: String
}

extension FieldValue {
    /// Of a longer text only so many bytes count, so that a cursor can hold it.
    static let sortedBytes = 256

    fileprivate var sortable: FieldValue {
        guard case .text(let text) = self, text.utf8.count > Self.sortedBytes else { return self }
        var bytes = 0
        let start = text.unicodeScalars.prefix { scalar in
            bytes += UTF8.width(scalar)
            return bytes <= Self.sortedBytes
        }
        return .text(String(start))
    }
}
