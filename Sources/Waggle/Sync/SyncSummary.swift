import SyncProtocol

/// The counts of a sync.
public struct SyncSummary: Hashable, Sendable {
    /// Records that the server sent.
    public internal(set) var received = 0
    /// Records that the user may not see any more.
    public internal(set) var dropped = 0
    /// Changes that took effect.
    public internal(set) var accepted = 0
    /// Changes that became open conflicts.
    public internal(set) var conflicted = 0
    /// Changes that lost to an earlier one; the history on the server keeps them.
    public internal(set) var discarded = 0
    /// Changes that the server refused; see ``Database/refusedChanges()``.
    public internal(set) var refused = 0

    mutating func count(_ outcome: OutcomeMessage.Kind) {
        switch outcome {
        case .accepted, .merged: accepted += 1
        case .conflicted: conflicted += 1
        case .discarded: discarded += 1
        case .refused: refused += 1
        }
    }

    static func + (left: SyncSummary, right: SyncSummary) -> SyncSummary {
        var sum = left
        sum.received += right.received
        sum.dropped += right.dropped
        sum.accepted += right.accepted
        sum.conflicted += right.conflicted
        sum.discarded += right.discarded
        sum.refused += right.refused
        return sum
    }
}
