import DefinitionModel
import Foundation

/// The sort order of a search: the values of the keys, then the creation, then the guid. No two
/// records are equal in it.
struct SearchOrder: Hashable, Sendable {
    let keys: [Key]

    struct Key: Hashable, Sendable {
        let operand: Operand
        let descends: Bool
        var beginsWithNull = false
        var isByLetters = false
    }

    /// By group and owner, the order in which a store can walk.
    static let byOwnership = SearchOrder(
        keys: [.group, .owner].map {
            Key(operand: Operand(relation: nil, property: $0), descends: false)
        })

    /// Whether it is the order of changes, in which every record has a value.
    var isByChange: Bool { keys == Self.byChange.keys }

    /// By the stamp of the last change, in which a store can walk too.
    static let byChange = SearchOrder(keys: [Key(operand: .changedAt, descends: false)])

    func position(of sighting: JoinedRecord) -> Position {
        Position(
            keys: keys.map { sighting.value(of: $0.operand)?.sortable(by: $0) },
            created: sighting.created, guid: sighting.record.guid)
    }

    func isOrdered(_ first: Position, before second: Position) -> Bool {
        if let isBefore = isOrdered(first.keys, before: second.keys) { return isBefore }
        guard first.created == second.created else { return first.created < second.created }
        return ValueOrder(bytesOf: first.guid, second.guid) == .before
    }

    /// Whether a record with these keys comes after a position, whatever its guid.
    func isOrdered(_ position: Position, before keys: [FieldValue?], created: Int64) -> Bool {
        isOrdered(position.keys, before: keys) ?? (position.created < created)
    }

    /// Nil for keys that are the same. Records without a value come last, in descending order too,
    /// unless the key says otherwise.
    private func isOrdered(_ first: [FieldValue?], before second: [FieldValue?]) -> Bool? {
        // A key is not copied: most of the time of a sorted search is spent here.
        for index in keys.indices {
            switch (first[index], second[index]) {
            case (nil, nil): continue
            case (_?, nil): return !keys[index].beginsWithNull || keys[index].descends
            case (nil, _?): return keys[index].beginsWithNull && !keys[index].descends
            case (let one?, let other?):
                let order = one.order(to: other) ?? .same
                if order != .same { return (order == .after) == keys[index].descends }
            }
        }
        return nil
    }
}

/// The position of a record in a sort order.
struct Position: Hashable, Sendable {
    /// One value per key of the order.
    let keys: [FieldValue?]
    /// Sequence of the creation; 0 if it was not recorded, which several records may share.
    let created: Int64
    let guid: String
}

extension FieldValue {
    /// Maximum length of a text key in bytes, so that it fits in a cursor. Longer texts are
    /// compared by this prefix.
    static let sortedBytes = 256

    /// As it is compared, and kept in a cursor.
    func sortable(by key: SearchOrder.Key) -> FieldValue {
        guard case .text(let text) = self, key.isByLetters else { return shortened }
        return FieldValue.text(text.letters + "\0" + text).shortened
    }

    private var shortened: FieldValue {
        guard case .text(let text) = self, text.utf8.count > Self.sortedBytes else { return self }
        var bytes = 0
        let start = text.unicodeScalars.prefix { scalar in
            bytes += UTF8.width(scalar)
            return bytes <= Self.sortedBytes
        }
        return .text(String(start))
    }
}

extension String {
    /// The letters without accents and case.
    fileprivate var letters: String {
        folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
}
