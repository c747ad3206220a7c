import ChangeRules
import DefinitionModel
import ForeignValues
import HTTPTypes
import RecordSearch
import SyncEngine

/// Answers to refused changes.
extension AzureCall {
    /// The refusal of a change of a row that the caller sees.
    func refusal(
        _ outcome: Outcome, _ id: String, of table: Table, _ shape: RowShape, for caller: Caller
    ) async throws -> AzureRefusal {
        guard outcome.causes.contains(where: \.isStale),
            let row = try await row(id, of: table, for: caller)
        else { return refusal(outcome, id, of: table) }
        return try await stale(row, of: table, shape, for: caller)
    }

    func refusal(_ outcome: Outcome, _ id: String, of table: Table) -> AzureRefusal {
        let reasons = outcome.causes.map(\.reason)
        if reasons.contains(.change(.recordUnknown)) { return missing(id) }
        if reasons.contains(.change(.recordDeleted)) { return deleted(id) }
        let isRight = outcome.causes.contains(where: \.isRight)
        let definition = engine.definition
        let text = outcome.causes.map { table.message(of: $0, in: definition) }
            .joined(separator: "; ")
        var refusal = AzureRefusal(isRight ? .forbidden : .badRequest, text)
        refusal.causes = outcome.causes
        return refusal
    }

    /// The row that stands, for the client's handler of conflicts. Clients that send the version in
    /// the body expect another status.
    func stale(
        _ row: FoundView, of table: Table, _ shape: RowShape, for caller: Caller
    ) async throws -> AzureRefusal {
        let isInBody = header("If-Match") == nil && dialect == .apps
        return try await refusal(
            isInBody ? .conflict : .preconditionFailed,
            "The row has another version.", with: row, of: table, shape, for: caller)
    }

    /// Another row has the id, which the caller may see or not.
    func taken(
        _ id: String, of table: Table, _ shape: RowShape, for caller: Caller
    ) async throws -> AzureRefusal {
        let text = "Could not insert the item because an item with that id already exists."
        guard let row = try await row(id, of: table, for: caller) else {
            // A client of the third generation would take any body for the row.
            return AzureRefusal(dialect == .datasync ? .badRequest : .conflict, text)
        }
        return try await refusal(.conflict, text, with: row, of: table, shape, for: caller)
    }

    private func refusal(
        _ status: HTTPResponse.Status, _ text: String, with row: FoundView, of table: Table,
        _ shape: RowShape, for caller: Caller
    ) async throws -> AzureRefusal {
        var shape = shape
        shape.ids = try await relatedIDs(of: [row], in: table, for: caller)
        var refusal = AzureRefusal(status, text)
        refusal.row = AzureRefusal.RefusedRow(
            bytes: try shape.bytes(of: row), version: RowVersion(row.record.revision))
        return refusal
    }
}

extension Table {
    /// A cause in the words of the rows, which clients show to people.
    fileprivate func message(of cause: Cause, in definition: Definition) -> String {
        let field = model.fields.first { $0.name == cause.field }
        let named = Cause(
            cause.reason.named(in: definition), field: field?.foreignName ?? cause.field)
        guard let field, case .wrongType = cause.reason else {
            return CauseDescription(named).message
        }
        switch field.type {
        case .date:
            return "'\(field.foreignName)' takes a time such as 2026-11-21T06:00:10.469Z"
        case .belongsTo(let relation):
            let name = definition.foreignName(ofModel: relation.model)
            return "'\(field.foreignName)' takes the id of a row of '\(name)'"
        case .file: return "'\(field.foreignName)' is a file, which is not set here"
        case .text, .integer, .decimal, .boolean: return CauseDescription(named).message
        }
    }
}

extension Definition {
    fileprivate func foreignName(ofModel name: String) -> String {
        models.first { $0.name == name }?.foreignName ?? name
    }
}

extension Cause.Reason {
    /// The same with the name of the table of a related row.
    fileprivate func named(in definition: Definition) -> Cause.Reason {
        guard case .notFound(let guid, let model) = self else { return self }
        return .notFound(guid: guid, model: definition.foreignName(ofModel: model))
    }
}

extension Cause {
    /// A version of later than the present one is no version that the client has seen.
    var isStale: Bool {
        guard case .change(let fault) = reason else { return false }
        return switch fault {
        case .stale, .baseUnknown: true
        case .illegalChangeID, .changeIDReused, .illegalGuid, .guidTaken, .unexpectedFields,
            .recordUnknown, .recordDeleted, .baseMissing, .notConflicted, .resolutionStale,
            .dependsOnRefused, .tooEntangled, .tooManyConflicts, .tooManyOwnConflicts,
            .tooManyRevisions, .tooMuchHistory, .recordTooLarge:
            false
        }
    }

    fileprivate var isRight: Bool {
        guard case .notGranted = reason else { return false }
        return true
    }
}
