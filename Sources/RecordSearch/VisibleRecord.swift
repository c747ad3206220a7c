import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import SyncEngine

/// A record as its asker sees it. Filters, sort orders and counts access records only through this
/// type, so that an unreadable value is the same as a missing one.
struct VisibleRecord: Sendable {
    let guid: String
    let model: String
    let owner: String
    let group: String
    let isConflicted: Bool
    let isDeleted: Bool
    /// Nil for a related record.
    let found: FoundRecord?
    /// About the size of the visible fields. Hidden ones do not change it.
    let bytes: Int
    private let view: FieldVisibility
    /// All fields, those that the view hides included; none if the search uses no fields. Those of
    /// a related record that the search uses.
    private var stored: [String: JSONValue]

    fileprivate init(
        _ record: StoredRecord, _ found: FoundRecord?, through view: FieldVisibility,
        selection: FieldSelection?, readsFields: Bool
    ) throws(StoreError) {
        self.found = found
        isDeleted = record.isDeleted
        guid = record.guid
        model = record.model
        owner = record.owner
        group = record.group
        isConflicted = record.isConflicted
        self.view = view
        stored = readsFields ? try JSONText.fields(record.fieldsText) : [:]
        switch view {
        case .nothing: bytes = 0
        case .everything: bytes = record.fieldsText.utf8.count
        case .fields(let names):
            bytes =
                readsFields
                ? stored.shownBytes(names)
                : try selection.map { selection throws(StoreError) in
                    try StoredFields(of: record, showing: selection).bytes()
                } ?? 0
        }
    }

    /// The size of the values that are held.
    var keptBytes: Int { stored.shownBytes(Set(stored.keys)) }

    fileprivate func keeping(_ fields: Set<String>) -> VisibleRecord {
        var kept = self
        kept.stored = stored.filter { fields.contains($0.key) }
        return kept
    }

    func value(of property: Operand.Property) -> FieldValue? {
        switch property {
        case .guid: .reference(guid: guid)
        case .owner: .text(owner)
        case .group: .text(group)
        case .conflicted: .boolean(isConflicted)
        case .deleted: .boolean(isDeleted)
        case .createdAt: found.map { .date(milliseconds: $0.createdAt.milliseconds) }
        case .changedAt: found.map { .date(milliseconds: $0.change.stamp.milliseconds) }
        case .id: found.map { .text($0.name ?? guid) }
        case .field(let name, let type):
            view.shows(field: name) ? stored[name].flatMap { FieldValue($0, of: type) } : nil
        case .distance(let name, let start):
            if case .text(let text)? = value(of: .field(name, .text)) {
                GeoPosition(text).map { .decimal(start.meters(to: $0)) }
            } else {
                nil
            }
        }
    }
}

extension [String: JSONValue] {
    fileprivate func shownBytes(_ names: Set<String>) -> Int {
        reduce(0) { names.contains($1.key) ? $0 + $1.key.utf8.count + $1.value.bytes : $0 }
    }
}

extension ReadFilter {
    /// Returns nil if the asker may not see the related record, or if it is deleted without an open
    /// conflict. It has the values of some fields only: that of another one may be large.
    func seen(
        _ record: StoredRecord, keeping fields: Set<String>
    ) throws(StoreError) -> VisibleRecord? {
        guard !record.isDeleted || record.isConflicted,
            rules.model(named: record.model) != nil
        else { return nil }
        let view = view(of: record.model, record.ownership)
        return view == .nothing
            ? nil
            : try VisibleRecord(record, nil, through: view, selection: nil, readsFields: true)
                .keeping(fields)
    }
}

extension ModelReadPolicy {
    /// Returns nil if the asker may not see the record. A deleted record has its last values.
    /// `readsFields` is whether the values of fields are asked for.
    func seen(
        _ found: FoundRecord, includingDeleted: Bool, readsFields: Bool
    ) throws(StoreError) -> VisibleRecord? {
        let record = found.record
        guard includingDeleted || !record.isDeleted || record.isConflicted else { return nil }
        let view = view(of: record.ownership)
        return view == .nothing
            ? nil
            : try VisibleRecord(
                record, found, through: view, selection: fields(of: record.ownership),
                readsFields: readsFields)
    }
}

/// A record and its related records, as an asker sees them.
struct JoinedRecord: Sendable {
    let record: VisibleRecord
    /// Sequence of the creation; used for sorting only.
    let created: Int64
    /// Visible related records, by the field that names them.
    var related: [String: VisibleRecord]

    /// The bytes that a search counts for looking at the record. Large related records count each
    /// time: whether they are still known may depend on what the asker does not see.
    var bytes: Int {
        related.values.reduce(record.bytes) {
            $1.bytes > Self.smallRelatedBytes ? $0 + $1.bytes : $0
        }
    }

    private static let smallRelatedBytes = 4 << 10

    /// Returns nil if there is no value or the asker may not read it.
    func value(of operand: Operand) -> FieldValue? {
        guard let relation = operand.relation else { return record.value(of: operand.property) }
        return related[relation.field]?.value(of: operand.property)
    }
}
