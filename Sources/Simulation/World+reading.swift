import AccessPolicy
import NativeCalls
import SyncEngine
import SyncProtocol

// Requests beside syncing. They do not change the records of the device that makes them.

extension World {
    /// Reads a record's history and all conflicts, and compares them with what is stored.
    mutating func browse(
        _ client: Int, _ guid: String, of model: String
    ) async throws(InvariantViolation) {
        guard let caller = try await caller(of: client) else { return }
        let asker = try await server.trueAsker(for: clients[client].participant)
        try await auditor.readChanges()
        try await auditor.readTimeline(of: guid)
        let app = ownApp(of: client)
        auditor.app = app
        defer { auditor.app = nil }
        do {
            let history = try await server.history(of: guid, model: model, for: caller, with: app)
            try auditor.audit(history, of: guid, for: asker)
        } catch let violation as InvariantViolation {
            throw violation
        } catch SyncError.recordUnknown {
            try auditor.auditUnknown(guid, for: asker)
        } catch {
            throw fault(of: client, error)
        }
        do {
            let conflicts = try await server.conflicts(for: caller, with: app)
            try auditor.audit(conflicts, for: asker)
        } catch let violation as InvariantViolation {
            throw violation
        } catch {
            throw fault(of: client, error)
        }
    }

    /// Resolves every conflict that the user may resolve; the results reach devices like any
    /// change.
    mutating func resolveAll(
        _ client: Int, choosing side: ResolutionRequest.Side
    ) async throws(InvariantViolation) {
        guard let caller = try await caller(of: client) else { return }
        do {
            let request = ResolutionRequest(id: "all-\(auditor.counts.requests)", choose: side)
            auditor.counts.requests += 1
            let response = try await server.engine.resolve(
                request, from: caller, at: server.now)
            try await auditor.readChanges()
            let asker = try await server.trueAsker(for: clients[client].participant)
            try auditor.audit(response, for: asker)
        } catch let violation as InvariantViolation {
            throw violation
        } catch {
            throw fault(of: client, error)
        }
    }

    /// Nil if the user is not signed in or has no role on this device.
    mutating func caller(of client: Int) async throws(InvariantViolation) -> Caller? {
        guard let session = clients[client].session else { return nil }
        do {
            return try await server.caller(session.tokenHash)
        } catch .signIn {
            return nil
        } catch {
            throw fault(of: client, error)
        }
    }

    func fault(of client: Int, _ error: any Error) -> InvariantViolation {
        InvariantViolation(
            .everyRequestIsAnswered, "\(clients[client].summary) is told \(error)")
    }
}
