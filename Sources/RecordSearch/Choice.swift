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
    /// The gate's view of the model of the records.
    private let readPolicy: ModelReadPolicy
    private let fields: Set<String>?
    private let maxBytes: Int
    private let keepsText: Bool
    /// Whether the stamps of the records are those of their positions.
    let isPull: Bool
    let positions: [Position]
    /// The records of the first positions, in their order, as far as they need not be read.
    let held: [FoundRecord]
    /// Records that went out of the asker's sight, by guid.
    let departed: [String: FoundRecord]
    /// The guids of the records, in the order in which they are to be passed to `take` together
    /// with their open conflicts.
    let guids: [String]
    /// The total number of matches; nil unless the query counts.
    let count: Int?
    /// The number of matches that the search has passed over.
    let skipped: Int
    /// The position after which the next page begins; nil on the last page.
    private(set) var next: Position?
    private(set) var records: [FoundView] = []
    private var bytes = 0
    /// An upper bound of the bytes of texts that are not measured yet, from a record on. To measure
    /// a text takes longer than to copy it, and few pages are full.
    private var unmeasuredBytes = 0
    private var firstUnmeasured = 0

    init(
        gate: ReadFilter, readPolicy: ModelReadPolicy, fields: Set<String>?, maxBytes: Int,
        keepsText: Bool, isPull: Bool, count: Int?, skipped: Int, positions: [Position],
        held: [FoundRecord], departed: [String: FoundRecord], next: Position?
    ) {
        self.skipped = skipped
        self.keepsText = keepsText && fields == nil
        self.isPull = isPull
        self.gate = gate
        self.readPolicy = readPolicy
        self.fields = fields
        self.maxBytes = maxBytes
        self.count = count
        self.positions = positions
        self.held = held
        self.departed = departed
        guids = positions.map(\.guid)
        self.next = next
    }

    /// An upper bound of the bytes of the records that were taken; after `measure`, those that the
    /// asker sees.
    var takenBytes: Int { bytes + unmeasuredBytes }

    mutating func measure() throws(StoreError) {
        for place in firstUnmeasured..<records.count {
            guard let stored = records[place].stored else { continue }
            let shownBytes = try stored.bytes()
            bytes += shownBytes
            // Hidden fields may be many times what the page has.
            if shownBytes < stored.storedBytes / 2 {
                records[place].stored = try stored.withoutHiddenFields()
            }
        }
        (unmeasuredBytes, firstUnmeasured) = (0, records.count)
    }

    /// Whether the page is full, so that no more records need to be read.
    var isFull: Bool { bytes >= maxBytes }

    /// Adds a record as the asker sees it. Skips a record that the asker may not see; it does not
    /// count towards the size of the page.
    mutating func take(
        _ record: FoundRecord, conflicts: [StoredConflict]
    ) throws(StoreError) {
        if departed[record.record.guid] != nil {
            records.append(FoundView(departed: record))
            return
        }
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
        try endPageIfFull()
    }
}

extension Choice {
    private mutating func takeText(_ found: FoundRecord) throws(StoreError) {
        guard let selection = readPolicy.fields(of: found.record.ownership) else { return }
        let stored = StoredFields(of: found.record, showing: selection)
        records.append(FoundView(found, showing: stored))
        unmeasuredBytes += stored.storedBytes
        try endPageIfFull()
    }

    private mutating func endPageIfFull() throws(StoreError) {
        guard takenBytes >= maxBytes else { return }
        try measure()
        if isFull, records.count < positions.count { next = positions[records.count - 1] }
    }
}

extension FoundView {
    fileprivate init(_ found: FoundRecord, showing stored: StoredFields) {
        let record = found.record
        self.init(
            record: RecordView(
                model: record.model, guid: record.guid, revision: record.revision,
                owner: record.owner, group: record.group, isDeleted: false, isConflicted: false,
                fields: nil),
            id: found.name ?? record.guid, createdAt: found.createdAt,
            changedAt: found.change.stamp)
        self.stored = stored
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
    var bytes: Int {
        switch self {
        case .null, .boolean, .unrepresentable: 5
        case .integer: 20
        case .decimal(let text), .string(let text): text.utf8.count + 2
        case .array(let elements): elements.reduce(2) { $0 + $1.bytes }
        case .object(let members): members.reduce(2) { $0 + $1.key.utf8.count + $1.value.bytes }
        }
    }
}
