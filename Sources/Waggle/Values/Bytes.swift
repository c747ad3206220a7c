public import Foundation

/// The value of a text field with the format `base64`: bytes.
public struct Bytes: FormattedText {
    /// The bytes in base64, padded and without line breaks.
    public let text: String

    /// Bytes.
    public init(_ data: Data) {
        text = data.base64EncodedString()
    }

    /// The default of a field, as generated code writes it; the compiler of the definition has
    /// checked it.
    public init(canonical text: String) {
        self.text = text
    }

    /// The bytes; none for a text that is not base64.
    public var data: Data { Data(base64Encoded: text) ?? Data() }
}
