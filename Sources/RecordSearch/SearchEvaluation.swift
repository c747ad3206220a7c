import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import SyncEngine

/// The evaluation of an environment's records in one snapshot. It does no I/O: `SearchRun` reads
/// the records.
///
/// `SearchRun` makes a `candidate` of each record in the `plan`, reads the related records that the
/// candidate wants, and passes both to `consider`, until `isDone` is true. Then the records of the
/// `choice` are read. The result depends only on data that the asker may see, even if more records
/// are passed.
struct SearchEvaluation: Sendable {
    let plan: SearchPlan
    private let gate: ReadFilter
    /// The gate's view of the model that is searched.
    private let readPolicy: ModelReadPolicy
    private let query: CheckedQuery
    private let manner: Manner
    private let start: Position?
    /// The part of the condition from which the plan's narrowing is derived.
    private let narrowing: FilterCondition?
    private let steps: Set<Operand.Step>
    /// The fields of related records that the condition or the order uses.
    private let relatedFields: Set<String>
    /// Whether the condition or the order uses values of fields.
    private let readsFields: Bool
    /// Nil unless nothing but an order by fields chooses among records that the asker sees whole,
    /// and that are not deleted.
    private let fieldKeys: FieldKeys?
    /// The most that a record counts of which no field is asked for, in bytes.
    private static let mostUnread = 4 << 10
    /// Nil unless the search is a pull.
    let pull: PullRights?

    private var related = RelatedRecords()
    private var considered: Set<String> = []
    private var lookedAt = 0
    private var matches = 0
    private var page: SortedPage
    /// The records of the first positions of a walk, as far as they are as large as a page: they
    /// need not be read again.
    private var held: [FoundRecord] = []
    private var heldBytes = 0
    /// The bytes of the held records that the asker sees.
    private(set) var shownHeldBytes = 0
    /// Records that went out of the asker's sight, by guid.
    private var departed: [String: FoundRecord] = [:]
    private var lastSeen: Position?
    private(set) var isDone = false
    private var isGivenUp = false
    /// The matches that a walk has passed over.
    private var passed = 0
    /// The bytes of the texts that were searched, parsed or computed with. They are of visible
    /// values, so that where a search ends tells nothing else.
    private var effort = 0
    private let maxEffort: Int
    /// The bytes of the visible fields of the records that were looked at.
    private var scannedBytes = 0
    private let maxBytes: Int

    var readsNames: Bool { query.readsNames }

    /// Maximum number of records to consider.
    var maxRecords: Int {
        switch manner {
        case .walking(let max), .sifting(let max): max
        }
    }

    /// More records than a page has.
    var maxPage: Int { query.skip + query.limit + 1 }

    enum Manner: Hashable, Sendable {
        /// Considers records in the order of the plan, until the page is full or `max` were
        /// considered.
        case walking(max: Int)
        /// Considers all candidates and keeps the first in the query's order. There is no result if
        /// there are more than `max`.
        case sifting(max: Int)
    }

    /// - Parameters:
    ///   - maxEffort: See `Limits.searchedBytes`.
    ///   - maxBytes: See `Limits.scannedBytes` and `Limits.filteredBytes`.
    init(
        _ query: CheckedQuery, _ plan: SearchPlan, _ manner: Manner, from start: Position?,
        gate: ReadFilter, narrowing: FilterCondition?, pull: PullRights?, maxEffort: Int,
        maxBytes: Int
    ) {
        self.pull = pull
        self.maxEffort = maxEffort
        self.maxBytes = maxBytes
        self.plan = plan
        self.query = query
        self.manner = manner
        self.start = start
        self.gate = gate
        readPolicy = gate.readPolicy(of: query.model.name)
        self.narrowing = narrowing
        let operands = query.condition.operands + query.order.operands
        steps = Set(operands.compactMap(\.relation))
        relatedFields = Set(
            operands.filter { $0.relation != nil }.compactMap(\.property.fieldName))
        readsFields = !steps.isEmpty || operands.contains { $0.property.isField }
        fieldKeys =
            plan.readsWholeScope && readPolicy.seesEverything
                && query.condition.parts.allSatisfy { $0 == .isPresent }
            ? FieldKeys(of: query.order) : nil
        let skipped =
            switch manner {
            case .walking: 0
            case .sifting(let max): min(query.skip, max)
            }
        page = SortedPage(order: query.order, limit: skipped + query.limit)
    }
}

