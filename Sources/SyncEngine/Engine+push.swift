import AccessPolicy
import DefinitionModel
import Records
import SyncProtocol

extension Engine {
    /// Decides the changes inside the transaction that writes them, and answers what became of
    /// each. A request that brings nothing opens no transaction. Also in there it is seen whether
    /// the definition is still the current one: another may have been deployed since the caller
    /// was identified.
    func push(
        _ request: SyncRequest, seen sequence: Int64, reading page: PageRequest? = nil,
        from caller: Caller, at now: Instant
    ) async throws(SyncError) -> Pushed {
        guard !request.changes.isEmpty || !request.acknowledged.isEmpty else { return Pushed() }
        let rules = rules
        let batch = request.changes.map { Change($0, by: rules) }
        let author = Author(
            asker: caller.asker, deviceIdentifier: caller.deviceIdentifier, now: now,
            limits: limits)
        let need = need(
            of: batch, by: author, under: rules, environment: environment, seenSequence: sequence)
        let prepared = batch.map { PreparedChange($0, by: author, under: rules) }
        let done = try await reading { () async throws(StoreError) in
            try await store.commit(need, reading: page) { records throws(StoreError) in
                try uniqueValues(of: batch, on: records, by: rules)
            } deciding: { facts throws(StoreError) -> (Writes, [OutcomeMessage]?) in
                guard isCurrent(facts.fingerprint) else { return (Writes(), nil) }
                let decided = try decide(prepared, given: facts, by: rules, author: author)
                var writes = decided.writes
                writes.acknowledged = request.acknowledged
                return (writes, decided.outcomes)
            }
        }
        guard let outcomes = done.result else { throw .definitionChanged }
        return Pushed(outcomes: outcomes, page: done.page)
    }
}

/// What became of a request's changes.
struct Pushed {
    var outcomes: [OutcomeMessage] = []
    /// What a pull begins with, if it was read at once.
    var page: Page?
}

extension Change {
    /// Reads a message by the definition's types. What cannot be read is kept as such, for the
    /// validation to refuse together with all else that is wrong.
    init(_ message: ChangeMessage, by rules: Rules) {
        let model = rules.model(named: message.model)
        let fields = message.fields.map { name, json -> (String, GivenValue) in
            let name = name.asASCII
            return (name, GivenValue(json, of: model?.type(ofField: name)))
        }
        self.init(
            id: message.id, action: ChangeAction(message.action), model: message.model,
            guid: message.guid, baseRevision: message.base,
            fields: Dictionary(fields, uniquingKeysWith: { first, _ in first }),
            isRefusedIfStale: message.ifStale == .refuse)
    }
}

extension GivenValue {
    /// A field that the model has not cannot be read; the validation names it.
    fileprivate init(_ json: JSONValue, of type: FieldTypeName?) {
        switch json {
        case .null: self = .null
        case .boolean, .integer, .decimal, .string, .array, .object, .unrepresentable:
            let value = type.flatMap { FieldValue(json, of: $0) }
            self = value.map { .value($0) } ?? .unreadable
        }
    }
}

extension ChangeAction {
    fileprivate init(_ action: ChangeMessage.Action) {
        switch action {
        case .create: self = .create
        case .update: self = .update
        case .delete: self = .delete
        case .resolve: self = .resolve
        }
    }
}

extension String {
    /// Names of a definition are ASCII. Any other is escaped, since Swift takes some of them for
    /// equal to an ASCII one (the Kelvin sign for a K).
    fileprivate var asASCII: String {
        utf8.allSatisfy { $0 < 0x80 }
            ? self : unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
    }
}
