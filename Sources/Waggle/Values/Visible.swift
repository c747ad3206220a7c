import JSON
import SyncProtocol

/// What a user sees of a field that not everybody may see: a value, null, or that it is not theirs.
///
/// A hidden field is left as it is by whatever is done to the record.
public enum Visible<Value: StorableValue>: Hashable, Sendable {
    case value(Value)
    /// There is none.
    case null
    /// There may be one, and it is not this user's to see.
    case hidden

    public init(_ value: Value?) {
        self = value.map { .value($0) } ?? .null
    }

    /// Nil where there is none, and where it is hidden.
    public var value: Value? {
        switch self {
        case .value(let value): value
        case .null, .hidden: nil
        }
    }

    public var isHidden: Bool { self == .hidden }
}

extension Visible: Storable {
    public init?(_ stored: StoredField) {
        switch stored.json {
        case nil: self = .hidden
        case .null?: self = .null
        case .some:
            guard let value = Value(stored) else { return nil }
            self = .value(value)
        }
    }

    public var stored: StoredField {
        switch self {
        case .value(let value): value.stored
        case .null: .null
        case .hidden: .hidden
        }
    }
}

/// As a value or null; what is hidden cannot be written by itself.
extension Visible: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = container.decodeNil() ? .null : .value(try container.decode(Value.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .value(let value): try container.encode(value)
        case .null, .hidden: try container.encodeNil()
        }
    }
}

extension Visible: ExpressibleByNilLiteral {
    public init(nilLiteral: ()) {
        self = .null
    }
}

extension Visible: ExpressibleByUnicodeScalarLiteral, ExpressibleByExtendedGraphemeClusterLiteral,
    ExpressibleByStringLiteral
where Value == String {
    public init(stringLiteral text: String) {
        self = .value(text)
    }
}

extension Visible: ExpressibleByIntegerLiteral where Value == Int64 {
    public init(integerLiteral number: Int64) {
        self = .value(number)
    }
}
