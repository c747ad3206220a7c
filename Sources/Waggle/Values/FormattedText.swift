import DefinitionModel
import SyncProtocol

/// The value of a text field with a `format`. There is a type for each format, and no need for
/// others.
///
/// A text that is older than the format of its field is kept as it is. Two values are equal if
/// their texts have the same bytes.
public protocol FormattedText: StorableValue, Comparing where Plain == Self {
    /// The value as text, in the one form that the server stores.
    var text: String { get }

    /// The default of a field, as generated code writes it; the compiler of the definition has
    /// checked it.
    init(canonical text: String)
}

extension FormattedText {
    /// Nil if the field is not a text.
    public init?(_ stored: StoredField) {
        guard let text = String(stored) else { return nil }
        self.init(canonical: text)
    }

    /// The text.
    public var stored: StoredField { text.stored }

    /// Whether both texts have the same bytes.
    public static func == (left: Self, right: Self) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
    }

    /// Decodes the text.
    public init(from decoder: any Decoder) throws {
        self.init(canonical: try decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
