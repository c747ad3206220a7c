import ChangeRules
import DefinitionModel
import HTTPTypes
import Hummingbird
import JSON
import RecordSearch
import SyncEngine
import SyncServer

/// Inserts that took effect, now or when they were sent first: the row may have changed since, and
/// the client may send later values.
extension AzureCall {
    /// Whether an insert has its identity without its columns. The queue of a client joins an edit
    /// with the insert that waits, and so with one whose answer was lost. Clients that do not name
    /// their installation cannot be told apart: an insert with other values may be another one's.
    var joinsEdits: Bool { traits.isOffline && installation != Self.commonInstallation }

    func answer(
        inserted record: RecordID, _ id: String, _ edit: RowEdit, _ body: [UInt8],
        of table: Table, _ shape: RowShape, for caller: Caller,
        guid: @escaping @Sendable (_ id: String, _ model: String) -> String?
    ) async throws -> Response {
        guard var row = try await row(id, of: table, for: caller) else {
            return try await answerGone(
                departed(record, id, of: table), of: table, status: .created, for: caller)
        }
        // The row was deleted since. Usually the client did that itself, and now means a new row by
        // the same values.
        guard !row.record.isDeleted else {
            throw try await taken(id, of: table, shape, for: caller)
        }
        if joinsEdits {
            row = try await joined(row, edit, body, of: table, shape, for: caller, guid: guid)
        }
        var response = try await answer(row, of: table, shape, status: .created, for: caller)
        response.headers[.location] = "\(exchange.request.uri.path)/\(percentEncoded(row.id))"
        return response
    }

    /// Makes the edit that a repeated insert brings, from the first version of the row, and returns
    /// the row as it is then. An insert that is no repeat brings none.
    private func joined(
        _ row: FoundView, _ edit: RowEdit, _ body: [UInt8], of table: Table, _ shape: RowShape,
        for caller: Caller, guid: @escaping @Sendable (_ id: String, _ model: String) -> String?
    ) async throws -> FoundView {
        let first = RowCondition.version(RowVersion(1))
        let seen = try await seenFields(of: row, at: first, in: table, for: caller)
        let hidden = try await hiddenColumns(
            thatStayIn: edit, from: seen, in: table, for: caller, guid: guid)
        let fields = try await exchange.compute(ofBody: body.count, for: caller) {
            edit.changes(from: seen.values, in: table, guid: guid).filter { name, value in
                seen.values[name] != nil && !hidden.contains(name)
                    && (value != .null || table.mayBeEmptied(name))
            }
        }
        guard !fields.isEmpty else { return row }
        let outcome = try await push(
            .update, fields, "PATCH", first, body, of: row, in: table, by: caller)
        guard outcome.kind != .refused else {
            throw outcome.causes.contains(where: \.isStale)
                ? try await taken(row.id, of: table, shape, for: caller)
                : refusal(outcome, row.id, of: table)
        }
        guard let present = try await self.row(row.id, of: table, for: caller) else {
            throw missing(row.id)
        }
        return present
    }
}

extension Table {
    /// Whether null in a new row means null, and no default.
    fileprivate func mayBeEmptied(_ name: String) -> Bool {
        model.fields.contains { $0.name == name && !$0.isRequired && $0.defaultValue == nil }
    }
}
