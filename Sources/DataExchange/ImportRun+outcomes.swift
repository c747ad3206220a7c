import ChangeRules
import SyncEngine

/// Handles rows after the engine has decided on their changes.
extension ImportRun {
    /// Counts the rows of a transaction, or lets them wait. Returns the profiles to push again,
    /// without the related records that are missing. Each has another owner, so none needs
    /// another one of the same transaction.
    mutating func settle(
        _ rows: [PlannedRow], _ outcomes: [Outcome]
    ) async throws(SyncError) -> [PlannedRow] {
        let causes = zip(rows, outcomes).map { planned, outcome in
            outcome.causes.filter { !isResolved($0, of: planned) && !$0.isNeed(of: planned.change) }
        }
        var fates = fates(of: rows, causes)
        let refused = rows.indices.filter { fates[$0] == .refused || !mayWait(rows[$0].row) }
        let deleted = try await deletedRecords(missedBy: refused.flatMap { causes[$0] })
        var unrelated: [PlannedRow] = []
        for (place, planned) in rows.enumerated() {
            switch fates[place] {
            case .taken:
                let refused = summary.refused
                count(outcomes[place], of: planned)
                if summary.refused > refused { fates.worsen(place, to: .refused) }
            case .waiting where mayWait(planned.row): wait(planned.row, of: planned.change.guid)
            case .waiting where keepsValues && causes[place].contains(where: \.isMissing):
                let missing = causes[place].filter(\.isMissing).compactMap(\.field)
                unrelated.append(planned.without(Set(missing)))
            case .waiting, .refused:
                fates.worsen(place, to: .refused)
                refuse(planned, causes[place], deleted) { cause in
                    fates.needed(by: cause).map { rows[$0].row.line }
                }
            }
        }
        return unrelated
    }

    private func fates(of rows: [PlannedRow], _ causes: [[Cause]]) -> RowFates {
        var fates = RowFates(rows, causes: causes)
        for (place, causes) in causes.enumerated() {
            let others = causes.filter { !$0.isMissing && fates.needed(by: $0) == nil }
            if !others.isEmpty {
                fates.worsen(place, to: .refused)
            } else if causes.contains(where: \.isMissing) {
                fates.worsen(place, to: .waiting)
            }
        }
        return fates
    }

    private mutating func count(_ outcome: Outcome, of planned: PlannedRow) {
        switch outcome.kind {
        case .accepted, .merged: took(planned, outcome)
        case .conflicted:
            refuse(
                .row(
                    planned.row.line, "conflicted",
                    "another change came first, resolve the conflict of the record"))
        case .discarded:
            refuse(
                .row(
                    planned.row.line, "discarded",
                    "another change came first, import the row again"))
        case .refused: accept(planned)
        }
    }

    /// - Parameters:
    ///   - deleted: The deleted records to which rows refer.
    ///   - line: The line of the row whose record is missing.
    private mutating func refuse(
        _ planned: PlannedRow, _ causes: [Cause], _ deleted: Set<String>,
        needing line: (Cause) -> Int?
    ) {
        let row = planned.row
        if row.isDeleted, causes.contains(where: \.isTaken) {
            // The record was deleted so long ago that it is purged.
            summary.unchanged += 1
            return
        }
        summary.refused += 1
        for cause in causes {
            if case .notFound(let guid, _) = cause.reason {
                let isDeleted = deleted.contains(guid) || trial.hasDeleted(guid)
                report(.missing(cause, of: row, isDeleted: isDeleted))
            } else if let line = line(cause) {
                report(.needing(cause, of: row, line: line))
            } else if cause.isTaken {
                report(.taken(row, byDeleted: planned.record != nil))
            } else {
                report(RowProblem(cause, of: row))
            }
        }
    }

    /// The outcome of an earlier run has a revision from before the one that the row was planned
    /// on, or is that of a creation whose record is deleted. A change that had no effect leaves
    /// that one.
    private mutating func took(_ planned: PlannedRow, _ outcome: Outcome) {
        if planned.change.action == .create, planned.record != nil {
            summary.repeated += 1
            return
        }
        guard let base = planned.change.baseRevision, let revision = outcome.revision,
            revision <= base
        else { return accept(planned) }
        if revision < base { summary.repeated += 1 } else { summary.unchanged += 1 }
    }

    private func isResolved(_ cause: Cause, of planned: PlannedRow) -> Bool {
        options.isTrial
            && trial.resolves(
                cause, of: planned.change, isUpdate: planned.isTriedUpdate,
                in: planned.row.model)
    }
}

extension Cause {
    /// Whether a record of a later row may be what is missing.
    fileprivate var isMissing: Bool {
        if case .notFound = reason { true } else { false }
    }

    /// Whether a change was refused because its record refers to itself: it has another cause.
    fileprivate func isNeed(of change: Change) -> Bool {
        reason == .change(.dependsOnRefused(changeID: change.id))
    }

    /// Whether the guid is that of another record, or of one that is purged.
    fileprivate var isTaken: Bool { reason == .change(.guidTaken) }
}
