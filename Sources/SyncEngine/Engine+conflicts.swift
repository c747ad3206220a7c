import AccessPolicy
package import ChangeRules
import DefinitionModel
import JSON

/// Where a list of conflicts ended.
private struct ConflictsCursor: Codable {
    let last: RecordKey
}

/// Records with open conflicts that a caller may see, by model and guid.
package struct ConflictList: Hashable, Sendable {
    package fileprivate(set) var records: [RecordView] = []
    /// Where the next page begins; nil when there is none.
    package fileprivate(set) var cursor: String?
}

/// A rule that resolves the open conflicts of many records at once.
package struct ResolutionRule: Hashable, Sendable {
    package enum Side: Hashable, Sendable, CaseIterable {
        /// The values of the changes that were set aside; of several the last.
        case mine
        /// The values of the record.
        case theirs
    }

    /// The caller's own name for it; a repeat with the same id does nothing twice.
    package var id: String
    /// Only records of this model; nil for all.
    package var model: String?
    /// Only these, which have to be of the model; at most `Limits.resolutions`.
    package var guids: [String]?
    package var choice: Side
    /// By name, the fields for which it is another side.
    package var fields: [String: Side]
    /// The cursor of an earlier answer, to go on after it.
    package var cursor: String?

    package init(
        id: String, model: String? = nil, guids: [String]? = nil, choice: Side,
        fields: [String: Side] = [:], cursor: String? = nil
    ) {
        self.id = id
        self.model = model
        self.guids = guids
        self.choice = choice
        self.fields = fields
        self.cursor = cursor
    }
}

/// The outcomes of the resolutions.
package struct ResolvedConflicts: Hashable, Sendable {
    package let outcomes: [Outcome]
    /// Where the next ones begin; nil when there are none.
    package let cursor: String?
}

extension Engine {
    /// The records with open conflicts that the asker may see, in the order of model and guid.
    package func conflicts(
        ofModel model: String?, cursor: String?, limit: Int?, for caller: Caller
    ) async throws(SyncError) -> ConflictList {
        try await openConflicts(
            ofModel: model, guids: nil, after: cursor, limit: try pageLimit(limit), for: caller)
    }

    /// Resolves open conflicts by a rule. Each resolution is a change like any other, and has an
    /// outcome: whoever has not the right gets a refusal.
    package func resolve(
        _ rule: ResolutionRule, from caller: Caller, at now: Instant
    ) async throws(SyncError) -> ResolvedConflicts {
        guard rule.guids == nil || rule.model != nil else { throw .modelMissing }
        guard rule.guids?.count ?? 0 <= limits.resolutions else {
            throw .tooManyResolutions(count: rule.guids?.count ?? 0, max: limits.resolutions)
        }
        let found = try await openConflicts(
            ofModel: rule.model, guids: rule.guids, after: rule.cursor,
            limit: limits.resolutions, for: caller)
        let changes =
            found.records.flatMap { resolutions(of: $0, by: rule, for: caller.asker) }
            + resolutionsOfOthers(than: found.records, in: rule)
        let pushed = try await push(changes, seen: caller.sequence, from: caller, at: now)
        return ResolvedConflicts(outcomes: pushed.outcomes, cursor: found.cursor)
    }

    /// Reads on until the list is full or enough was looked at, since the asker may see few.
    private func openConflicts(
        ofModel model: String?, guids: [String]?, after token: String?, limit: Int,
        for caller: Caller
    ) async throws(SyncError) -> ConflictList {
        let gate = Gate(rules: rules, asker: caller.asker)
        var after = try conflictsCursor(token)?.last
        var found = ConflictList()
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
            found.records += try views(of: page, through: gate)
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

    private func views(
        of page: ConflictedPage, through gate: Gate
    ) throws(SyncError) -> [RecordView] {
        do {
            return try page.records.compactMap { record in
                try gate.view(for: record, conflicts: page.conflicts[record.guid] ?? [])
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
    than records: [RecordView], in rule: ResolutionRule
) -> [Change] {
    guard let guids = rule.guids, let model = rule.model else { return [] }
    return Set(guids).subtracting(records.map(\.guid)).sorted().map { guid in
        Change(
            id: "\(rule.id)/\(guid)", action: .resolve, model: model, guid: guid,
            baseRevision: 1, fields: [:])
    }
}

extension Engine {
    /// The changes that resolve all conflicts of a record: to take it away is a change of its own.
    /// Someone who may not do both gets the refusal of the one, and the other is not done.
    fileprivate func resolutions(
        of record: RecordView, by rule: ResolutionRule, for asker: Asker
    ) -> [Change] {
        let sides = (record.conflicts ?? []).map(\.mine)
        let deletes = rule.choice == .mine && sides.last?.isDeleted == true
        var fields: [String: JSONValue] = [:]
        for side in sides where !side.isDeleted {
            fields.merge(side.fields) { _, later in later }
        }
        let chosen = fields.filter { (rule.fields[$0.key] ?? rule.choice) == .mine }
        let id = "\(rule.id)/\(record.guid)"
        func resolution(from base: Int64?) -> Change {
            Change(
                id: id, action: .resolve, model: record.model, guid: record.guid,
                baseRevision: base,
                fields: deletes ? [:] : rules.book.values(chosen, of: record.model))
        }
        guard deletes, !record.isDeleted, may([.update, .resolve], record, asker) else {
            return [resolution(from: record.revision)]
        }
        let deletion = Change(
            id: "\(id)/delete", action: .delete, model: record.model, guid: record.guid,
            baseRevision: record.revision, fields: [:])
        guard may([.delete], record, asker) else { return [deletion] }
        return [deletion, resolution(from: nil)]
    }

    private func may(
        _ operations: [Operation], _ record: RecordView, _ asker: Asker
    ) -> Bool {
        let ownership = Ownership(owner: record.owner, group: record.group)
        return operations.allSatisfy {
            rules.book.allows($0, of: record.model, on: ownership, by: asker)
        }
    }
}
