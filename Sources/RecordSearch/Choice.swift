import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import SyncEngine

/// The result of a search.
struct Searched: Sendable {
    /// The fingerprint of the definition that was current during the search.
    let fingerprint: String
    /// The selected records, already taken; nil if there were too many candidates.
    let choice: Choice?
}

/// The records that a search selected, as the answer shows them.
struct Choice: Sendable {
    private let gate: ReadFilter
    private let fields: Set<String>?
    private let maxBytes: Int
    private let keepsText: Bool
    private let positions: [Position]
    /// The total number of matches; nil unless the query counts.
    let count: Int?
    /// The position after which the next page begins; nil on the last page.
    private(set) var next: Position?
    private(set) var records: [FoundView] = []
    private var bytes = 0

    init(
        gate: ReadFilter, fields: Set<String>?, maxBytes: Int, keepsText: Bool, count: Int?,
        positions: [Position], next: Position?
    ) {
        self.keepsText = keepsText && fields == nil
        self.gate = gate
        self.fields = fields
        self.maxBytes = maxBytes
        self.count = count
        self.positions = positions
        self.next = next
    }

    /// The guids of the records to read, together with their open conflicts. Pass the records to
    /// `take` in this order.
    var guids: [String] { positions.map(\.guid) }

    /// Whether the page is full, so that no more records need to be read.
    var isFull: Bool { bytes >= maxBytes }

    /// Adds a record as the asker sees it. Skips a record that the asker may not see; it does not
    /// count towards the size of the page.
    mutating func take(
        _ record: FoundRecord, conflicts: [StoredConflict]
    ) throws(StoreError) {
        if keepsText, !record.record.isDeleted, !record.record.isConflicted {
            return try takeText(record)
        }
        guard let view = try gate.view(for: record.record, conflicts: conflicts) else { return }
        let kept = view.keeping(fields)
        records.append(
            FoundView(
                record: kept, id: record.name ?? kept.guid, createdAt: record.createdAt,
                changedAt: record.change.stamp))
        bytes += kept.valueBytes
        if isFull, records.count < positions.count { next = positions[records.count - 1] }
    }
}

extension Choice {
    private mutating func takeText(_ found: FoundRecord) throws(StoreError) {
        let record = found.record
        guard let text = try gate.fieldsText(of: record) else { return }
        var view = FoundView(
            record: RecordView(
                model: record.model, guid: record.guid, revision: record.revision,
                owner: record.owner, group: record.group, isDeleted: false, isConflicted: false,
                fields: nil),
            id: found.name ?? record.guid, createdAt: found.createdAt,
            changedAt: found.change.stamp)
        view.fieldsText = text
        records.append(view)
        bytes += text.utf8.count
        if isFull, records.count < positions.count { next = positions[records.count - 1] }
    }
}

extension RecordView {
    /// Restricts the record and its conflicts to the named fields; nil keeps all.
    fileprivate func keeping(_ names: Set<String>?) -> RecordView {
        guard let names else { return self }
        var view = self
        view.fields = fields?.filter { names.contains($0.key) }
        view.conflicts = conflicts?.map { conflict in
            conflict.mapFields { $0.filter { names.contains($0.key) } }
        }
        return view
    }

    fileprivate var valueBytes: Int {
        let sides = (conflicts ?? []).flatMap {
            [$0.base.fields, $0.mine.fields, $0.theirs.fields]
        }
        return ([fields ?? [:]] + sides).reduce(0) { sum, fields in
            fields.reduce(sum) { $0 + $1.key.utf8.count + $1.value.bytes }
        }
    }
}

extension JSONValue {
    /// The approximate size of the encoded value, in bytes.
    fileprivate var bytes: Int {
        switch self {
        case .null, .boolean, .unrepresentable: 5
        case .integer: 20
        case .decimal(let text), .string(let text): text.utf8.count + 2
        case .array(let elements): elements.reduce(2) { $0 + $1.bytes }
        case .object(let members): members.reduce(2) { $0 + $1.key.utf8.count + $1.value.bytes }
        }
    }
}
