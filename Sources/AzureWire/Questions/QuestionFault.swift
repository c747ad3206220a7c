/// A fault of a question: of a parameter of its URL, or of its filter.
struct QuestionFault: Error, Hashable, Sendable {
    /// For people, without a full stop.
    let message: String

    init(_ message: String) { self.message = message }
}
