import ChangeRules
import DefinitionModel
import JSON
import SyncEngine

// Changes of clients of other wires. Each is one of a device of its own, and answered at once.

extension World {
    mutating func push(
        _ push: ForeignPush, by client: Int
    ) async throws(InvariantViolation) {
        guard let caller = try await caller(of: client) else { return }
        auditor.counts.requests += 1
        let id = "foreign-\(auditor.counts.requests)"
        try await auditor.readChanges()
        let before = auditor.records
        let changes = changes(of: push, named: id)
        guard !changes.isEmpty else { return }
        let outcomes: [Outcome]
        do throws(SyncError) {
            outcomes = try await server.engine.push(
                changes, keepingOutcomesFor: 60,
                isWhole: push.isWhole && scenario.mutation.keepsBatchesWhole,
                by: Caller(
                    asker: caller.asker, deviceIdentifier: id, isAdmin: false,
                    moment: caller.moment), at: server.now
            ).outcomes
        } catch {
            throw fault(of: client, error)
        }
        try await auditor.readChanges()
        let asker = try await server.trueAsker(for: clients[client].participant)
        try auditor.audit(push, of: changes, outcomes, since: before, by: asker)
    }

    private func changes(of push: ForeignPush, named id: String) -> [Change] {
        switch push {
        case .restoration(let guid, let model):
            guard let stored = auditor.records[guid]?.stored else { return [] }
            return [
                Change(
                    id: id, action: .restore, model: model, guid: guid,
                    baseRevision: stored.revision, fields: [:])
            ]
        case .addition(let guid, let model, let field, let amount):
            return [
                Change(
                    id: id, action: .update, model: model, guid: guid, baseRevision: nil,
                    fields: [field: .added(.integer(amount))], followsPresent: true)
            ]
        case .element(let element, let guid, let model, let field):
            let edit = JSONEdit(path: [], .append([.integer(element)]))
            return [
                Change(
                    id: id, action: .update, model: model, guid: guid, baseRevision: nil,
                    fields: [field: .edited([edit])], followsPresent: true)
            ]
        case .wholeBatch(let drafts):
            return drafts.enumerated().map { number, draft in
                Change(
                    id: "\(id)-\(number)", action: .update, model: draft.model, guid: draft.guid,
                    baseRevision: nil,
                    fields: server.rules.book.values(draft.fields, of: draft.model),
                    followsPresent: true)
            }
        }
    }
}

// MARK: - Clients that know a time

extension World {
    /// The user of a device reads on in a client of another wire, a page of each model.
    mutating func readByTime(_ client: Int, limit: Int) async throws(InvariantViolation) {
        guard timeReaders.indices.contains(client) else { return }
        let caller = try await guest(of: client)
        let engine = engine(inWordsOf: timeReaders[client])
        do throws(SyncError) {
            for model in engine.definition.models {
                _ = try await timeReaders[client].read(
                    engine, model.name, limit: limit, by: caller)
            }
        } catch {
            throw fault(of: client, error)
        }
    }

    /// Compares what these clients hold in the end with what fresh ones receive.
    mutating func auditTimeReaders() async throws(InvariantViolation) {
        for client in timeReaders.indices where isWanted() {
            let caller = try await guest(of: client)
            let finding: String?
            do throws(SyncError) {
                finding = try await timeReaders[client].finding(
                    engine(inWordsOf: timeReaders[client]), server.engine, by: caller)
            } catch {
                throw fault(of: client, error)
            }
            guard let finding else { continue }
            throw InvariantViolation(
                .timesTellWhatIsSeen, "a client of \(clients[client].summary) \(finding)")
        }
    }

    private func engine(inWordsOf reader: TimeReader) -> WordedEngine {
        let version = reader.app?.definition.fingerprint
        return WordedEngine(
            server.engine, for: version.flatMap { scenario.mutation.words(server.engine, $0) })
    }

    /// The user with the group of now, whatever the engine takes it for.
    private func guest(of client: Int) async throws(InvariantViolation) -> Caller {
        Caller(
            asker: try await server.trueAsker(for: clients[client].participant),
            deviceIdentifier: "time", isAdmin: false, moment: .none)
    }
}

extension ForeignPush {
    var isWhole: Bool {
        switch self {
        case .restoration, .addition, .element: false
        case .wholeBatch: true
        }
    }
}
