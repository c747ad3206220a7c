package import JSON

/// `POST /v1/ENVIRONMENT/sync`: pushes changes and pulls new records in one round trip.
package struct SyncRequest: Codable, Hashable, Sendable {
    /// From the previous response; nil to start from the beginning.
    package var cursor: String?
    /// The maximum number of records to return.
    package var limit: Int?
    package var changes: [ChangeMessage]
    /// Ids of changes whose outcomes the client has stored; the server deletes these outcomes.
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

/// A change of one record, with only the fields that it sets.
package struct ChangeMessage: Codable, Hashable, Sendable {
    package enum Action: String, Codable, Hashable, Sendable, CaseIterable {
        case create, update, delete, resolve
    }

    /// The treatment of a stale change.
    package enum WhenStale: String, Codable, Hashable, Sendable, CaseIterable {
        /// The conflict mode of the model decides.
        case settle
        /// A change that would be in conflict, be set aside, or overwrite unseen values is refused:
        /// the client resolves the conflict itself.
        case refuse
    }

    package var id: String
    package var action: Action
    package var model: String
    package var guid: String
    /// The revision that the change is based on. Absent for a creation, and for a change that
    /// follows another change of the same record in this batch.
    package var base: Int64?
    /// Nil means `settle`.
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
