import AccessPolicy
package import ChangeRules
import DefinitionModel
package import SyncEngine

/// A query for records of a model.
package struct FindQuery: Hashable, Sendable {
    /// The filter; nil matches all records.
    package var filter: QueryFilter?
    /// The filter in the canonical form of the wire. It binds a cursor to the query.
    package var filterText: String
    package var sort: [SortKey]
    /// The fields in the answer; nil for all.
    package var fields: [String]?
    /// The maximum number of records in the answer; nil for `Limits.defaultPageRecords`.
    package var limit: Int?
    /// The cursor of the previous page; nil for the first page.
    package var cursor: String?
    /// Whether to count all matching records.
    package var counts: Bool
    /// Whether deleted records match too, by their last values as far as the asker may read them.
    /// Their answers have no values. The order without `sort` is that of the changes then.
    package var includesDeleted = false
    /// Whether `FoundView.id` is the opaque id of a record that has one.
    package var includesNames = false
    /// Whether records that are not deleted or in conflict come with `FoundView.stored` in place of
    /// values, unless `fields` names some. Nothing is parsed then, which takes most of the time of
    /// a large page.
    package var keepsText = false
    /// Whether the asker knows everything up to the time after which the filter asks for changes.
    /// Then records that went out of sight come as deleted ones, purged records too, and records
    /// that look different since the rights of the asker changed come again. The order is that of
    /// changes, and deleted records are included.
    package var isPull = false
    /// Whether the order is that of creation, in place of `sort`. Unless deleted records match or
    /// the query counts, the records are read in that order, so that a page may have fewer records
    /// than `limit` as without an order, although more follow.
    package var isByCreation = false
    /// The number of matching records to pass over. A page that ends before tells how many it has
    /// passed, see `FindPage.skipped`.
    package var skip = 0

    /// A field (`title`), a field of a related record (`folder.name`) or a property (`$owner`).
    package struct SortKey: Hashable, Sendable {
        package let operand: String
        package let descends: Bool
        /// Whether null is before all values, and so comes last in a descending order. Otherwise it
        /// comes last in both.
        package let beginsWithNull: Bool
        /// Whether texts are compared by their letters first, then by accents and case. Otherwise
        /// they are compared by bytes.
        package let isByLetters: Bool

        package init(
            _ operand: String, descends: Bool = false, beginsWithNull: Bool = false,
            isByLetters: Bool = false
        ) {
            self.operand = operand
            self.descends = descends
            self.beginsWithNull = beginsWithNull
            self.isByLetters = isByLetters
        }
    }

    package init(
        filter: QueryFilter? = nil, filterText: String = "", sort: [SortKey] = [],
        fields: [String]? = nil, limit: Int? = nil, cursor: String? = nil, counts: Bool = false
    ) {
        self.filter = filter
        self.filterText = filterText
        self.sort = sort
        self.fields = fields
        self.limit = limit
        self.cursor = cursor
        self.counts = counts
    }
}

/// A page of matching records.
package struct FindPage: Hashable, Sendable {
    package let found: [FoundView]
    /// Whether more records may follow.
    package let hasMore: Bool
    /// The cursor of the next page; nil on the last page.
    package let cursor: String?
    /// The total number of matches; nil unless the query counts.
    package let count: Int?
    /// The number of matching records that the page has passed over, at most `FindQuery.skip`.
    package var skipped = 0

    package var records: [RecordView] { found.map(\.record) }
}

/// A record that was found, with what wires with opaque ids and times show of it.
package struct FoundView: Hashable, Sendable {
    package let record: RecordView
    /// The opaque id, if it was asked for and the record has one; the guid otherwise.
    package let id: String
    /// The stamp of the creation.
    package let createdAt: Instant
    /// The stamp of the last change: unique, and in the order of commits (see `ChangePoint`).
    package let changedAt: Instant
    /// See `FindQuery.keepsText`.
    package var stored: StoredFields?

    package init(record: RecordView, id: String, createdAt: Instant, changedAt: Instant) {
        self.record = record
        self.id = id
        self.createdAt = createdAt
        self.changedAt = changedAt
    }

    /// Shows a record that the asker may no longer see as a deleted one.
    init(departed found: FoundRecord) {
        self.init(
            record: RecordView(
                model: found.record.model, guid: found.record.guid, revision: 1, owner: "",
                group: "", isDeleted: true, isConflicted: false, fields: nil),
            id: found.name ?? found.record.guid, createdAt: found.createdAt,
            changedAt: found.change.stamp)
    }
}

