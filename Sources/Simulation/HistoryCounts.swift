package import SyncProtocol

/// The number of events in histories. They show whether a history could have violated an invariant.
package struct HistoryCounts: Hashable, Sendable {
    package private(set) var histories = 0
    package var requests = 0
    /// Requests that were lost, delayed or repeated, or whose answer was.
    package var faults = 0
    package var records = 0
    package var drops = 0
    /// Records that were removed by a sweep.
    package var purged = 0
    package var resyncs = 0
    /// Records that the last pulls told to clients that know a time, and those that had a second
    /// time for such a client, because they look different since their change.
    package var told = 0
    package var retold = 0
    /// Versions of a changing definition that were deployed, and updates of apps with unsent edits.
    package var versions = 0
    package var updates = 0
    /// Those versions that had been deployed before, and those updates that left out a version.
    package var returns = 0
    package var leaps = 0
    /// Requests of several parts that were done, and repeats of them.
    package var doneRequests = 0
    package var repeatedRequests = 0
    /// Deleted rows of another service that were imported.
    package var deletedRows = 0
    /// The number of changes with each outcome; each change counts once.
    package private(set) var outcomes: [OutcomeMessage.Kind: Int] = [:]
    /// Changes that were sent again after they had an outcome.
    package var repeats = 0

    package init() {}

    static let one: HistoryCounts = {
        var counts = HistoryCounts()
        counts.histories = 1
        return counts
    }()

    mutating func count(_ outcome: OutcomeMessage.Kind) { outcomes[outcome, default: 0] += 1 }

    package var changes: Int { outcomes.values.reduce(0, +) }

    package static func + (left: HistoryCounts, right: HistoryCounts) -> HistoryCounts {
        var sum = left
        sum.histories += right.histories
        sum.requests += right.requests
        sum.faults += right.faults
        sum.records += right.records
        sum.drops += right.drops
        sum.purged += right.purged
        sum.resyncs += right.resyncs
        sum.told += right.told
        sum.retold += right.retold
        sum.versions += right.versions
        sum.updates += right.updates
        sum.returns += right.returns
        sum.leaps += right.leaps
        sum.repeats += right.repeats
        sum.doneRequests += right.doneRequests
        sum.repeatedRequests += right.repeatedRequests
        sum.deletedRows += right.deletedRows
        sum.outcomes.merge(right.outcomes, uniquingKeysWith: +)
        return sum
    }
}
