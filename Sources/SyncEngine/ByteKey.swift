import DefinitionModel

/// A text as a dictionary's key that is found only by the same bytes, where a `String` is also
/// found by a canonically equivalent one.
struct ByteKey: Hashable, Sendable {
    private let text: String

    init(_ text: String) { self.text = text }

    static func == (left: ByteKey, right: ByteKey) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }
}
