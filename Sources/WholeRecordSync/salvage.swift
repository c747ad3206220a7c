import ChangeRules
import SyncEngine

/// A decided batch, and what was refused of it.
struct SalvagedBatch {
    let decided: DecidedBatch
    /// By change id.
    let refused: [String: RefusedPart]
    /// See `DecidedBatch.hiddenClashes`. A value that was left out afterwards counts too.
    let hiddenClashes: Int
}

/// The part of a change that was refused.
struct RefusedPart {
    fileprivate(set) var fields: [String: GivenValue] = [:]
    fileprivate(set) var causes: [Cause] = []
    /// Whether nothing of the change took effect.
    fileprivate(set) var isWhole = false

    fileprivate mutating func add(_ fields: [String: GivenValue], _ causes: [Cause]) {
        self.fields.merge(fields) { earlier, _ in earlier }
        self.causes += causes.filter { !self.causes.contains($0) }
    }
}

/// Decides a batch so that what can be taken in is taken in: a refused change is decided again
/// without the fields at fault. One refusal can cause another, so this repeats, but not for ever:
/// other writers wait meanwhile. Throws `cancelled` if nobody waits for the result any more.
func salvage(
    _ changes: [Change], given facts: Facts, by rules: Rules, author: Author,
    unless cancellation: Cancellation? = nil, maxRounds: Int = 4
) throws(StoreError) -> SalvagedBatch {
    var batch = changes
    var refused: [String: RefusedPart] = [:]
    var (round, hiddenClashes) = (0, 0)
    while true {
        let decided = try decide(
            batch, given: facts, by: rules, author: author, unless: cancellation)
        hiddenClashes += decided.hiddenClashes
        let places = decided.outcomes.indices.filter { decided.outcomes[$0].kind == .refused }
        var reduced: [Int: Change] = [:]
        if round < maxRounds {
            for place in places {
                reduced[place] = batch[place].without(fieldsOf: decided.outcomes[place].causes)
            }
        }
        for place in places where reduced[place] != nil || reduced.isEmpty {
            let rest = reduced[place]
            let fields = batch[place].fields.filter { rest?.fields[$0.key] == nil }
            refused[batch[place].id, default: RefusedPart()]
                .add(fields, decided.outcomes[place].causes)
            if reduced.isEmpty { refused[batch[place].id]?.isWhole = true }
        }
        guard !reduced.isEmpty else {
            return SalvagedBatch(
                decided: decided, refused: refused, hiddenClashes: hiddenClashes)
        }
        for (place, change) in reduced { batch[place] = change }
        round += 1
    }
}

extension Change {
    /// The change without the fields at fault. Nil if nothing of it would be left, or if the fault
    /// is not one of its fields.
    fileprivate func without(fieldsOf causes: [Cause]) -> Change? {
        let faulty = Set(causes.compactMap(\.field))
        guard causes.allSatisfy({ $0.field != nil }), !faulty.isDisjoint(with: fields.keys) else {
            return nil
        }
        let rest = fields.filter { !faulty.contains($0.key) }
        guard action == .create || !rest.isEmpty else { return nil }
        return Change(
            id: id, action: action, model: model, guid: guid, baseRevision: baseRevision,
            fields: rest, isOfWholeRecord: isOfWholeRecord, filled: filled)
    }
}
