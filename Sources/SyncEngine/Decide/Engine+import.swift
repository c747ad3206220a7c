package import ChangeRules

extension Engine {
    /// Pushes changes without a pull, for an import, and returns their outcomes. The outcomes are
    /// kept for `seconds`; refusals are not kept, so a repeat of the change is decided anew. A
    /// trial decides and writes nothing. Changes of related records up to the sequence `seen` are
    /// known to the author.
    package func push(
        importing changes: [Change], keepingOutcomesFor seconds: Int64, isTrial: Bool,
        seen sequence: Int64 = 0, by caller: Caller, at now: Instant
    ) async throws(SyncError) -> [Outcome] {
        try await push(
            changes, seen: sequence, forgettingAfter: seconds, from: caller, at: now,
            keeping: isTrial ? .nothing : .allButRefusals
        ).outcomes
    }
}

/// The part of a decision that is written.
enum KeptDecision: Sendable {
    case everything
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
        case .allButRefusals:
            let refused = Set(outcomes.filter { $0.kind == .refused }.map(\.changeID))
            var kept = self
            kept.outcomes.removeAll { refused.contains($0.changeID) }
            return kept
        }
    }
}
