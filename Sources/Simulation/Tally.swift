package import SyncProtocol

/// How much happened: a promise that nothing could have broken is not worth much.
package struct Tally: Hashable, Sendable {
    package private(set) var histories = 0
    package var requests = 0
    /// Requests that were lost, held up, sent again, or whose answer was.
    package var faults = 0
    package var records = 0
    package var drops = 0
    /// Records that were forgotten.
    package var swept = 0
    package var resyncs = 0
    /// By what became of them; each change once.
    package private(set) var outcomes: [OutcomeMessage.Kind: Int] = [:]
    /// Changes that were sent again after they had an outcome.
    package var repeats = 0

    package init() {}

    static let one: Tally = {
        var tally = Tally()
        tally.histories = 1
        return tally
    }()

    mutating func count(_ outcome: OutcomeMessage.Kind) { outcomes[outcome, default: 0] += 1 }

    package var changes: Int { outcomes.values.reduce(0, +) }

    package static func + (left: Tally, right: Tally) -> Tally {
        var sum = left
        sum.histories += right.histories
        sum.requests += right.requests
        sum.faults += right.faults
        sum.records += right.records
        sum.drops += right.drops
        sum.swept += right.swept
        sum.resyncs += right.resyncs
        sum.repeats += right.repeats
        sum.outcomes.merge(right.outcomes, uniquingKeysWith: +)
        return sum
    }
}