extension Engine {
    /// Returns a page of the records of a model that match the query and that the asker may see.
    ///
    /// The result and the errors depend only on data that the asker may see, so they reveal nothing
    /// about other records or values.
    package func find(
        _ request: FindQuery, of modelName: String, for caller: Caller
    ) async throws(SyncError) -> FindPage {
        let query = try checked(request, of: modelName)
        let rights = Rights(of: caller.asker, fingerprint: readRules.definition.fingerprint)
        let start = try start(of: query, at: request.cursor, under: rights)
        guard let choice = try await choice(for: query, from: start, asker: caller.asker) else {
            return FindPage(
                found: [], hasMore: false, cursor: nil, count: query.counts ? 0 : nil)
        }
        return FindPage(
            found: choice.records, hasMore: choice.next != nil,
            cursor: try choice.next.map { position throws(SyncError) in
                try token(of: FindCursor(after: position, of: query, under: rights))
            }, count: choice.count, skipped: choice.skipped)
    }

    /// Returns one record if the asker may see it. A deleted record is returned only if it has open
    /// conflicts. Throws `SyncError.recordUnknown` otherwise.
    package func record(
        _ guid: String, of modelName: String, fields: [String]? = nil, for caller: Caller
    ) async throws(SyncError) -> RecordView {
        let query = try CheckedQuery(
            fields: fields, of: try model(named: modelName), withGuid: guid, by: readRules)
        let choice = try await choice(for: query, from: nil, asker: caller.asker)
        guard let found = choice?.records.first else { throw .recordUnknown }
        return found.record
    }

    func checked(
        _ request: FindQuery, of modelName: String
    ) throws(SyncError) -> CheckedQuery {
        try CheckedQuery(request, of: try model(named: modelName), by: readRules, within: limits)
    }

    private func model(named name: String) throws(SyncError) -> ModelRules {
        guard let model = readRules.model(named: name) else {
            throw .find(.modelUnknown(name))
        }
        return model
    }
}

// MARK: - Cursors

extension Engine {
    private func start(
        of query: CheckedQuery, at token: String?, under rights: Rights
    ) throws(SyncError) -> Position? {
        guard let token else { return nil }
        guard let cursor = seal.value(of: token, as: FindCursor.self, maxBytes: limits.queryBytes)
        else { throw .cursorUnreadable }
        guard let position = cursor.position(in: query, under: rights) else {
            throw .find(.cursorOfOtherQuery)
        }
        return position
    }
}

// MARK: - Searching

extension Engine {
    /// Chooses how to run a query.
    ///
    /// If the condition allows lookups, it reads only the records that they find. Otherwise, or if
    /// there are too many of them, it reads the records in order if the order of the query allows
    /// that. A query with another order or a count reads all records that the asker may see, up to
    /// `Limits.filteredRecords`; beyond that it throws. So does one in the order of creation if the
    /// records have too many owners. Returns nil if nothing can match.
    private func choice(
        for query: CheckedQuery, from start: Position?, asker: Asker
    ) async throws(SyncError) -> Choice? {
        guard let scope = scope(of: query, for: asker) else { return nil }
        // A departed record need not meet the condition.
        let narrowed = query.isPull ? nil : narrowed(query)
        let pull = query.isPull ? pullRights(of: query, asker) : nil
        if narrowed != nil || !query.canWalk {
            let plan = SearchPlan(
                scope: scope, narrowing: narrowed?.lists, source: source(of: query, after: nil))
            let choice = try await found(
                by: SearchEvaluation(
                    query, plan, .sifting(max: limits.filteredRecords), from: start,
                    gate: ReadFilter(rules: readRules, asker: asker),
                    narrowing: narrowed?.condition, pull: pull, maxEffort: limits.searchedBytes,
                    // Lists of guids and values are short.
                    maxBytes: narrowed?.lists.targets.isEmpty == true
                        ? .max : limits.filteredBytes))
            if let choice { return choice }
            guard query.canWalk else { throw .find(.tooMuchToScan(max: limits.filteredRecords)) }
        }
        let source: SearchPlan.Source =
            query.walksCreations
            ? .creations(creationWalk(after: start)) : source(of: query, after: start)
        let walked = try await walked(query, in: scope, source, asker: asker, pull)
        guard walked == nil, query.walksCreations else { return walked }
        // There are too many owners.
        let sifted = try await found(
            by: SearchEvaluation(
                query, SearchPlan(scope: scope, narrowing: nil, source: .scope(after: nil)),
                .sifting(max: limits.filteredRecords), from: start,
                gate: ReadFilter(rules: readRules, asker: asker), narrowing: nil, pull: nil,
                maxEffort: limits.searchedBytes, maxBytes: limits.filteredBytes))
        guard let sifted else { throw .find(.tooMuchToScan(max: limits.filteredRecords)) }
        return sifted
    }

