import AccessPolicy
import DefinitionModel
package import SyncProtocol

/// Where a list of conflicts ended.
private struct ConflictsCursor: Codable {
    let last: RecordKey
}

/// Records with open conflicts that an asker may see.
private struct FoundConflicts {
    var records: [RecordMessage] = []
    var cursor: String?
}

extension Engine {
    /// The records with open conflicts that the asker may see, in the order of model and guid.
    package func conflicts(
        ofModel model: String?, cursor: String?, limit: Int?, for caller: Caller
    ) async throws(SyncError) -> ConflictsResponse {
        let found = try await openConflicts(
            ofModel: model, guids: nil, after: cursor, limit: try pageLimit(limit), for: caller)
        return ConflictsResponse(records: found.records, cursor: found.cursor)
    }

    /// Resolves open conflicts by a rule. Each resolution is a change like any other, and has an
    /// outcome: whoever has not the right gets a refusal.
    package func resolve(
        _ request: ResolutionRequest, from caller: Caller, at now: Instant
    ) async throws(SyncError) -> ResolutionResponse {
        guard request.guids == nil || request.model != nil else { throw .modelMissing }
        guard request.guids?.count ?? 0 <= limits.resolutions else {
            throw .tooManyResolutions(count: request.guids?.count ?? 0, max: limits.resolutions)
        }
        let found = try await openConflicts(
            ofModel: request.model, guids: request.guids, after: request.cursor,
            limit: limits.resolutions, for: caller)
        let changes =
            found.records.flatMap { resolutions(of: $0, by: request, for: caller.asker) }
            + resolutionsOfOthers(than: found.records, in: request)
        let pushed = try await push(
            SyncRequest(changes: changes), seen: caller.sequence, from: caller, at: now)
        return ResolutionResponse(outcomes: pushed.outcomes, cursor: found.cursor)
    }

    /// Reads on until the list is full or enough was looked at, since the asker may see few.
    private func openConflicts(
        ofModel model: String?, guids: [String]?, after token: String?, limit: Int,
        for caller: Caller
    ) async throws(SyncError) -> FoundConflicts {
        let gate = Gate(rules: rules, asker: caller.asker)
        var after = try conflictsCursor(token)?.last
        var found = FoundConflicts()
        var (scanned, bytes, hasMore) = (0, 0, true)
        while hasMore, found.records.count < limit, scanned < limits.scannedRecords,
            bytes < limits.pageBytes
        {
            let request = ConflictedRequest(
                environment: environment, model: model, guids: guids, after: after,
                limit: limit - found.records.count, maxBytes: limits.pageBytes - bytes)
            let page = try await reading { () async throws(StoreError) in
                try await store.conflicted(request)
            }
            try checkIsCurrent(page.fingerprint)
            found.records += try messages(of: page, through: gate)
            scanned += page.records.count
            bytes += page.bytes
            hasMore = page.hasMore
            after = page.records.last.map { RecordKey(model: $0.model, guid: $0.guid) } ?? after
        }
        if hasMore, let after { found.cursor = try self.token(of: ConflictsCursor(last: after)) }
        return found
    }

    private func conflictsCursor(_ token: String?) throws(SyncError) -> ConflictsCursor? {
        guard let token else { return nil }
        guard let cursor = seal.value(of: token, as: ConflictsCursor.self) else {
            throw .cursorUnreadable
        }
        return cursor
    }

    private func messages(
        of page: ConflictedPage, through gate: Gate
    ) throws(SyncError) -> [RecordMessage] {
        do {
            return try page.records.compactMap { record in
                try gate.message(for: record, conflicts: page.conflicts[record.guid] ?? [])
            }
        } catch let error as StoreError {
            throw .store(error)
        } catch {
            throw .store(.failed("\(error)"))
        }
    }
}

/// For those that are not in dispute, or not any more: a repeat gets the outcome that it had.
private func resolutionsOfOthers(
    than records: [RecordMessage], in request: ResolutionRequest
) -> [ChangeMessage] {
    guard let guids = request.guids, let model = request.model else { return [] }
    return Set(guids).subtracting(records.map(\.guid)).sorted().map { guid in
        ChangeMessage(
            id: "\(request.id)/\(guid)", action: .resolve, model: model, guid: guid, base: 1)
    }
}

extension Engine {
    /// The changes that resolve all conflicts of a record: to take it away is a change of its own.
    /// Who may not do both gets the refusal of the one, and the other is not done.
    fileprivate func resolutions(
        of record: RecordMessage, by request: ResolutionRequest, for asker: Asker
    ) -> [ChangeMessage] {
        let sides = (record.conflicts ?? []).map(\.mine)
        let deletes = request.choose == .mine && sides.last?.deleted == true
        var fields: [String: JSONValue] = [:]
        for side in sides where !side.deleted {
            fields.merge(side.fields) { _, later in later }
        }
        let chosen = fields.filter { (request.fields[$0.key] ?? request.choose) == .mine }
        let id = "\(request.id)/\(record.guid)"
        var resolution = ChangeMessage(
            id: id, action: .resolve, model: record.model, guid: record.guid,
            base: record.revision, fields: deletes ? [:] : chosen)
        guard deletes, !record.deleted, may([.update, .resolve], record, asker) else {
            return [resolution]
        }
        let deletion = ChangeMessage(
            id: "\(id)/delete", action: .delete, model: record.model, guid: record.guid,
            base: record.revision)
        guard may([.delete], record, asker) else { return [deletion] }
        resolution.base = nil
        return [deletion, resolution]
    }

    private func may(
        _ operations: [Operation], _ record: RecordMessage, _ asker: Asker
    ) -> Bool {
        let ownership = Ownership(owner: record.owner, group: record.group)
        return operations.allSatisfy { operation in
            rules.policy.decide(
                Question(
                    asker: asker, operation: operation, subject: .model(record.model),
                    record: ownership)) == .allow
        }
    }
}
