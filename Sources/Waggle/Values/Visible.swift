import JSON
import SyncProtocol

/// A field that some role may not see: a value, null, or hidden.
///
/// Saving a record leaves its hidden fields as they are.
public enum Visible<Value: StorableValue>: Hashable, Sendable {
    /// A value.
    case value(Value)
    /// No value.
    case null
    /// The user may not see whether there is a value.
    case hidden

    /// The value, or null.
    public init(_ value: Value?) {
        self = value.map { .value($0) } ?? .null
    }

    /// The value, or nil for null and for a hidden field.
    public var value: Value? {
        switch self {
        case .value(let value): value
        case .null, .hidden: nil
        }
    }

    /// Whether the user may not see the field.
    public var isHidden: Bool { self == .hidden }
}

extension Visible: Storable {
    /// Nil if the value is of another type.
    public init?(_ stored: StoredField) {
        switch stored.json {
        case nil: self = .hidden
        case .null?: self = .null
        case .some:
            guard let value = Value(stored) else { return nil }
            self = .value(value)
        }
    }

    /// The value as it is stored.
    public var stored: StoredField {
        switch self {
        case .value(let value): value.stored
        case .null: .null
        case .hidden: .hidden
        }
    }
}

/// A value or null; hidden has no representation of its own.
extension Visible: Codable {
    /// Decodes a value or null.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = container.decodeNil() ? .null : .value(try container.decode(Value.self))
    }

    /// Encodes the value, or null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .value(let value): try container.encode(value)
        case .null, .hidden: try container.encodeNil()
        }
    }
}

extension Visible: ExpressibleByNilLiteral {
    /// Null.
    public init(nilLiteral: ()) {
        self = .null
    }
}

extension Visible: ExpressibleByUnicodeScalarLiteral, ExpressibleByExtendedGraphemeClusterLiteral,
    ExpressibleByStringLiteral
where Value == String {
    /// A text, from a literal.
    public init(stringLiteral text: String) {
        self = .value(text)
    }
}

extension Visible: ExpressibleByIntegerLiteral where Value == Int64 {
    /// A whole number, from a literal.
    public init(integerLiteral number: Int64) {
        self = .value(number)
    }
}
