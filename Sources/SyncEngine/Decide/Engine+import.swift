package import ChangeRules

extension Engine {
    /// Pushes changes without a pull, for an import, and returns their outcomes. The outcomes are
    /// kept for `seconds`; refusals are not kept, so a repeat of the change is decided anew. A
    /// trial decides and writes nothing. Changes of related records up to the sequence `seen` are
    /// known to the author.
    package func push(
        importing changes: [Change], prepared: PreparedBatch? = nil,
        keepingOutcomesFor seconds: Int64, isTrial: Bool, seen sequence: Int64 = 0,
        by caller: Caller, at now: Instant
    ) async throws(SyncError) -> [Outcome] {
        try await push(
            changes, prepared: prepared, seen: sequence, forgettingAfter: seconds, from: caller,
            at: now, keeping: isTrial ? .nothing : .allButRefusals
        ).outcomes
    }
}

extension Engine {
    /// Pushes changes of a client that knows no cursors and acknowledges nothing, and returns their
    /// outcomes. Throws `tooManyChanges`.
    ///
    /// - Parameters:
    ///   - prepared: The changes after they were checked; nil if they are checked now.
    ///   - seconds: The time for which the outcomes are kept, so that a repeat of a change gets the
    ///     outcome of the first. Nil keeps none for longer than until the next sweep: the changes
    ///     are not repeated.
    ///   - isWhole: Whether nothing is written unless every change has an effect.
    package func push(
        _ changes: [Change], prepared: PreparedBatch? = nil, keepingOutcomesFor seconds: Int64?,
        isWhole: Bool = false, by caller: Caller, at now: Instant,
        whileWanted isWanted: (@Sendable () -> Bool)? = nil
    ) async throws(SyncError) -> StampedOutcomes {
        try checkSize(of: PushPull(changes: changes))
        let pushed = try await push(
            changes, prepared: prepared, seen: 0, forgettingAfter: seconds ?? 0, from: caller,
            at: now, whileWanted: isWanted,
            keeping: isWhole ? .allOrNothing : seconds == nil ? .allButOutcomes : .everything,
            tellsStamps: true)
        return StampedOutcomes(outcomes: pushed.outcomes, stamps: pushed.stamps)
    }
}

/// The outcomes of changes, with the stamps that they have made.
package struct StampedOutcomes: Sendable {
    /// In the order of the changes.
    package var outcomes: [Outcome]
    /// The stamp of the last change of each record, by guid. None for a record that a repeat, or a
    /// change without an effect, has left as it was.
    package let stamps: [String: Instant]
}

/// The part of a decision that is written.
enum KeptDecision: Sendable {
    case everything
    /// Everything but the outcomes.
    case allButOutcomes
    /// Everything if no change is refused, else nothing.
    case allOrNothing
    /// Everything but the outcomes of refused changes.
    case allButRefusals
    case nothing
}

extension WriteSet {
    /// The part of the writes that is kept.
    func keeping(_ part: KeptDecision, of outcomes: [Outcome]) -> WriteSet {
        switch part {
        case .everything: return self
        case .nothing: return WriteSet()
        case .allOrNothing where outcomes.contains { $0.kind == .refused }: return WriteSet()
        case .allOrNothing: return self
        case .allButOutcomes:
            var kept = self
            kept.outcomes = []
            return kept
        case .allButRefusals:
            let refused = Set(outcomes.filter { $0.kind == .refused }.map(\.changeID))
            var kept = self
            kept.outcomes.removeAll { refused.contains($0.changeID) }
            return kept
        }
    }
}
