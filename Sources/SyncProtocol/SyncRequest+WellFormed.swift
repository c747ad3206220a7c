package import JSON

extension SyncRequest: WellFormed {
    package init?(wellFormed json: JSONValue) {
        guard case .object(let members) = json else { return nil }
        self.init()
        for (name, value) in members {
            guard take(value, named: name) else { return nil }
        }
    }

    private mutating func take(_ value: JSONValue, named name: String) -> Bool {
        switch name {
        case "cursor":
            cursor = value.string
            return cursor != nil
        case "limit":
            limit = value.integer.map { Int($0) }
            return limit != nil
        case "changes":
            changes = value.elements?.compactMap(ChangeMessage.init(wellFormed:)) ?? []
            return changes.count == value.elements?.count
        case "acknowledged":
            acknowledged = value.elements?.compactMap(\.string) ?? []
            return acknowledged.count == value.elements?.count
        default: return false
        }
    }
}

extension ChangeMessage: WellFormed {
    package init?(wellFormed json: JSONValue) {
        guard case .object(let members) = json, let id = members["id"]?.string,
            let action = (members["action"]?.string).flatMap(Action.init(rawValue:)),
            let model = members["model"]?.string, let guid = members["guid"]?.string
        else { return nil }
        self.init(id: id, action: action, model: model, guid: guid)
        for (name, value) in members {
            guard take(value, named: name) else { return nil }
        }
    }

    private mutating func take(_ value: JSONValue, named name: String) -> Bool {
        switch name {
        case "id", "action", "model", "guid": return true
        case "base":
            base = value.integer
            return base != nil
        case "ifStale":
            ifStale = value.string.flatMap(WhenStale.init(rawValue:))
            return ifStale != nil
        case "fields":
            guard case .object(let values) = value else { return false }
            fields = values
            return true
        default: return false
        }
    }
}

extension JSONValue {
    fileprivate var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    fileprivate var integer: Int64? {
        guard case .integer(let number) = self else { return nil }
        return number
    }

    fileprivate var elements: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }
}
