import ChangeRules
import DefinitionModel
import JSON
import RecordSearch
import SyncEngine
import SyncServer

/// The ids of related rows, as the caller may know them: a row that the caller sees has its id, and
/// any other one has its guid only.
extension AzureCall {
    /// The ids of related rows that are not their guids, as far as the caller may see the rows.
    func relatedIDs(
        of rows: [FoundView], _ changes: StampedPage? = nil, in table: Table, for caller: Caller
    ) async throws -> [String: String] {
        var related = RelatedGuids(of: table)
        try related.add(rows)
        if let changes { try related.add(changes) }
        var ids: [String: String] = [:]
        for (model, guids) in related.byModel {
            for row in try await seenRows(with: "$guid", in: guids, of: model, for: caller) {
                ids[row.guid] = row.id
            }
        }
        return ids
    }

    func filterTranslation(
        of question: TableQuestion, for table: Table, _ caller: Caller
    ) async throws -> FilterTranslation {
        let ids = question.filter?.relatedIDs(in: table) ?? [:]
        return FilterTranslation(table: table, guid: try await knownGuids(of: ids, for: caller))
    }

    /// Returns the guids for which ids of other rows stand, by the model. An id of a row that the
    /// caller does not see is that of no row: it may be a guid, which rows show, but otherwise says
    /// nothing about rows that refer to it. Nobody can try ids.
    func knownGuids(
        of ids: [String: Set<String>], for caller: Caller
    ) async throws -> @Sendable (_ id: String, _ model: String) -> String? {
        var guids: [String: [String: String]] = [:]
        for (model, ids) in ids {
            for row in try await seenRows(with: "$id", in: ids, of: model, for: caller) {
                guids[model, default: [:]][row.id] = row.guid
            }
        }
        return { [guids] id, model in guids[model]?[id] ?? (isGuid(id) ? id : nil) }
    }

    /// The relations whose column shows the guid of a row that the caller does not see, now or at
    /// the version that the client has seen, and to which an edit gives an id that is not known.
    /// The client may have seen that id earlier, and nobody may try ids: it changes nothing.
    func relationsPerhapsUnchanged(
        _ edit: RowEdit, from seen: [String: JSONValue], of row: FoundView, in table: Table,
        for caller: Caller, guid: (_ id: String, _ model: String) -> String?
    ) async throws -> [String] {
        var names: [String] = []
        for field in table.model.fields {
            guard case .belongsTo(let relation) = field.type,
                case .string(let id)? = edit.values[field.name], guid(id, relation.model) == nil
            else { continue }
            let shown = [seen, row.record.fields ?? [:]].compactMap { $0[field.name]?.nameableGuid }
            let guids = Set(shown)
            let found = try await seenRows(
                with: "$guid", in: guids, of: relation.model, for: caller)
            if found.count < guids.count { names.append(field.name) }
        }
        return names
    }

    private func seenRows(
        with operand: String, in values: Set<String>, of model: String, for caller: Caller
    ) async throws -> [(guid: String, id: String)] {
        var rows: [(guid: String, id: String)] = []
        var rest = values.sorted()[...]
        while !rest.isEmpty {
            let some = rest.prefix(engine.limits.filterValues)
            rest = rest.dropFirst(some.count)
            var query = FindQuery(
                filter: .among(operand: operand, some.map { .string($0) }), fields: [],
                limit: some.count)
            query.includesNames = true
            query.includesDeleted = true
            repeat {
                let page = try await engine.find(query, of: model, for: caller)
                rows += page.found.map { ($0.record.guid, $0.id) }
                query.cursor = page.cursor
            } while query.cursor != nil
        }
        return rows
    }
}

extension JSONValue {
    /// The text of a guid that may stand for another id.
    fileprivate var nameableGuid: String? {
        guard case .string(let guid) = self, RecordNaming.mayStandForName(guid) else { return nil }
        return guid
    }
}