    private func creationWalk(after start: Position?) -> CreationWalk {
        CreationWalk(
            start: start.map { CreationPosition($0.created, $0.guid) },
            maxOwners: limits.mergedOwners)
    }

    private func walked(
        _ query: CheckedQuery, in scope: SearchScope, _ source: SearchPlan.Source, asker: Asker,
        _ pull: PullRights?
    ) async throws(SyncError) -> Choice? {
        try await found(
            by: SearchEvaluation(
                query, SearchPlan(scope: scope, narrowing: nil, source: source),
                .walking(max: limits.scannedRecords), from: nil,
                gate: ReadFilter(rules: readRules, asker: asker), narrowing: nil, pull: pull,
                maxEffort: limits.searchedBytes, maxBytes: limits.scannedBytes))
    }

    func pullRights(of query: CheckedQuery, _ asker: Asker) -> PullRights {
        PullRights(login: asker.login) { changes in
            previousReadPolicies(of: asker, before: changes, in: query.model.name)
        }
    }

    /// Deleted records hold no unique values, so these do not find them.
    private func narrowed(_ query: CheckedQuery) -> Narrowed? {
        let narrowed = query.condition.narrowed(in: query.model, naming: naming)
        return query.includesDeleted && narrowed?.lists.values.isEmpty == false ? nil : narrowed
    }

    private func source(of query: CheckedQuery, after start: Position?) -> SearchPlan.Source {
        guard query.readsChanges else { return .scope(after: start.flatMap(SearchStart.init)) }
        var first = query.condition.changedAfter ?? Instant(milliseconds: .min)
        if query.order.isByChange, case .date(let milliseconds)? = start?.keys.first {
            first = max(first, Instant(milliseconds: milliseconds))
        }
        return query.isPull ? .pull(after: first) : .changes(after: first)
    }

    /// Returns nil if there are too many candidates.
    private func found(by search: SearchEvaluation) async throws(SyncError) -> Choice? {
        let (memory, watch) = (RequestMemory.current, RequestWatch.current)
        let found = try await reading { () async throws(StoreError) in
            try await store.search(in: environment, readingNames: search.readsNames) {
                try search.result(in: $0, counting: SearchMemory(memory, watch))
            }
        }
        try checkIsCurrent(found.fingerprint)
        return found.choice
    }

    /// The records that can match: those of which the asker sees enough for the condition to hold.
    /// Returns nil if there are none.
    private func scope(of query: CheckedQuery, for asker: Asker) -> SearchScope? {
        let readPolicy = rules.policy.readPolicy(of: query.model.name, for: asker.role)
        let relationships = Relationship.all.filter { relationship in
            let view = readPolicy.view(at: relationship)
            return view != .nothing && query.condition.verdict(through: view) != false
        }
        guard !relationships.isEmpty || query.isPull else { return nil }
        return SearchScope(
            model: query.model.name, asker: asker, relationships: Set(relationships))
    }
}

extension SearchStart {
    /// Returns nil for a position in an order other than the one by ownership.
    fileprivate init?(_ position: Position) {
        guard position.keys.count == 2, case .text(let group) = position.keys[0],
            case .text(let owner) = position.keys[1]
        else { return nil }
        self.init(
            group: group,
            place: RecordRun.Start(
                owner: owner, created: position.created, guid: position.guid))
    }
}
