import JSON
import SyncProtocol

/// A type that a field of a record can have. Generated models use those of this library; there is
/// no need for others.
public protocol Storable: Codable, Hashable, Sendable {
    /// Reads a stored value. Nil if it is not one of this type.
    init?(_ stored: StoredField)

    /// The value as it is stored.
    var stored: StoredField { get }
}

/// A `Storable` type that is always a value, neither null nor hidden.
public protocol StorableValue: Storable {}

/// The stored state of a field: a value, null, or hidden from the user.
public struct StoredField: Hashable, Sendable {
    /// Nil for a hidden field.
    let json: JSONValue?

    init(_ json: JSONValue?) {
        self.json = json
    }

    /// Null.
    public static let null = StoredField(.null)
    /// Not visible to the user.
    public static let hidden = StoredField(nil)
}

extension String: StorableValue {
    /// Nil if the field is not a text.
    public init?(_ stored: StoredField) {
        guard case .string(let text)? = stored.json else { return nil }
        self = text
    }

    /// The value as it is stored.
    public var stored: StoredField { StoredField(.string(self)) }
}

extension Int64: StorableValue {
    /// Nil if the field is not a whole number of 64 bits.
    public init?(_ stored: StoredField) {
        guard case .integer(let number)? = stored.json else { return nil }
        self = number
    }

    /// The value as it is stored.
    public var stored: StoredField { StoredField(.integer(self)) }
}

extension Bool: StorableValue {
    /// Nil if the field is not true or false.
    public init?(_ stored: StoredField) {
        guard case .boolean(let flag)? = stored.json else { return nil }
        self = flag
    }

    /// The value as it is stored.
    public var stored: StoredField { StoredField(.boolean(self)) }
}

/// A field that may be null. A hidden one reads as nil; where a field can be hidden, generated
/// models have a `Visible`.
extension Optional: Storable where Wrapped: StorableValue {
    /// Nil inside for null and hidden values; nil if the value is of another type.
    public init?(_ stored: StoredField) {
        switch stored.json {
        case nil, .null?: self = .none
        case .some:
            guard let value = Wrapped(stored) else { return nil }
            self = .some(value)
        }
    }

    /// The value as it is stored.
    public var stored: StoredField { self?.stored ?? .null }
}
