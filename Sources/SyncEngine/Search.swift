import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON

/// One look through an environment's records, of one snapshot. It says what it needs, is handed it
/// by a store, and finds what its asker is after; it asks for nothing itself.
///
/// A store makes a `candidate` of each record that the `plan` names, reads what it wants beside it,
/// lets the search `consider` it, and stops when `isDone`. Then it hands over the records of its
/// `choice`. Whatever a store gives it, only what the asker may see has a part in what comes out.
package struct Search: Sendable {
    package let plan: SearchPlan
    private let gate: Gate
    private let query: CheckedQuery
    private let manner: Manner
    private let start: Position?
    /// The part of the condition that the plan is narrowed by.
    private let narrowing: Condition?
    private let steps: Set<Operand.Step>

    private var related = RelatedRecords()
    private var considered: Set<String> = []
    private var lookedAt = 0
    private var matches = 0
    private var page: SortedPage
    private var lastSeen: Position?
    package private(set) var isDone = false

    enum Manner: Hashable, Sendable {
        /// In the order of the plan, until the page is full or so many were looked at.
        case walking(max: Int)
        /// All candidates, of which the first by the query's order are kept. Of more than so many
        /// nothing can be said.
        case sifting(max: Int)
    }

    init(
        _ query: CheckedQuery, _ plan: SearchPlan, _ manner: Manner, from start: Position?,
        gate: Gate,
        narrowing: Condition?
    ) {
        self.plan = plan
        self.query = query
        self.manner = manner
        self.start = start
        self.gate = gate
        self.narrowing = narrowing
        steps = Set((query.condition.operands + query.order.operands).compactMap(\.relation))
        page = SortedPage(order: query.order, limit: query.limit)
    }
}

/// What a store has found for a search: a record, and when it was created.
package struct FoundRecord: Sendable {
    package let record: StoredRecord
    /// A sequence; 0 where nobody noted it. No change alters it.
    package let created: Int64

    package init(record: StoredRecord, created: Int64) {
        self.record = record
        self.created = created
    }
}

/// A record that may be what somebody searches for.
package struct Candidate: Sendable {
    fileprivate let record: SeenRecord
    fileprivate let created: Int64
    /// By the step that leads to them, the guids of the records that it belongs to.
    fileprivate let named: [Operand.Step: String]
    /// Those of them that were looked for already.
    fileprivate let known: [String: RelatedRecords.Entry]
    /// Guids of the others: they are to be read for it.
    package let wanted: [String]
}

extension Search {
    /// Nil for a record that has no part in this.
    package func candidate(_ found: FoundRecord) throws(StoreError) -> Candidate? {
        let record = found.record
        guard record.model.hasSameBytes(as: query.model.name),
            plan.scope.contains(record.ownership), let seen = try gate.seen(record)
        else { return nil }
        var named: [Operand.Step: String] = [:]
        var known: [String: RelatedRecords.Entry] = [:]
        for step in steps {
            let value = seen.value(of: .field(step.field, .belongsTo))
            guard case .reference(let guid) = value else { continue }
            named[step] = guid
            known[guid] = related[guid]
        }
        return Candidate(
            record: seen, created: found.created, named: named, known: known,
            wanted: Set(named.values).filter { known[$0] == nil }.sorted())
    }

    /// `found` are those of the wanted records that there are, by guid.
    package mutating func consider(
        _ candidate: Candidate, with found: [String: StoredRecord]
    ) throws(StoreError) {
        var known = candidate.known
        for guid in candidate.wanted {
            let record = found[guid]
            let entry = RelatedRecords.Entry(record: try record.flatMap(gate.seen))
            related.note(guid, record, entry)
            known[guid] = entry
        }
        var sighting = Sighting(
            record: candidate.record, created: candidate.created, related: [:])
        for (step, guid) in candidate.named {
            guard let record = known[guid]?.record, record.model.hasSameBytes(as: step.model)
            else { continue }
            sighting.related[step.field] = record
        }
        guard narrowing?.holds(for: sighting) ?? true, isFirst(candidate.record.guid) else {
            return
        }
        lookedAt += 1
        look(at: sighting)
    }

    /// Whether the record was not considered before.
    private mutating func isFirst(_ guid: String) -> Bool {
        guard plan.narrowing?.mayRepeat == true else { return true }
        return considered.insert(guid).inserted
    }

    private mutating func look(at sighting: Sighting) {
        let isMatch = query.condition.holds(for: sighting)
        let position = query.order.position(of: sighting)
        switch manner {
        case .walking(let max):
            if isMatch { page.append(position) }
            lastSeen = position
            isDone = page.isOverfull || lookedAt >= max
        case .sifting(let max):
            guard isMatch, lookedAt <= max else {
                isDone = lookedAt > max
                return
            }
            matches += 1
            if start.map({ query.order.isOrdered($0, before: position) }) ?? true {
                page.sift(position)
            }
        }
    }
}

// MARK: - What came of it

extension Search {
    /// What was found, when all candidates were considered or it is done; nil when there were more
    /// of them than can be looked at.
    package var choice: Choice? {
        if case .sifting(let max) = manner, lookedAt > max { return nil }
        let positions = page.first
        return Choice(
            gate: gate, fields: query.fields, maxBytes: query.pageBytes,
            count: query.counts ? matches : nil, positions: positions,
            next: page.isOverfull ? positions.last : isDone ? lastSeen : nil)
    }
}

extension SearchOrder {
    fileprivate var operands: [Operand] { keys.map(\.operand) }
}
