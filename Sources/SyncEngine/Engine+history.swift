import AccessPolicy
import ChangeRules
import DefinitionModel
package import JSON

/// Where an answer of a history ended.
private struct HistoryCursor: Codable {
    let guid: String
    let number: Int64
}

/// A page of a record's history, the last first.
package struct HistoryPage: Hashable, Sendable {
    package let entries: [HistoryView]
    /// For the entries before these; nil when there are none.
    package let cursor: String?
}

/// One entry of a record's history, as its reader may see it.
package struct HistoryView: Hashable, Sendable {
    /// The record's after it.
    package let revision: Int64
    package let kind: HistoryEntry.Kind
    package let login: String
    package let deviceCategory: String
    package let at: Instant
    /// The values that it replaced, null where there was none; nil where it replaced none.
    package let before: [String: JSONValue]?
    /// The values that it would have set; nil unless it was set aside or discarded.
    package let wanted: [String: JSONValue]?
    /// The owner and group until then; nil unless it was reassigned.
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
}

extension Engine {
    /// What was done to a record that the asker may see, the last first. Of each entry they see
    /// what they might have seen of the record when it was made, and still may.
    package func history(
        of guid: String, model: String, cursor token: String?, limit: Int?, for caller: Caller
    ) async throws(SyncError) -> HistoryPage {
        let cursor = try historyCursor(token, of: guid)
        let request = HistoryRequest(
            environment: environment, guid: guid, before: cursor?.number,
            limit: try pageLimit(limit))
        let found = try await reading { () async throws(StoreError) in
            try await store.history(request)
        }
        guard let found, found.record.model.hasSameBytes(as: model) else { throw .recordUnknown }
        try checkIsCurrent(found.fingerprint)
        let gate = Gate(rules: rules, asker: caller.asker)
        guard gate.view(of: model, found.record.ownership) != .nothing else {
            throw .recordUnknown
        }
        let last = found.hasMore ? found.numbers.last : nil
        return HistoryPage(
            entries: try views(of: found, through: gate),
            cursor: try last.map { number throws(SyncError) in
                try self.token(of: HistoryCursor(guid: guid, number: number))
            })
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

    private func views(
        of history: RecordHistory, through gate: Gate
    ) throws(SyncError) -> [HistoryView] {
        do {
            var views: [HistoryView] = []
            for entry in history.entries {
                if let view = try gate.view(for: entry, of: history) {
                    views.append(view)
                }
            }
            return views
        } catch {
            throw .store(error)
        }
    }
}

extension Gate {
    /// Nil when nothing of it is the asker's to see: the record was not theirs to see then, or all
    /// that it touched is not.
    fileprivate func view(
        for entry: HistoryEntry, of history: RecordHistory
    ) throws(StoreError) -> HistoryView? {
        let record = history.record
        guard let model = rules.model(named: record.model)?.model else { return nil }
        let move = history.moves.first { $0.revision == entry.revision }
        let then = history.moves.first { $0.revision > entry.revision }?.former ?? record.ownership
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
            before: entry.kind.tookEffect && !fields.isEmpty ? fields : nil,
            wanted: entry.kind.isSetAside && !fields.isEmpty ? fields : nil,
            owner: isReassignment ? move?.owner : nil, group: isReassignment ? move?.group : nil)
    }
}

extension HistoryEntry.Kind {
    fileprivate var isSetAside: Bool {
        switch self {
        case .conflicted, .discarded: true
        case .created, .updated, .deleted, .resolved, .reassigned: false
        }
    }
}