/// A record in the scope of a search, visible to the asker.
struct Candidate: Sendable {
    fileprivate let record: VisibleRecord
    fileprivate let created: Int64
    /// Guids of the related records, by the step that leads to them.
    fileprivate let named: [Operand.Step: String]
    /// The related records that were already looked up.
    fileprivate let known: [String: RelatedRecords.Entry]
    /// Guids of the remaining related records, which must be read.
    let wanted: [String]

    /// The same with what is known of the records that it wants.
    fileprivate func adding(_ related: RelatedRecords) -> Candidate {
        var known = known
        for guid in wanted { known[guid] = related[guid] }
        return Candidate(
            record: record, created: created, named: named, known: known,
            wanted: wanted.filter { known[$0] == nil })
    }
}

extension SearchEvaluation {
    /// Whether the condition or the order uses values of related records.
    var readsRelatedRecords: Bool { !steps.isEmpty }

    /// Returns nil for a record that the search ignores.
    func candidate(_ found: FoundRecord) throws(StoreError) -> Candidate? {
        let record = found.record
        guard record.model.hasSameBytes(as: query.model.name),
            plan.scope.contains(record.ownership),
            let seen = try readPolicy.seen(
                found, includingDeleted: query.includesDeleted, readsFields: readsFields)
        else { return nil }
        guard !steps.isEmpty else {
            return Candidate(
                record: seen, created: found.created, named: [:], known: [:], wanted: [])
        }
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

    /// Ends the search because too many records were read, most of which the asker may not see. A
    /// walk continues with what has a later stamp; sifting has no result.
    mutating func stop(at stamp: Instant) {
        isDone = true
        switch manner {
        case .walking:
            lastSeen = Position(
                keys: [.date(milliseconds: stamp.milliseconds)], created: 0, guid: "")
        case .sifting(let max): lookedAt = max + 1
        }
    }

    /// Ends the search without a result.
    mutating func giveUp() {
        isDone = true
        isGivenUp = true
    }

    /// Evaluates a candidate. `found` contains the existing records of `candidate.wanted`, by guid.
    mutating func consider(
        _ candidate: Candidate, with found: [ByteKey: StoredRecord]
    ) throws(StoreError) {
        var known = candidate.known
        for guid in candidate.wanted { known[guid] = try relatedRecord(guid, in: found) }
        var sighting = JoinedRecord(
            record: candidate.record, created: candidate.created, related: [:])
        for (step, guid) in candidate.named {
            guard let record = known[guid]?.record, record.model.hasSameBytes(as: step.model)
            else { continue }
            sighting.related[step.field] = record
        }
        guard narrowing?.holds(for: sighting, counting: &effort) ?? true,
            isFirst(candidate.record.guid)
        else { return }
        lookedAt += 1
        // Fields that nobody asks for take no time.
        scannedBytes += readsFields ? sighting.bytes : min(sighting.bytes, Self.mostUnread)
        look(at: sighting)
    }

    private mutating func relatedRecord(
        _ guid: String, in found: [ByteKey: StoredRecord]
    ) throws(StoreError) -> RelatedRecords.Entry {
        if let entry = related[guid] { return entry }
        let record = try found[ByteKey(guid)].flatMap { record throws(StoreError) in
            try gate.seen(record, keeping: relatedFields)
        }
        let entry = RelatedRecords.Entry(record: record)
        related.note(guid, entry)
        return entry
    }

    func knows(_ guid: String) -> Bool { related[guid] != nil }

    /// The first candidates, up to one that wants records which are neither known nor `looked` up,
    /// each with what is known by now.
    func complete(
        _ candidates: ArraySlice<Candidate>, having looked: Set<ByteKey>
    ) -> [Candidate] {
        var completed: [Candidate] = []
        for candidate in candidates {
            let candidate = candidate.adding(related)
            guard candidate.wanted.allSatisfy({ looked.contains(ByteKey($0)) }) else { break }
            completed.append(candidate)
        }
        return completed
    }

    /// Returns false if the record was considered before.
    private mutating func isFirst(_ guid: String) -> Bool {
        guard plan.narrowing?.mayRepeat == true else { return true }
        return considered.insert(guid).inserted
    }

    private mutating func look(at sighting: JoinedRecord) {
        add(
            query.order.position(of: sighting), sighting.record.found,
            showing: sighting.record.bytes,
            isMatch: query.condition.holds(for: sighting, counting: &effort))
    }

    /// Whether `SearchRun` may pass texts to `sift` in place of candidates.
    var siftsTexts: Bool {
        switch manner {
        case .walking: false
        case .sifting: fieldKeys != nil
        }
    }

    /// Considers a record by its text.
    mutating func sift(_ text: RecordText) throws(StoreError) {
        guard let keys = try fieldKeys?.values(in: text.fields) else { return }
        lookedAt += 1
        scannedBytes += text.fields.count
        // The only condition there may be.
        let isMatch = !text.isDeleted || query.condition.parts.isEmpty
        guard isMatch, isWithinLimits, page.isFull(before: keys, created: text.created) else {
            let guid = String(decoding: text.guid, as: UTF8.self)
            return add(
                Position(keys: keys, created: text.created, guid: guid), nil, showing: 0,
                isMatch: isMatch)
        }
        matches += 1
    }

    private var isWithinLimits: Bool { lookedAt <= maxRecords && !isExhausted }

    /// Whether so much was read or searched that no more may follow.
    private var isExhausted: Bool { effort >= maxEffort || scannedBytes >= maxBytes }

    private mutating func add(
        _ position: Position, _ found: FoundRecord?, showing bytes: Int, isMatch: Bool
    ) {
        switch manner {
        case .walking(let max):
            if isMatch, passed < query.skip {
                passed += 1
            } else if isMatch {
                page.append(position)
                hold(found, showing: bytes)
            }
            lastSeen = position
            isDone = page.isOverfull || lookedAt >= max || isExhausted
        case .sifting:
            guard isMatch, isWithinLimits else {
                isDone = !isWithinLimits
                return
            }
            matches += 1
            if start.map({ query.order.isOrdered($0, before: position) }) ?? true {
                page.sift(position)
            }
        }
    }
}

extension SearchEvaluation {
    /// The asker's view of a record.
    func view(of found: FoundRecord) -> FieldVisibility { view(of: found.record.ownership) }

