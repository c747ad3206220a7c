import ChangeRules

/// What keeps a sync from being accepted, in words that name it. Of many, only some are kept.
struct Mistakes: Hashable, Sendable {
    private static let max = 20

    private(set) var words: [String] = []
    private(set) var count = 0

    mutating func add(_ text: String) {
        count += 1
        if words.count < Self.max { words.append(text) }
    }

    /// What people are shown of a sync of so many records; nil where nothing was wrong.
    func rejection(of records: Int) -> String? {
        guard count > 0 else { return nil }
        let more = count > words.count ? ["and \(count - words.count) more"] : []
        return
            (["of \(records) records not all were taken in; the others are stored"] + words + more)
            .joined(separator: "\n")
    }
}

extension Mistakes {
    /// Does nothing for what was not refused.
    mutating func add(_ outcome: Outcome, through lens: VersionLens) {
        guard outcome.kind == .refused else { return }
        let model = lens.model(outcome.model)?.clientName ?? outcome.model.shortenedName
        let causes = outcome.causes.map { CauseDescription($0).message }.joined(separator: "; ")
        add("\(model) \(outcome.guid): \(causes)")
    }
}
