import AccessPolicy
import DefinitionModel
package import SyncProtocol

extension Engine {
    /// A page of the records of a model that the asker may see and that match.
    ///
    /// Everything that could tell something of other records or values, in what comes back as in
    /// what is refused, depends on nothing but what the asker may see.
    package func find(
        _ request: FindRequest, of modelName: String, for caller: Caller
    ) async throws(SyncError) -> FindResponse {
        let query = try Query(
            request, of: try model(named: modelName), by: rules, within: limits)
        let rights = Rights(of: caller.asker, fingerprint: rules.definition.fingerprint)
        let start = try start(of: query, at: request.cursor, under: rights)
        guard let choice = try await choice(for: query, from: start, asker: caller.asker) else {
            return FindResponse(
                records: [], more: false, cursor: nil, count: query.counts ? 0 : nil)
        }
        return FindResponse(
            records: choice.records, more: choice.next != nil,
            cursor: try choice.next.map { position throws(SyncError) in
                try token(of: FindCursor(after: position, of: query, under: rights))
            }, count: choice.count)
    }

    /// One record, if the asker may see it and it is not deleted, or that is disputed.
    package func record(
        _ guid: String, of modelName: String, _ request: RecordRequest, for caller: Caller
    ) async throws(SyncError) -> RecordMessage {
        let query = try Query(
            request, of: try model(named: modelName), withGuid: guid, by: rules)
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
        of query: Query, at token: String?, under rights: Rights
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
        for query: Query, from start: Position?, asker: Asker
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
    private func scope(of query: Query, for asker: Asker) -> SearchScope? {
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
