import JSON

extension JSONValue {
    /// Nil if this is not an object, or has no such member.
    func member(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    /// Nil if this is not an object.
    var members: [String: JSONValue]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    /// Nil if this is not a string.
    var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// None if this is not an array.
    var elements: [JSONValue] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }
}
