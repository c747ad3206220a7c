import ChangeRules
import WholeRecordSync

/// The refusals of an archive that could not be kept, as messages. Only the first ones are kept.
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
            ([
                "some of \(records) records were refused, and no more can be kept for the "
                    + "operator, who can see them with 'waggle refused list'; the others are stored"
            ] + messages + more)
            .joined(separator: "\n")
    }
}

extension ImportErrors {
    mutating func add(_ refusal: RefusedInput, through mapping: SchemaMapping) {
        let model = mapping.model(refusal.model)?.clientName ?? refusal.model
        let causes = refusal.causes.map { CauseDescription($0).message }.joined(separator: "; ")
        add([model, refusal.guid].filter { !$0.isEmpty }.joined(separator: " ") + ": \(causes)")
    }
}
