import AccessPolicy
import ChangeRules
import DefinitionModel
package import JSON

/// The position at which a page of a history ended.
private struct HistoryCursor: Codable {
    let guid: String
    let number: Int64
}

/// A page of a record's history, newest entry first.
package struct HistoryPage: Hashable, Sendable {
    package let entries: [HistoryView]
    /// The cursor for older entries; nil on the last page.
    package let cursor: String?
}

/// An entry of a record's history, as the reader may see it.
package struct HistoryView: Hashable, Sendable {
    /// The revision of the record after the entry.
    package let revision: Int64
    package let kind: HistoryEntry.Kind
    package let login: String
    package let deviceCategory: String
    package let at: Instant
    /// The values that the entry replaced, null for an empty field; nil if it replaced none.
    package let before: [String: JSONValue]?
    /// The values that the change would have set; nil unless it was set aside or discarded.
    package let wanted: [String: JSONValue]?
    /// The previous owner and group; nil unless the entry is a reassignment.
    package let owner: String?
    package let group: String?

    package init(
        revision: Int64, kind: HistoryEntry.Kind, login: String, deviceCategory: String,
        at: Instant, before: [String: JSONValue]? = nil, wanted: [String: JSONValue]? = nil,
        owner: String? = nil, group: String? = nil
    ) {
        self.revision = revision
        self.kind = kind
        self.login = login
        self.deviceCategory = deviceCategory
        self.at = at
        self.before = before
        self.wanted = wanted
        self.owner = owner
        self.group = group
    }

    /// The same entry with other names or values of its fields.
    func mapFields(_ mapped: ([String: JSONValue]) -> [String: JSONValue]) -> HistoryView {
        HistoryView(
            revision: revision, kind: kind, login: login, deviceCategory: deviceCategory, at: at,
            before: before.map(mapped), wanted: wanted.map(mapped), owner: owner, group: group)
    }
}

extension Engine {
    /// Returns a page of the history of a record that the asker may see, newest entry first. An
    /// entry shows only the fields that the asker may see now and might have seen when the entry
    /// was made.
    ///
    /// The page ends by the size of what is shown: where it ends would otherwise tell the size of
    /// hidden values. Entries that are not shown count by their number.
    package func history(
        of guid: String, model: String, cursor token: String?, limit: Int?, for caller: Caller
    ) async throws(SyncError) -> HistoryPage {
        let filter = ReadFilter(rules: readRules, asker: caller.asker)
        var page = ShownHistory(
            after: try historyCursor(token, of: guid)?.number, limit: try pageLimit(limit),
            maxBytes: limits.pageBytes)
        while page.hasMore, !page.isFull {
            let found = try await history(of: guid, model: model, page)
            guard filter.view(of: model, found.record.ownership) != .nothing else {
                throw .recordUnknown
            }
            do {
                try page.add(found) { entry throws(StoreError) in
                    try filter.view(for: entry, of: found)
                }
            } catch {
                throw .store(error)
            }
        }
        let last = page.hasMore ? page.last : nil
        return HistoryPage(
            entries: page.views,
            cursor: try last.map { number throws(SyncError) in
                try self.token(of: HistoryCursor(guid: guid, number: number))
            })
    }

    /// Reads the entries after those of a page, as many as it may have and as many as one read may.
    private func history(
        of guid: String, model: String, _ page: ShownHistory
    ) async throws(SyncError) -> RecordHistory {
        let request = HistoryRequest(
            environment: environment, guid: guid, before: page.last, limit: page.rest,
            maxBytes: limits.pageBytes)
        let found = try await readingInTurn { () async throws(StoreError) in
            try await store.history(request)
        }
        guard let found, found.record.model.hasSameBytes(as: model) else { throw .recordUnknown }
        try checkIsCurrent(found.fingerprint)
        return found
    }

    private func historyCursor(
        _ token: String?, of guid: String
    ) throws(SyncError) -> HistoryCursor? {
        guard let token else { return nil }
        guard let cursor = seal.value(of: token, as: HistoryCursor.self),
            cursor.guid.hasSameBytes(as: guid)
        else { throw .cursorUnreadable }
        return cursor
    }
}

extension ReadFilter {
    /// Returns nil if the asker may see nothing of the entry: the record was hidden from them at
    /// that time, or all fields of the entry are hidden.
    fileprivate func view(
        for entry: HistoryEntry, of history: RecordHistory
    ) throws(StoreError) -> HistoryView? {
        let record = history.record
        guard let model = rules.model(named: record.model)?.model else { return nil }
        let change = history.ownershipChanges.first { $0.revision == entry.revision }
        let then =
            history.ownershipChanges.first { $0.revision > entry.revision }?.former
            ?? record.ownership
        let views = [view(of: record.model, record.ownership), view(of: record.model, then)]
        guard !views.contains(.nothing) else { return nil }
        let stored = try JSONText.fields(entry.fieldsText)
        let names = views.reduce(Set(stored.keys)) { names, view in
            names.intersection(readable(in: model, through: view))
        }
        guard !names.isEmpty || stored.isEmpty else { return nil }
        let fields = stored.filter { names.contains($0.key) }
        let isReassignment = entry.kind == .reassigned
        return HistoryView(
            revision: entry.revision, kind: entry.kind, login: entry.login,
            deviceCategory: entry.deviceCategory, at: entry.at,
            before: entry.kind.replacesValues && !fields.isEmpty ? fields : nil,
            wanted: entry.kind.isSetAside && !fields.isEmpty ? fields : nil,
            owner: isReassignment ? change?.owner : nil,
            group: isReassignment ? change?.group : nil)
    }
}

extension HistoryEntry.Kind {
    fileprivate var isSetAside: Bool {
        switch self {
        case .conflicted, .discarded: true
        case .created, .updated, .deleted, .resolved, .reassigned, .filled: false
        }
    }
}
