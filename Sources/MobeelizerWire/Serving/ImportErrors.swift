import ChangeRules

/// The errors of an imported archive, as messages. Only the first ones are kept.
struct ImportErrors: Hashable, Sendable {
    private static let max = 20

    private(set) var messages: [String] = []
    private(set) var count = 0

    mutating func add(_ text: String) {
        count += 1
        if messages.count < Self.max { messages.append(text) }
    }

    /// The message for a synchronization of `records` records; nil if there were no errors.
    func rejection(of records: Int) -> String? {
        guard count > 0 else { return nil }
        let more = count > messages.count ? ["and \(count - messages.count) more"] : []
        return
            (["some of \(records) records were refused; the others are stored"] + messages
            + more)
            .joined(separator: "\n")
    }
}

extension ImportErrors {
    /// Ignores an outcome other than a refusal.
    mutating func add(_ outcome: Outcome, through mapping: SchemaMapping) {
        guard outcome.kind == .refused else { return }
        let model = mapping.model(outcome.model)?.clientName ?? outcome.model.shortenedName
        let causes = outcome.causes.map { CauseDescription($0).message }.joined(separator: "; ")
        add("\(model) \(outcome.guid): \(causes)")
    }
}
