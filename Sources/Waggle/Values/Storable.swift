import JSON
import SyncProtocol

/// A type that a field of a record can have. Generated models use those of this library; there is
/// no need for others.
public protocol Storable: Codable, Hashable, Sendable {
    /// Nil where this is no value of the type.
    init?(_ stored: StoredField)

    var stored: StoredField { get }
}

/// A `Storable` type that is a value, neither nothing nor hidden.
public protocol StorableValue: Storable {}

/// What is kept of a field: a value, null, or that it is not the user's to see.
public struct StoredField: Hashable, Sendable {
    /// Nil for a field that is not the user's to see.
    let json: JSONValue?

    init(_ json: JSONValue?) {
        self.json = json
    }

    public static let null = StoredField(.null)
    public static let hidden = StoredField(nil)
}

extension String: StorableValue {
    public init?(_ stored: StoredField) {
        guard case .string(let text)? = stored.json else { return nil }
        self = text
    }

    public var stored: StoredField { StoredField(.string(self)) }
}

extension Int64: StorableValue {
    public init?(_ stored: StoredField) {
        guard case .integer(let number)? = stored.json else { return nil }
        self = number
    }

    public var stored: StoredField { StoredField(.integer(self)) }
}

extension Bool: StorableValue {
    public init?(_ stored: StoredField) {
        guard case .boolean(let flag)? = stored.json else { return nil }
        self = flag
    }

    public var stored: StoredField { StoredField(.boolean(self)) }
}

/// Of a field that may be empty. One that is hidden reads as nil: where that can be, generated
/// models have a `Visible`.
extension Optional: Storable where Wrapped: StorableValue {
    public init?(_ stored: StoredField) {
        switch stored.json {
        case nil, .null?: self = .none
        case .some:
            guard let value = Wrapped(stored) else { return nil }
            self = .some(value)
        }
    }

    public var stored: StoredField { self?.stored ?? .null }
}
