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

    /// In the words of the current version; none if it does not have what they are about.
    private func changes(of push: ForeignPush, named id: String) -> [Change] {
        switch push {
        case .restoration(let guid, let model):
            guard let stored = auditor.records[guid]?.stored, isServed(nil, of: model) else {
                return []
            }
            return [
                Change(
                    id: id, action: .restore, model: server.present.vocabulary.own(model),
                    guid: guid, baseRevision: stored.revision, fields: [:])
            ]
        case .addition(let guid, let model, let field, let amount):
            guard isServed(field, of: model, as: .integer) else { return [] }
            return [update(id, guid, of: model, [field: .added(.integer(amount))])]
        case .element(let element, let guid, let model, let field):
            guard isServed(field, of: model, as: .text) else { return [] }
            let edit = JSONEdit(path: [], .append([.integer(element)]))
            return [update(id, guid, of: model, [field: .edited([edit])])]
        case .wholeBatch(let drafts):
            guard drafts.allSatisfy({ isServed(nil, of: $0.model) }) else { return [] }
            return drafts.enumerated().map { number, draft in
                update(
                    "\(id)-\(number)", draft.guid, of: draft.model,
                    server.rules.book.values(draft.fields, of: draft.model))
            }
        }
    }

    private func update(
        _ id: String, _ guid: String, of model: String, _ fields: [String: GivenValue]
    ) -> Change {
        let words = server.present.vocabulary
        return Change(
            id: id, action: .update, model: words.own(model), guid: guid, baseRevision: nil,
            fields: words.own(fields, of: model), followsPresent: true)
    }

    private func isServed(
        _ field: String?, of model: String, as type: FieldTypeName? = nil
    ) -> Bool {
        guard scenario.evolves else { return true }
        guard let model = server.rules.model(named: model) else { return false }
        return field.map { model.field(named: $0)?.type.name == type } ?? true
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
                try await timeReaders[client].read(
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
            let finding: (violated: Invariant, text: String)?
            do {
                finding = try await timeReaders[client].finding(
                    engine(inWordsOf: timeReaders[client]), server, by: caller,
                    counting: &auditor.counts)
            } catch let violation as InvariantViolation {
                throw violation
            } catch {
                throw fault(of: client, error)
            }
            guard let finding else { continue }
            throw InvariantViolation(
                finding.violated, "a client of \(clients[client].summary) \(finding.text)")
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
