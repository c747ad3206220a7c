import AccessPolicy
import DefinitionModel
import SyncEngine
import SyncProtocol

extension Ledger {
    /// Looks at an answer right after the engine gave it.
    mutating func audit(
        _ response: SyncResponse, to request: SyncRequest, from asker: Asker, by player: Player
    ) async throws(BrokenPromise) {
        note(asker)
        try checkEveryChangeIsAnswered(response, request)
        let written = try await reading { ledger async throws(StoreError) in
            try await ledger.readOn()
        }
        let fresh = try freshChanges(response, by: player)
        let guids = Set(fresh.map(\.change.message.guid))
        try await reading { ledger async throws(StoreError) in
            try await ledger.readPasts(of: guids)
        }
        for change in fresh { try check(change, from: asker) }
        try checkUniqueValues(of: written)
        for record in response.records { try check(record, for: asker) }
        for record in response.dropped { try check(record, for: asker) }
        tally.records += response.records.count
        tally.drops += response.dropped.count
        tally.resyncs += response.resync ? 1 : 0
    }

    private func checkEveryChangeIsAnswered(
        _ response: SyncResponse, _ request: SyncRequest
    ) throws(BrokenPromise) {
        guard response.outcomes.map(\.id) == request.changes.map(\.id) else {
            throw BrokenPromise(
                .everyRequestIsAnswered,
                "\(request.changes.count) changes got \(response.outcomes.count) outcomes, or "
                    + "those of others")
        }
    }

    /// Those that had no outcome before. What had one must have the same again.
    private mutating func freshChanges(
        _ response: SyncResponse, by player: Player
    ) throws(BrokenPromise) -> [SettledChange] {
        var fresh: [SettledChange] = []
        for outcome in response.outcomes {
            let name = ChangeName(outcome.id, by: player)
            guard let entry = changes[name] else { continue }
            if let known = entry.outcome {
                tally.repeats += 1
                guard known == outcome else {
                    throw BrokenPromise(
                        .changesTakeEffectOnce,
                        "\(name.inWords) was \(known.outcome), and is "
                            + "\(outcome.outcome) when it is repeated")
                }
                continue
            }
            note(outcome, of: name)
            tally.count(outcome.outcome)
            fresh.append(SettledChange(name: name, change: entry.change, outcome: outcome))
        }
        return fresh
    }

    /// Takes in what was done on no device.
    mutating func readChanges() async throws(BrokenPromise) {
        _ = try await reading { ledger async throws(StoreError) in try await ledger.readOn() }
    }

    /// What the auditors cannot read, nobody can.
    mutating func reading<Value: Sendable>(
        _ body: (inout Ledger) async throws(StoreError) -> Value
    ) async throws(BrokenPromise) -> Value {
        do {
            return try await body(&self)
        } catch {
            throw BrokenPromise(.nothingAcknowledgedIsLost, "what is stored is \(error)")
        }
    }
}

// MARK: - What was handed out

extension Ledger {
    /// A record that someone got must be what they may see of it at this moment.
    func check(_ message: RecordMessage, for asker: Asker) throws(BrokenPromise) {
        let name = recordInWords(message.guid, model: message.model)
        guard let expected = self.message(of: message.guid, for: asker) else {
            throw BrokenPromise(
                .nobodyGetsWhatIsNotTheirs, "'\(asker.login)' got \(name), which is not theirs")
        }
        let surplus = message.fieldNames.subtracting(expected.fieldNames).sorted()
        guard surplus.isEmpty else {
            throw BrokenPromise(
                .nobodyGetsWhatIsNotTheirs,
                "'\(asker.login)' got '\(surplus.joined(separator: "', '"))' of \(name), which is "
                    + "not theirs")
        }
        guard message == expected else {
            throw BrokenPromise(
                .everybodyGetsWhatIsStored,
                "'\(asker.login)' got \(name) as \(message.inWords), and it is "
                    + expected.inWords)
        }
    }
}

extension Ledger {
    /// Only who may have had a record is told that it is not theirs any more.
    private func check(_ dropped: DroppedMessage, for asker: Asker) throws(BrokenPromise) {
        guard wasEverSeen(dropped.guid, model: dropped.model, by: asker) else {
            throw BrokenPromise(
                .nobodyGetsWhatIsNotTheirs,
                "'\(asker.login)' was told to drop "
                    + recordInWords(dropped.guid, model: dropped.model)
                    + ", which was never theirs")
        }
    }
}

extension RecordMessage {
    /// Everywhere in it.
    fileprivate var fieldNames: Set<String> {
        let sides = (conflicts ?? []).flatMap { [$0.base, $0.mine, $0.theirs] }
        return sides.reduce(Set((fields ?? [:]).keys)) { $0.union($1.fields.keys) }
    }
}
