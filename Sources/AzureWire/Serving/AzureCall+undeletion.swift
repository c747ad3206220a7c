import ChangeRules
import DefinitionModel
import HTTPTypes
import Hummingbird
import RecordSearch
import Secrets
import SyncEngine
import SyncServer

/// Bringing deleted rows back.
extension AzureCall {
    /// `POST` to a row, in the first and second generation. A row that is not deleted stays as it
    /// is.
    func undelete() async throws -> Response {
        let (caller, table) = (try await caller(), try table())
        let shape = try shape(of: table)
        let id = try exchange.parameter("id")
        guard let row = try await row(id, of: table, for: caller) else { throw missing(id) }
        guard row.record.isDeleted else {
            return try await answer(row, of: table, shape, for: caller)
        }
        return try await undelete(row, nil, [], of: table, shape, for: caller)
    }

    /// Whether an update of a deleted row is meant to bring it back: `deleted` is false, or the
    /// client of the Toolkit replaces a row that it knows to be deleted.
    func undeletes(_ edit: RowEdit) -> Bool {
        guard dialect == .datasync else { return false }
        let replacesDeleted =
            exchange.request.method == .put
            && parameters["__includedeleted"]?.lowercased() == "true"
        return edit.deleted == false || edit.deleted == nil && replacesDeleted
    }

    /// An update of a deleted row is refused, unless it brings back the row that the client has
    /// seen. A stale one is refused as if it did not: clients of Datasync send `deleted: false`
    /// with every row, and would bring a row back when they repeat it.
    func updateDeleted(
        _ row: FoundView, _ edit: RowEdit, _ body: [UInt8], of table: Table, _ shape: RowShape,
        for caller: Caller
    ) async throws -> Response {
        let condition = try condition(edit)
        if undeletes(edit), try !condition.isStale(for: row) && !isModified(row) {
            return try await undelete(row, edit, body, of: table, shape, for: caller)
        }
        throw try await refusalOfDeleted(row, at: condition, of: table, shape, for: caller)
    }

    /// The first generation gets the row that stands if the client has seen an earlier version.
    func refusalOfDeleted(
        _ row: FoundView, at condition: RowCondition, of table: Table, _ shape: RowShape,
        for caller: Caller
    ) async throws -> AzureRefusal {
        guard dialect == .services, condition.isStale(for: row) else { return deleted(row.id) }
        return try await stale(row, of: table, shape, for: caller)
    }

    /// Brings a row back from the version of its deletion, with its values and those of `edit`;
    /// both or neither.
    private func undelete(
        _ row: FoundView, _ edit: RowEdit?, _ body: [UInt8], of table: Table, _ shape: RowShape,
        for caller: Caller
    ) async throws -> Response {
        let condition = try condition(edit)
        let isRepeatable = condition != .none
        let id = try await changeID(
            "POST", table, row.id, condition, body, isRepeatable: isRepeatable, by: caller)
        var changes = [
            Change(
                id: id, action: .restore, model: table.model.name, guid: row.record.guid,
                baseRevision: condition.base(for: row), fields: [:])
        ]
        if var edit {
            if leavesOutDefaults {
                edit.addOmitted(
                    restoringIn: table,
                    where: settable(in: row.record, of: table, for: caller))
            }
            let guid = try await knownGuids(of: edit.relatedIDs(in: table), for: caller)
            for name in try await relationsPerhapsUnchanged(
                edit, from: [:], of: row, in: table, for: caller, guid: guid)
            {
                edit.values[name] = nil
            }
            let fields = try await exchange.compute(ofBody: body.count, for: caller) { [edit] in
                edit.restored(in: table) { guid($0, $1) ?? freshGuid() }
            }
            changes.append(
                Change(
                    id: "\(id)-values", action: .update, model: table.model.name,
                    guid: row.record.guid, baseRevision: nil, fields: fields,
                    followsPresent: true))
        }
        let outcomes = try await outcomes(
            of: changes, isRepeatable: isRepeatable, by: caller.author(of: changes[0]))
        if let refused = outcomes.first(where: { $0.kind == .refused }) {
            throw try await refusal(refused, row.id, of: table, shape, for: caller)
        }
        guard let present = try await self.row(row.id, of: table, for: caller) else {
            throw missing(row.id)
        }
        return try await answer(present, of: table, shape, for: caller)
    }

    private func outcomes(
        of changes: [Change], isRepeatable: Bool, by author: Caller
    ) async throws -> [Outcome] {
        try await engine.taking(exchange.turns(for: author)).push(
            try await exchange.prepared(
                changes, ofBody: exchange.bodyBytes, in: engine, by: author),
            keepingOutcomesFor: isRepeatable ? Self.outcomeSeconds : Self.unrepeatedSeconds,
            isWhole: true, by: author, at: exchange.now
        ).outcomes
    }
}
