import DefinitionModel
import Simulation
import SyncProtocol
import Synchronization

@testable import Waggle

/// Resolves conflicts in varying ways, which are the same when a history is repeated.
final class Decisions: Sendable {
    private struct State {
        /// By guid.
        var times: [String: Int] = [:]
        var made: [SettledDispute] = []
    }

    private let state = Mutex(State())

    /// - Parameter app: A resolution has the fields of its models only, as those of apps have.
    func decide(
        _ conflict: Conflict<RecordValues>, in app: AppDefinition
    ) -> ConflictDecision<RecordValues> {
        state.withLock { state in
            let time = state.times[conflict.guid, default: 0]
            state.times[conflict.guid] = time + 1
            let (decision, settled) = conflict.decision(time, app.fields(of: conflict.model))
            state.made.append(SettledDispute(guid: conflict.guid, decision: settled))
            return decision
        }
    }

    /// The resolutions since the last call.
    func takeMade() -> [SettledDispute] {
        state.withLock { state in
            defer { state.made = [] }
            return state.made
        }
    }
}

extension Conflict<RecordValues> {
    /// A conflict is postponed at most once, so that histories end.
    fileprivate func decision(
        _ time: Int, _ known: Set<String>
    ) -> (ConflictDecision<RecordValues>, SettledDispute.Decision) {
        let number = "\(guid) \(time)".utf8.reduce(5381) { ($0 &* 33) ^ Int($1) }
        switch (number & .max) % 6 {
        case 0 where time == 0: return (.later, .later)
        case 1 where time == 0: return (.cancel, .later)
        case 2: return (.useServer, .theirs)
        case 3, 4:
            guard let client, let server else { return (.useClient, .mine) }
            let merged = server.taking(from: client, known)
            return (.useMerged(merged), .merged(merged.fields))
        case _: return (.useClient, .mine)
        }
    }
}

extension RecordValues {
    /// Takes the first field that differs.
    fileprivate func taking(from other: RecordValues, _ known: Set<String>) -> RecordValues {
        let names = other.fields.keys.sorted().filter {
            known.contains($0) && other.fields[$0] != fields[$0]
        }
        let first = names.first.flatMap { name in other.fields[name].map { [name: $0] } } ?? [:]
        return RecordValues(
            model: model, guid: guid, owner: owner, group: group, isConflicted: isConflicted,
            fields: fields.merging(first) { _, new in new })
    }
}

extension AppDefinition {
    fileprivate func fields(of model: String) -> Set<String> {
        Set(definition.models.first { $0.name == model }?.fields.map(\.name) ?? [])
    }
}
