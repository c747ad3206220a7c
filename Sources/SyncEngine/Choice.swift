import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON

/// What came of a search.
package struct Searched: Sendable {
    /// Of the environment's current version at that moment.
    package let fingerprint: String
    /// With its records taken; nil when there was too much to look at.
    package let choice: Choice?

    package init(fingerprint: String, choice: Choice?) {
        self.fingerprint = fingerprint
        self.choice = choice
    }
}

/// The records that a search has chosen, and what an answer says of them.
package struct Choice: Sendable {
    private let gate: Gate
    private let fields: Set<String>?
    private let maxBytes: Int
    private let positions: [Position]
    /// Of all that match, if that was asked for.
    let count: Int?
    /// Where the next page begins; nil when there is none.
    private(set) var next: Position?
    private(set) var records: [RecordView] = []
    private var bytes = 0

    init(
        gate: Gate, fields: Set<String>?, maxBytes: Int, count: Int?, positions: [Position],
        next: Position?
    ) {
        self.gate = gate
        self.fields = fields
        self.maxBytes = maxBytes
        self.count = count
        self.positions = positions
        self.next = next
    }

    /// Guids of the records to be read, with their open conflicts, and to be taken in this order.
    package var guids: [String] { positions.map(\.guid) }

    /// Whether no more records are to be read.
    package var isFull: Bool { bytes >= maxBytes }

    /// What is counted is what the asker gets: what they do not, ends no page.
    package mutating func take(
        _ record: StoredRecord, conflicts: [StoredConflict]
    ) throws(StoreError) {
        guard let view = try gate.view(for: record, conflicts: conflicts) else { return }
        records.append(view.keeping(fields))
        bytes += records.last?.valueBytes ?? 0
        if isFull, records.count < positions.count { next = positions[records.count - 1] }
    }
}

extension RecordView {
    /// Of the record and of its conflicts only these fields; with nil all.
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
    /// About as many as it takes when written.
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
