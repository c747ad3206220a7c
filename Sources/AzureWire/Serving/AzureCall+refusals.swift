import ChangeRules
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
        else { return refusal(outcome, id) }
        return try await stale(row, of: table, shape, for: caller)
    }

    func refusal(_ outcome: Outcome, _ id: String) -> AzureRefusal {
        let reasons = outcome.causes.map(\.reason)
        if reasons.contains(.change(.recordUnknown)) { return missing(id) }
        if reasons.contains(.change(.recordDeleted)) { return deleted(id) }
        let isRight = outcome.causes.contains(where: \.isRight)
        let text = outcome.causes.map { CauseDescription($0).message }.joined(separator: "; ")
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

extension Cause {
    /// A version of later than the present one is no version that the client has seen.
    var isStale: Bool {
        guard case .change(let fault) = reason else { return false }
        return switch fault {
        case .stale, .baseUnknown: true
        case .illegalChangeID, .changeIDReused, .illegalGuid, .guidTaken, .unexpectedFields,
            .recordUnknown, .recordDeleted, .baseMissing, .notConflicted, .resolutionStale,
            .dependsOnRefused, .tooEntangled, .tooManyConflicts, .tooManyOwnConflicts,
            .tooManyRevisions, .tooMuchHistory:
            false
        }
    }

    fileprivate var isRight: Bool {
        guard case .notGranted = reason else { return false }
        return true
    }
}
