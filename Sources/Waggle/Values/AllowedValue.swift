/// A text of the few that a field may have. Generated models have such enumerations; there is no
/// need to write one.
///
/// A value that another version of the definition has is kept as it is, as `other`. Two are the
/// same when their texts are, to the byte.
public protocol AllowedValue: StorableValue, Comparing, RawRepresentable, CaseIterable
where RawValue == String, Plain == Self {
    static func other(_ text: String) -> Self

    init(rawValue: String)
}

extension AllowedValue {
    public init(rawValue text: String) {
        self = Self.allCases.first { $0.rawValue.utf8.elementsEqual(text.utf8) } ?? .other(text)
    }

    public init?(_ stored: StoredField) {
        guard let text = String(stored) else { return nil }
        self.init(rawValue: text)
    }

    public var stored: StoredField { rawValue.stored }

    public static func == (left: Self, right: Self) -> Bool {
        left.rawValue.utf8.elementsEqual(right.rawValue.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(rawValue)
    }

    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
