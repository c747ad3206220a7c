import DefinitionModel

/// A dictionary key that compares text byte by byte. A `String` key also matches canonically
/// equivalent text.
struct ByteKey: Hashable, Sendable {
    private let text: String

    init(_ text: String) { self.text = text }

    static func == (left: ByteKey, right: ByteKey) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }
}
