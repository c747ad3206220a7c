import JSON

extension JSONValue {
    /// Nil if it is no object or has no such member.
    func member(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The JSON itself.
    var written: String {
        var writer = JSONWriter(keepingDecimals: true)
        writer.value(self)
        return writer.text
    }

    var number: Int64? {
        guard case .integer(let number) = self else { return nil }
        return number
    }

    /// The texts of a list; none if it is no list.
    var texts: [String] {
        guard case .array(let elements) = self else { return [] }
        return elements.compactMap(\.text)
    }
}
