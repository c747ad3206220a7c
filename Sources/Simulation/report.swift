import SyncProtocol

/// A report for users on histories without a violation.
package func summary(
    of counts: HistoryCounts, in scenario: Scenario, seeds: ClosedRange<UInt64>
) -> String {
    let outcomes = OutcomeMessage.Kind.allCases.compactMap { kind in
        counts.outcomes[kind].map { "\($0) \(kind.rawValue)" }
    }
    let histories = counts.histories == 1 ? "1 history" : "\(counts.histories) histories"
    return """
        no violation in \(histories) of \(scenario.steps) steps by \
        \(scenario.clients) devices, seeds \(seeds.lowerBound) to \(seeds.upperBound)
          changes    \((["\(counts.changes)"] + outcomes).joined(separator: ", "))
          repeats    \(counts.repeats), each with the same outcome
          requests   \(counts.requests), of which \(counts.faults) failed in transit
          records    \(counts.records) sent, \(counts.drops) dropped, \(counts.purged) purged
          resyncs    \(counts.resyncs)

        """
}

/// A report for users on a violated invariant, with the shortest history that violates it. `again`
/// is the command that repeats the complete history.
package func report(
    of shrunk: History, from whole: History, in scenario: Scenario, again: String
) -> String {
    let width = "\(shrunk.steps.count)".count
    let steps = shrunk.steps.enumerated().map { number, step in
        "  \(padded(number + 1, to: width)). \(step.summary(scenario))\n"
    }
    let rest =
        String(repeating: " ", count: width + 4) + "then all devices sync until nothing changes"
    return """
        seed \(whole.seed) violates the guarantee that \(shrunk.violation?.invariant.sentence ?? "")

        the shortest history with this violation, \(shrunk.steps.count) of \
        \(whole.steps.count) steps:

        \(steps.joined())\(rest)

        found: \(shrunk.violation?.finding ?? "")
        again: \(again)

        """
}

private func padded(_ number: Int, to width: Int) -> String {
    let text = "\(number)"
    return String(repeating: " ", count: width - text.count) + text
}