    func view(of ownership: Ownership) -> FieldVisibility { readPolicy.view(of: ownership) }

    /// Considers a record that the asker no longer sees: it comes as a deleted one, whatever the
    /// condition.
    mutating func depart(_ found: FoundRecord) {
        let found = found.withoutFields
        lookedAt += 1
        departed[found.record.guid] = found
        add(
            Position(
                keys: [.date(milliseconds: found.change.stamp.milliseconds)],
                created: found.created, guid: found.record.guid), found, showing: 0,
            isMatch: true)
    }

    /// Without a gap, from the first position on.
    private mutating func hold(_ found: FoundRecord?, showing bytes: Int) {
        guard let found, heldBytes < query.pageBytes else { return }
        held.append(found)
        heldBytes += found.fieldBytes
        shownHeldBytes += bytes
    }
}

// MARK: - Result

extension SearchEvaluation {
    /// The result, once all candidates were considered or `isDone` is true; nil if there were more
    /// candidates than the limit of a sorted or counted search, or more owners than a walk by
    /// creation takes.
    var choice: Choice? {
        guard !isGivenUp else { return nil }
        var (positions, skipped) = (page.first, passed)
        if case .sifting = manner {
            guard isWithinLimits else { return nil }
            skipped = min(query.skip, positions.count)
            positions.removeFirst(skipped)
        }
        return Choice(
            gate: gate, readPolicy: readPolicy, fields: query.fields, maxBytes: query.pageBytes,
            keepsText: query.keepsText, isPull: query.isPull,
            count: query.counts ? matches : nil, skipped: skipped, positions: positions,
            held: held, departed: departed,
            next: page.isOverfull ? positions.last : isDone ? lastSeen : nil)
    }
}

extension SearchOrder {
    fileprivate var operands: [Operand] { keys.map(\.operand) }
}
