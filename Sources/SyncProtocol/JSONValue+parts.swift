import JSON

extension JSONValue {
    var stringValue: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    var integerValue: Int64? {
        guard case .integer(let number) = self else { return nil }
        return number
    }

    var booleanValue: Bool? {
        guard case .boolean(let flag) = self else { return nil }
        return flag
    }

    var elements: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    var members: [String: JSONValue]? {
        guard case .object(let members) = self else { return nil }
        return members
    }
}
