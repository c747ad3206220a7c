import DefinitionModel
/// A text field with `allowedValues`, as an enumeration. Generated models contain such types; there
/// is no need to write one.
///
/// A value that another version of the definition has is kept as it is, as `other`. Two values
/// are equal if their texts have the same bytes.
public protocol AllowedValue: StorableValue, Comparing, RawRepresentable, CaseIterable
where RawValue == String, Plain == Self {
    /// A value that this version of the definition does not have.
    static func other(_ text: String) -> Self

    /// The case of this text, or `other`.
    init(rawValue: String)
}

extension AllowedValue {
    /// The case of this text, or `other`.
    public init(rawValue text: String) {
        self = Self.allCases.first { $0.rawValue.hasSameBytes(as: text) } ?? .other(text)
    }

    /// Nil if the field is not a text.
    public init?(_ stored: StoredField) {
        guard let text = String(stored) else { return nil }
        self.init(rawValue: text)
    }

    /// The text.
    public var stored: StoredField { rawValue.stored }

    /// Whether both texts have the same bytes.
    public static func == (left: Self, right: Self) -> Bool {
        left.rawValue.hasSameBytes(as: right.rawValue)
    }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rawValue)
    }

    /// Decodes the text.
    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
