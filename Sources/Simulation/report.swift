import SyncProtocol

/// For people: what happened in the histories of these seeds, none of which broke a promise.
package func summary(
    of tally: Tally, in setting: Setting, seeds: ClosedRange<UInt64>
) -> String {
    let outcomes = OutcomeMessage.Kind.allCases.compactMap { kind in
        tally.outcomes[kind].map { "\($0) \(kind.rawValue)" }
    }
    let histories = tally.histories == 1 ? "1 history" : "\(tally.histories) histories"
    return """
        every promise was kept in \(histories) of \(setting.steps) steps by \
        \(setting.clients) devices, seeds \(seeds.lowerBound) to \(seeds.upperBound)
          changes    \((["\(tally.changes)"] + outcomes).joined(separator: ", "))
          repeats    \(tally.repeats), each with the outcome that the change had
          requests   \(tally.requests), of which \(tally.faults) went wrong on their way
          records    \(tally.records) handed out, \(tally.drops) taken back, \
        \(tally.swept) forgotten
          anew       \(tally.resyncs) times a device had to begin

        """
}

/// For people: a promise that was broken, and the shortest history that breaks it. `again` is the
/// command that plays the whole of it.
package func report(
    of shortest: History, from whole: History, in setting: Setting, again: String
) -> String {
    let width = "\(shortest.steps.count)".count
    let steps = shortest.steps.enumerated().map { number, step in
        "  \(padded(number + 1, to: width)). \(step.inWords(setting))\n"
    }
    let rest = String(repeating: " ", count: width + 4) + "then everybody syncs until all is quiet"
    return """
        seed \(whole.seed) breaks the promise that \(shortest.broken?.promise.sentence ?? "")

        the shortest of its histories that does, \(shortest.steps.count) of \
        \(whole.steps.count) steps:

        \(steps.joined())\(rest)

        found: \(shortest.broken?.finding ?? "")
        again: \(again)

        """
}

private func padded(_ number: Int, to width: Int) -> String {
    let text = "\(number)"
    return String(repeating: " ", count: width - text.count) + text
}
