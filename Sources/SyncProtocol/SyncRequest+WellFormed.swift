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
            cursor = value.stringValue
            return cursor != nil
        case "limit":
            limit = value.integerValue.map { Int($0) }
            return limit != nil
        case "changes":
            changes = value.elements?.compactMap(ChangeMessage.init(wellFormed:)) ?? []
            return changes.count == value.elements?.count
        case "acknowledged":
            acknowledged = value.elements?.compactMap(\.stringValue) ?? []
            return acknowledged.count == value.elements?.count
        default: return false
        }
    }
}

extension ChangeMessage: WellFormed {
    package init?(wellFormed json: JSONValue) {
        guard case .object(let members) = json, let id = members["id"]?.stringValue,
            let action = (members["action"]?.stringValue).flatMap(Action.init(rawValue:)),
            let model = members["model"]?.stringValue, let guid = members["guid"]?.stringValue
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
            base = value.integerValue
            return base != nil
        case "ifStale":
            ifStale = value.stringValue.flatMap(WhenStale.init(rawValue:))
            return ifStale != nil
        case "fields":
            guard case .object(let values) = value else { return false }
            fields = values
            return true
        default: return false
        }
    }
}
