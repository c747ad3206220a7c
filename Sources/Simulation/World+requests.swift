import ChangeRules
import SyncEngine

// Requests of several parts, and imports of deleted rows. Both may be repeated.

/// A request that was done.
struct DoneRequest: Sendable {
    let client: Int
    let request: ForeignRequest
    /// The outcomes of its questions.
    let answers: [Outcome]
}

/// A deleted row that was imported.
struct DoneImport: Sendable {
    let client: Int
    let row: Draft
    let outcomes: [Outcome]
}

extension World {
    /// Longer than any history. The outcomes are kept, so that repeats are known.
    private static let outcomeSeconds: Int64 = 365 * 24 * 3600

    mutating func make(
        _ request: ForeignRequest, by client: Int
    ) async throws(InvariantViolation) {
        guard let caller = try await caller(of: client) else { return }
        try await auditor.readChanges()
        for question in request.questions { try await auditor.readTimeline(of: question.guid) }
        let before = auditor.records
        let device = Caller(
            asker: caller.asker, deviceIdentifier: request.deviceIdentifier, isAdmin: false,
            moment: caller.moment)
        let (engine, now) = (server.engine, server.now)
        let outcomes = try await outcomes(
            of: request.changes(under: server.rules), from: client
        ) { changes throws(SyncError) in
            try await engine.push(
                changes, keepingOutcomesFor: Self.outcomeSeconds, isWhole: true, by: device,
                at: now
            ).outcomes
        }
        try await audit(request, outcomes, by: client, since: before)
    }

    private mutating func audit(
        _ request: ForeignRequest, _ outcomes: [Outcome], by client: Int,
        since before: [String: AuditedRecord]
    ) async throws(InvariantViolation) {
        if let done = doneRequests[request.number] {
            auditor.counts.repeatedRequests += 1
            return try auditor.audit(repeated: request, outcomes, of: done, since: before)
        }
        let asker = try await server.trueAsker(for: clients[client].participant)
        try auditor.audit(request, outcomes, since: before, by: asker)
        guard !outcomes.contains(where: { $0.kind == .refused }) else { return }
        auditor.counts.doneRequests += 1
        doneRequests[request.number] = DoneRequest(
            client: client, request: request, answers: request.answers(among: outcomes))
    }

    /// The record belongs to the user of the device.
    mutating func importDeleted(
        _ row: Draft, by client: Int
    ) async throws(InvariantViolation) {
        try await auditor.readChanges()
        let before = auditor.records
        let owner = clients[client].participant.login
        let (engine, now) = (server.engine, server.now)
        let outcomes = try await outcomes(
            of: row.changesOfDeletedRow(under: server.rules), from: client
        ) { changes throws(SyncError) in
            let importer = try await engine.operatorCaller(
                named: "importer", device: "foreign-import", creatingFor: owner)
            return try await engine.push(
                importing: changes, keepingOutcomesFor: Self.outcomeSeconds, isTrial: false,
                by: importer, at: now)
        }
        let done = doneImports[row.guid]
        try auditor.audit(deletedRow: row, of: owner, outcomes, after: done, since: before)
        guard done == nil else { return }
        auditor.counts.deletedRows += 1
        doneImports[row.guid] = DoneImport(client: client, row: row, outcomes: outcomes)
    }

    /// Each change gets an outcome.
    private mutating func outcomes(
        of changes: [Change], from client: Int,
        pushing push: ([Change]) async throws(SyncError) -> [Outcome]
    ) async throws(InvariantViolation) -> [Outcome] {
        auditor.counts.requests += 1
        let outcomes: [Outcome]
        do throws(SyncError) {
            outcomes = try await push(scenario.mutation.pushed(changes))
        } catch {
            throw fault(of: client, error)
        }
        guard outcomes.map(\.changeID) == changes.map(\.id) else {
            throw InvariantViolation(
                .everyRequestIsAnswered,
                "\(changes.count) changes of another wire got \(outcomes.count) outcomes, or those "
                    + "of others")
        }
        try await auditor.readChanges()
        return outcomes
    }
}
