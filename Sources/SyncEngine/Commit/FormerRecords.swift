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

    /// Nil for a guid without a record.
    mutating func add(_ record: StoredRecord?, of guid: String) {
        known.updateValue(record, forKey: ByteKey(guid))
    }

    /// Replaces the former state of a record. Returns nil if it is not known.
    mutating func replace(_ record: StoredRecord) -> FormerState? {
        switch known.updateValue(record, forKey: ByteKey(record.guid)) {
        case nil: nil
        case .some(nil): .missing
        case .some(let former?): .stored(former)
        }
    }
}

/// The state of a record before a write.
enum FormerState {
    /// Nothing has the guid.
    case missing
    case stored(StoredRecord)

    var isMissing: Bool {
        if case .missing = self { true } else { false }
    }

    /// The former record if its owner or group changes.
    func otherOwner(than record: StoredRecord) -> StoredRecord? {
        guard case .stored(let former) = self,
            !former.owner.hasSameBytes(as: record.owner)
                || !former.group.hasSameBytes(as: record.group)
        else { return nil }
        return former
    }
}
