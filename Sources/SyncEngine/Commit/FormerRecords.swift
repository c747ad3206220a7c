import ChangeRules
import DefinitionModel

/// Records as they are before a call writes.
struct FormerRecords {
    /// Nil for a guid without a record.
    private var known: [ByteKey: StoredRecord?]

    init(_ guids: [String], _ records: [String: StoredRecord]) {
        known = Dictionary(
            guids.map { (ByteKey($0), records[$0]) }, uniquingKeysWith: { first, _ in first })
    }

    func knows(_ guid: String) -> Bool { known[ByteKey(guid)] != nil }

    /// Whether the guid is known to have no record.
    func lacks(_ guid: String) -> Bool {
        guard case .some(.none) = known[ByteKey(guid)] else { return false }
        return true
    }

    /// The former record if its owner or group changes.
    func otherOwner(of record: StoredRecord) -> StoredRecord? {
        guard case .some(.some(let former)) = known[ByteKey(record.guid)],
            !former.owner.hasSameBytes(as: record.owner)
                || !former.group.hasSameBytes(as: record.group)
        else { return nil }
        return former
    }

    /// Nil for a guid without a record.
    mutating func add(_ record: StoredRecord?, of guid: String) {
        known.updateValue(record, forKey: ByteKey(guid))
    }

    mutating func replace(_ record: StoredRecord) { add(record, of: record.guid) }
}
