import AccessPolicy
package import ChangeRules
import DefinitionModel
import JSON

/// The position at which a page of conflicts ended.
private struct ConflictsCursor: Codable {
    let last: RecordKey
}

/// A page of the records with open conflicts that a caller may see, ordered by model and guid.
package struct ConflictList: Hashable, Sendable {
    package fileprivate(set) var records: [RecordView] = []
    /// The cursor of the next page; nil on the last page.
    package fileprivate(set) var cursor: String?
}

/// A rule that resolves the open conflicts of many records.
package struct ResolutionRule: Hashable, Sendable {
    package enum Side: Hashable, Sendable, CaseIterable {
        /// The values of the changes that were set aside. If there are several, the last one wins.
        case mine
        /// The values of the record.
        case theirs
    }

    /// An id that the caller chooses. Repeating a request with the same id has no further effect.
    package var id: String
    /// Restricts the rule to one model; nil applies it to all.
    package var model: String?
    /// Restricts the rule to these records, at most `Limits.resolutions`. Requires `model`.
    package var guids: [String]?
    package var choice: Side
    /// The side for individual fields, by field name. It overrides `choice`.
    package var fields: [String: Side]
    /// The cursor of an earlier answer, to continue after it.
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

/// The outcomes of the resolutions that one request made.
package struct ResolvedConflicts: Hashable, Sendable {
    package let outcomes: [Outcome]
    /// The cursor for the next request; nil if no conflicts are left.
    package let cursor: String?
}

extension Engine {
    /// Returns a page of the records with open conflicts that the asker may see, ordered by model
    /// and guid.
    package func conflicts(
        ofModel model: String?, cursor: String?, limit: Int?, for caller: Caller
    ) async throws(SyncError) -> ConflictList {
        try await openConflicts(
            ofModel: model, guids: nil, after: cursor, limit: try pageLimit(limit), for: caller)
    }

    /// Resolves open conflicts by a rule. Each resolution is a normal change with an outcome. It is
    /// refused if the caller lacks the right.
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

    /// Reads pages until the list is full or a limit is reached. The limits matter because the
    /// asker may see only a few of the records that are read.
    private func openConflicts(
        ofModel model: String?, guids: [String]?, after token: String?, limit: Int,
        for caller: Caller
    ) async throws(SyncError) -> ConflictList {
        let filter = ReadFilter(rules: readRules, asker: caller.asker)
        var found = FoundConflicts(limit, after: try conflictsCursor(token)?.last)
        while found.hasMore, !found.isFull, found.scanned < limits.scannedRecords {
            let request = ConflictedRequest(
                environment: environment, model: model, guids: guids, after: found.last,
                limit: min(found.nextLimit, limits.scannedRecords - found.scanned),
                maxBytes: limits.pageBytes)
            let page = try await readingInTurn { () async throws(StoreError) in
                try await store.conflicted(request)
            }
            try checkIsCurrent(page.fingerprint)
            do {
                try found.add(page, through: filter, maxBytes: limits.pageBytes)
            } catch {
                throw .store(error)
            }
        }
        var list = ConflictList(records: found.records)
        if found.hasMore, let last = found.last {
            list.cursor = try self.token(of: ConflictsCursor(last: last))
        }
        return list
    }

    private func conflictsCursor(_ token: String?) throws(SyncError) -> ConflictsCursor? {
        guard let token else { return nil }
        guard let cursor = seal.value(of: token, as: ConflictsCursor.self) else {
            throw .cursorUnreadable
        }
        return cursor
    }
}

/// The records of a list of conflicts, as far as they were read.
private struct FoundConflicts {
    private(set) var records: [RecordView] = []
    private let wanted: Int
    /// The last record that was read.
    private(set) var last: RecordKey?
    private(set) var hasMore = true
    private(set) var scanned = 0
    /// The size of the visible values. Hidden ones do not end the list.
    private var bytes = 0
    private(set) var isFull = false

    init(_ wanted: Int, after last: RecordKey?) {
        self.wanted = wanted
        self.last = last
    }

    var nextLimit: Int {
        nextPageLimit(wanted: wanted, found: records.count, scanned: scanned)
    }

    mutating func add(
        _ page: ConflictedPage, through filter: ReadFilter, maxBytes: Int
    ) throws(StoreError) {
        hasMore = page.hasMore
        for (index, record) in page.records.enumerated() {
            scanned += 1
            last = RecordKey(model: record.model, guid: record.guid)
            let conflicts = page.conflicts[record.guid] ?? []
            guard let view = try filter.view(for: record, conflicts: conflicts) else { continue }
            records.append(view)
            bytes += view.leastBytes
            guard bytes >= maxBytes || records.count >= wanted else { continue }
            isFull = true
            hasMore = page.hasMore || index + 1 < page.records.count
            return
        }
    }
}

/// Returns resolutions for records without a visible open conflict, so that a repeated request gets
/// the stored outcomes.
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
    /// Returns the changes that resolve all conflicts of a record. A deletion needs a change of its
    /// own. If the asker may not do both, only the change that will be refused is returned.
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
