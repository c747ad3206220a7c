import AccessPolicy
import NativeCalls
import SyncEngine
import SyncProtocol

// What somebody asks for beside syncing. Nothing of it changes what their device holds.

extension World {
    /// Looks at a record's history and at all conflicts, and compares them with what is stored.
    mutating func browse(
        _ client: Int, _ guid: String, of model: String
    ) async throws(BrokenPromise) {
        guard let caller = try await caller(of: client) else { return }
        let asker = try await server.trueAsker(for: clients[client].player)
        try await ledger.readChanges()
        try await ledger.readPast(of: guid)
        do {
            let history = try await server.engine.historyMessages(
                of: guid, model: model, cursor: nil, limit: nil, for: caller)
            try ledger.audit(history, of: guid, for: asker)
        } catch let broken as BrokenPromise {
            throw broken
        } catch SyncError.recordUnknown {
            try ledger.auditUnknown(guid, for: asker)
        } catch {
            throw fault(of: client, error)
        }
        do {
            let conflicts = try await server.engine.conflictMessages(
                ofModel: nil, cursor: nil, limit: 1000, for: caller)
            try ledger.audit(conflicts, for: asker)
        } catch let broken as BrokenPromise {
            throw broken
        } catch {
            throw fault(of: client, error)
        }
    }

    /// Resolves what can be resolved; what comes of it reaches the devices as any change does.
    mutating func resolveAll(
        _ client: Int, choosing side: ResolutionRequest.Side
    ) async throws(BrokenPromise) {
        guard let caller = try await caller(of: client) else { return }
        do {
            let request = ResolutionRequest(id: "all-\(ledger.tally.requests)", choose: side)
            ledger.tally.requests += 1
            let response = try await server.engine.resolve(
                request, from: caller, at: server.now)
            try await ledger.readChanges()
            let asker = try await server.trueAsker(for: clients[client].player)
            try ledger.audit(response, for: asker)
        } catch let broken as BrokenPromise {
            throw broken
        } catch {
            throw fault(of: client, error)
        }
    }

    /// Nil for who is not signed in, or may do nothing from this device.
    private mutating func caller(of client: Int) async throws(BrokenPromise) -> Caller? {
        guard let session = clients[client].session else { return nil }
        do {
            return try await server.caller(session.tokenHash)
        } catch .signIn {
            return nil
        } catch {
            throw fault(of: client, error)
        }
    }

    private func fault(of client: Int, _ error: any Error) -> BrokenPromise {
        BrokenPromise(.everyRequestIsAnswered, "\(clients[client].inWords) is told \(error)")
    }
}
