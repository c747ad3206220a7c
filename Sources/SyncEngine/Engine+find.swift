import AccessPolicy
package import ChangeRules
import DefinitionModel

/// A question for the records of a model.
package struct FindQuery: Hashable, Sendable {
    /// Nil for all records.
    package var filter: QueryFilter?
    /// The filter as the wire writes it, always the same for one filter: a cursor is for the query
    /// that it was made for.
    package var filterText: String
    package var sort: [SortKey]
    /// The fields wanted in the answer; nil for all.
    package var fields: [String]?
    /// Records in the answer at most; nil for `Limits.defaultPageRecords`.
    package var limit: Int?
    /// The cursor of the last answer; nil for the first page.
    package var cursor: String?
    /// Whether to count all records that match.
    package var counts: Bool

    /// A field (`title`), a field of a related record (`folder.name`) or a property (`$owner`).
    package struct SortKey: Hashable, Sendable {
        package let operand: String
        package let descends: Bool

        package init(_ operand: String, descends: Bool = false) {
            self.operand = operand
            self.descends = descends
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

/// A page of the records that match.
package struct FindPage: Hashable, Sendable {
    package let records: [RecordView]
    /// Whether there may be more.
    package let hasMore: Bool
    /// Where the next page begins; nil when there is none.
    package let cursor: String?
    /// The number of matches on all pages; nil unless the query counts.
    package let count: Int?
}

extension Engine {
    /// A page of the records of a model that the asker may see and that match.
    ///
    /// Everything that could tell something of other records or values, in what comes back as in
    /// what is refused, depends on nothing but what the asker may see.
    package func find(
        _ request: FindQuery, of modelName: String, for caller: Caller
    ) async throws(SyncError) -> FindPage {
        let query = try CheckedQuery(
            request, of: try model(named: modelName), by: rules, within: limits)
        let rights = Rights(of: caller.asker, fingerprint: rules.definition.fingerprint)
        let start = try start(of: query, at: request.cursor, under: rights)
        guard let choice = try await choice(for: query, from: start, asker: caller.asker) else {
            return FindPage(
                records: [], hasMore: false, cursor: nil, count: query.counts ? 0 : nil)
        }
        return FindPage(
            records: choice.records, hasMore: choice.next != nil,
            cursor: try choice.next.map { position throws(SyncError) in
                try token(of: FindCursor(after: position, of: query, under: rights))
            }, count: choice.count)
    }

    /// One record, if the asker may see it and it is not deleted, or that is disputed.
    package func record(
        _ guid: String, of modelName: String, fields: [String]? = nil, for caller: Caller
    ) async throws(SyncError) -> RecordView {
        let query = try CheckedQuery(
            fields: fields, of: try model(named: modelName), withGuid: guid, by: rules)
        let choice = try await choice(for: query, from: nil, asker: caller.asker)
        guard let record = choice?.records.first else { throw .recordUnknown }
        return record
    }

    private func model(named name: String) throws(SyncError) -> ModelRules {
        guard let model = rules.model(named: name) else { throw .find(.modelUnknown(name)) }
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

    private func token(of cursor: FindCursor) throws(SyncError) -> String {
        do {
            return try seal.token(of: cursor)
        } catch {
            throw .store(error)
        }
    }
}

// MARK: - Searching

extension Engine {
    /// Looks where the condition says; where that is nowhere in particular, walks, if the query's
    /// order allows it, and else sifts all that the asker may see. Nil when nothing can match.
    private func choice(
        for query: CheckedQuery, from start: Position?, asker: Asker
    ) async throws(SyncError) -> Choice? {
        guard let scope = scope(of: query, for: asker) else { return nil }
        let narrowed = query.condition.narrowed(in: query.model)
        if narrowed != nil || !query.canWalk {
            let plan = SearchPlan(
                environment: environment, scope: scope, narrowing: narrowed?.lists, start: nil)
            let choice = try await found(
                by: Search(
                    query, plan, .sifting(max: limits.siftedRecords), from: start,
                    gate: Gate(rules: rules, asker: asker), narrowing: narrowed?.condition))
            if let choice { return choice }
            guard query.canWalk else { throw .find(.tooMuchToScan(max: limits.siftedRecords)) }
        }
        let plan = SearchPlan(
            environment: environment, scope: scope, narrowing: nil,
            start: start.flatMap(SearchStart.init))
        return try await found(
            by: Search(
                query, plan, .walking(max: limits.scannedRecords), from: nil,
                gate: Gate(rules: rules, asker: asker), narrowing: nil))
    }

    /// Nil when there are too many candidates.
    private func found(by search: Search) async throws(SyncError) -> Choice? {
        let found = try await reading { () async throws(StoreError) in
            try await store.find(search)
        }
        try checkIsCurrent(found.fingerprint)
        return found.choice
    }

    /// Whose records can match: those that the asker sees so much of that the condition may hold.
    private func scope(of query: CheckedQuery, for asker: Asker) -> SearchScope? {
        let sight = rules.policy.sight(of: query.model.name, for: asker.role)
        let standings = Standing.all.filter { standing in
            let view = sight.view(at: standing)
            return view != .nothing && query.condition.verdict(through: view) != false
        }
        guard !standings.isEmpty else { return nil }
        return SearchScope(
            model: query.model.name, asker: asker, standings: Set(standings))
    }
}

extension SearchStart {
    /// Nil for a position in another order than the one by ownership.
    fileprivate init?(_ position: Position) {
        guard position.keys.count == 2, case .text(let group) = position.keys[0],
            case .text(let owner) = position.keys[1]
        else { return nil }
        self.init(group: group, owner: owner, created: position.created, guid: position.guid)
    }
}
