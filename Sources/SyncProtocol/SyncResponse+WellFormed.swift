package import JSON

/// Unknown members are ignored, as the decoder does: a newer server may send some.
extension SyncResponse: WellFormed {
    package init?(wellFormed json: JSONValue) {
        guard let members = json.members,
            let outcomes = members["outcomes"]?.elements,
            let records = members["records"]?.elements,
            let dropped = members["dropped"]?.elements,
            let cursor = members["cursor"]?.stringValue, let more = members["more"]?.booleanValue,
            let resync = members["resync"]?.booleanValue
        else { return nil }
        self.init(
            outcomes: outcomes.compactMap(OutcomeMessage.init(wellFormed:)),
            records: records.compactMap(RecordMessage.init(wellFormed:)),
            dropped: dropped.compactMap(DroppedMessage.init(wellFormed:)),
            cursor: cursor, more: more, resync: resync)
        guard self.outcomes.count == outcomes.count, self.records.count == records.count,
            self.dropped.count == dropped.count
        else { return nil }
    }
}

extension OutcomeMessage {
    fileprivate init?(wellFormed json: JSONValue) {
        guard let members = json.members, let id = members["id"]?.stringValue,
            let outcome = (members["outcome"]?.stringValue).flatMap(Kind.init(rawValue:)),
            let model = members["model"]?.stringValue, let guid = members["guid"]?.stringValue,
            let revision = optional(members["revision"], \.integerValue),
            let overwrote = optional(members["overwrote"], \.integerValue),
            let causes = optional(
                members["causes"], { try? decode([CauseMessage].self, from: $0) })
        else { return nil }
        self.init(
            id: id, outcome: outcome, model: model, guid: guid, revision: revision,
            overwrote: overwrote, causes: causes)
    }
}

extension RecordMessage {
    fileprivate init?(wellFormed json: JSONValue) {
        guard let members = json.members, let model = members["model"]?.stringValue,
            let guid = members["guid"]?.stringValue,
            let revision = members["revision"]?.integerValue,
            let owner = members["owner"]?.stringValue, let group = members["group"]?.stringValue,
            let deleted = members["deleted"]?.booleanValue,
            let conflicted = members["conflicted"]?.booleanValue,
            let fields = optional(members["fields"], \.members),
            let conflicts = optional(
                members["conflicts"], { try? decode([ConflictMessage].self, from: $0) })
        else { return nil }
        self.init(
            model: model, guid: guid, revision: revision, owner: owner, group: group,
            deleted: deleted, conflicted: conflicted, fields: fields, conflicts: conflicts)
    }
}

extension DroppedMessage {
    fileprivate init?(wellFormed json: JSONValue) {
        guard let members = json.members, let model = members["model"]?.stringValue,
            let guid = members["guid"]?.stringValue
        else { return nil }
        self.init(model: model, guid: guid)
    }
}

/// The value of an optional member, `.some(nil)` for one that is absent or null. Nil for a value of
/// another kind.
private func optional<Value>(_ json: JSONValue?, _ read: (JSONValue) -> Value?) -> Value?? {
    switch json {
    case nil, .null?: .some(nil)
    case let json?: read(json).map { .some($0) }
    }
}
