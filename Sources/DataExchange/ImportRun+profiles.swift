import ChangeRules
import DefinitionModel
import JSON
import SyncEngine

/// Rows that are the profiles of users.
extension ImportRun {
    /// Whether records that are there keep their values.
    var keepsValues: Bool { options.profileGroup != nil }

    /// Imports the profile of a user, who is there unless this is a trial.
    mutating func addProfile(
        of user: UserRow, owner: String, in model: Model
    ) async throws(SyncError) {
        _ = try await take([parser.profile(of: user, owner: owner, in: model)])
    }

    /// Why a row is no profile of its owner: a user has one, whose id nobody else has. A user may
    /// have made one since the row was read, so this is asked when it is to be stored.
    func problem(
        ofProfile row: IdentifiedRow, _ record: RecordView?
    ) async throws(SyncError) -> RowProblem? {
        guard keepsValues, let owner = row.row.owner else { return nil }
        if let record, record.owner != owner {
            return .otherOwner(row.row.line, of: owner, record.owner)
        }
        let model = row.row.model.name
        let present = try await engine.reading { () async throws(StoreError) in
            try await engine.store.search(in: engine.environment, readingNames: false) {
                try $0.ownRecord(of: model, ownedBy: owner)
            }
        }
        guard let present, present != row.guid else { return nil }
        return .otherProfile(row.row.line, of: owner)
    }

    /// Whether a field of a row relates a record, and the stored one has none there.
    func isUnrelated(_ record: RecordView, by field: String, _ row: IdentifiedRow) -> Bool {
        row.row.relatedIDs[field] != nil && record.fields?[field] ?? .null == .null
    }

    /// Pushes profiles without the related records that are missing. One that is there may have
    /// nothing else to get.
    mutating func pushUnrelated(_ rows: [PlannedRow]) async throws(SyncError) {
        let wanted = rows.filter { $0.change.action == .create || !$0.change.fields.isEmpty }
        summary.unchanged += rows.count - wanted.count
        let refused = summary.refused
        try await push(wanted)
        summary.unrelated += rows.count - (summary.refused - refused)
    }

    /// In a trial, the owner of a profile need not be there.
    func newCaller(creatingFor owner: String?) async throws(SyncError) -> Caller {
        guard options.isTrial, let owner, let group = options.profileGroup else {
            return try await engine.operatorCaller(
                named: options.operatorName, device: Self.device, creatingFor: owner)
        }
        return try await engine.operatorCaller(
            named: options.operatorName, device: Self.device,
            creatingFor: owner, in: group)
    }
}

extension RowProblem {
    static func otherProfile(_ line: Int, of owner: String) -> RowProblem {
        .row(
            line, "otherProfile",
            "'\(owner)' has a profile with another id, so pointers to this one lead nowhere")
    }
    static func otherOwner(_ line: Int, of owner: String, _ other: String) -> RowProblem {
        .row(
            line, "otherOwner",
            "the profile with this id is that of '\(other.shortenedName)', so '\(owner)' gets none")
    }
}
