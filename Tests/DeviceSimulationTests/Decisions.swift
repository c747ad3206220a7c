import Simulation
import SyncProtocol
import Synchronization

@testable import Waggle

/// Somebody who settles conflicts, each time another way, and the same way when a history is played
/// again.
final class Decisions: Sendable {
    private struct State {
        /// By guid.
        var times: [String: Int] = [:]
        var made: [SettledDispute] = []
    }

    private let state = Mutex(State())

    func decide(_ conflict: Conflict<RecordValues>) -> ConflictDecision<RecordValues> {
        state.withLock { state in
            let time = state.times[conflict.guid, default: 0]
            state.times[conflict.guid] = time + 1
            let (decision, settled) = conflict.decision(time)
            state.made.append(SettledDispute(guid: conflict.guid, decision: settled))
            return decision
        }
    }

    /// Those since the last time.
    func takeMade() -> [SettledDispute] {
        state.withLock { state in
            defer { state.made = [] }
            return state.made
        }
    }
}

extension Conflict<RecordValues> {
    /// Put off once at most, or it would never end.
    fileprivate func decision(
        _ time: Int
    ) -> (ConflictDecision<RecordValues>, SettledDispute.Decision) {
        let number = "\(guid) \(time)".utf8.reduce(5381) { ($0 &* 33) ^ Int($1) }
        switch (number & .max) % 6 {
        case 0 where time == 0: return (.later, .later)
        case 1 where time == 0: return (.cancel, .later)
        case 2: return (.useServer, .theirs)
        case 3, 4:
            guard let client, let server else { return (.useClient, .mine) }
            let merged = server.taking(from: client)
            return (.useMerged(merged), .merged(merged.fields))
        case _: return (.useClient, .mine)
        }
    }
}

extension RecordValues {
    /// The first field that is another one there.
    fileprivate func taking(from other: RecordValues) -> RecordValues {
        let names = other.fields.keys.sorted().filter { other.fields[$0] != fields[$0] }
        let first = names.first.flatMap { name in other.fields[name].map { [name: $0] } } ?? [:]
        return RecordValues(
            model: model, guid: guid, owner: owner, group: group, isConflicted: isConflicted,
            fields: fields.merging(first) { _, new in new })
    }
}
