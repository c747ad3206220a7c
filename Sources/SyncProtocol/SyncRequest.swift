package import JSON

/// `POST /v1/ENVIRONMENT/sync`: push changes and pull what is new, in one round trip.
package struct SyncRequest: Codable, Hashable, Sendable {
    /// Of the last answer; nil to get everything from the start.
    package var cursor: String?
    /// Records wanted in the answer at most.
    package var limit: Int?
    package var changes: [ChangeMessage]
    /// Change ids whose outcomes the client has stored; the server forgets them.
    package var acknowledged: [String]

    package init(
        cursor: String? = nil, limit: Int? = nil, changes: [ChangeMessage] = [],
        acknowledged: [String] = []
    ) {
        self.cursor = cursor
        self.limit = limit
        self.changes = changes
        self.acknowledged = acknowledged
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case cursor, limit, changes, acknowledged
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        cursor = try container.decodeIfPresent(String.self, forKey: .cursor)
        limit = try container.decodeNumberIfPresent(forKey: .limit).map { Int($0) }
        changes = try container.decodeIfPresent([ChangeMessage].self, forKey: .changes) ?? []
        acknowledged = try container.decodeIfPresent([String].self, forKey: .acknowledged) ?? []
    }
}

/// One change of one record, naming only the fields it sets.
package struct ChangeMessage: Codable, Hashable, Sendable {
    package enum Action: String, Codable, Hashable, Sendable, CaseIterable {
        case create, update, delete, resolve
    }

    /// What becomes of a change that did not know the record's present state.
    package enum WhenStale: String, Codable, Hashable, Sendable, CaseIterable {
        /// The conflict mode of the model settles it.
        case settle
        /// It is refused where it would have been in conflict, set aside, or have overwritten what
        /// it did not know: its client wants to settle it itself.
        case refuse
    }

    package var id: String
    package var action: Action
    package var model: String
    package var guid: String
    /// The revision that the change was made from; absent for a creation, and for a change that
    /// follows another of the same record in this batch.
    package var base: Int64?
    /// `settle` where nothing is said.
    package var ifStale: WhenStale?
    package var fields: [String: JSONValue]

    package init(
        id: String, action: Action, model: String, guid: String, base: Int64? = nil,
        ifStale: WhenStale? = nil, fields: [String: JSONValue] = [:]
    ) {
        self.id = id
        self.action = action
        self.model = model
        self.guid = guid
        self.base = base
        self.ifStale = ifStale
        self.fields = fields
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case id, action, model, guid, base, ifStale, fields
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        action = try container.decodeWord(forKey: .action)
        model = try container.decode(String.self, forKey: .model)
        guid = try container.decode(String.self, forKey: .guid)
        base = try container.decodeNumberIfPresent(forKey: .base)
        ifStale = try container.decodeWordIfPresent(forKey: .ifStale)
        fields = try container.decodeIfPresent([String: JSONValue].self, forKey: .fields) ?? [:]
    }
}
