import JSON

/// `GET /v1/ENVIRONMENT/conflicts`: records with open conflicts, in the order of model and guid.
package struct ConflictsResponse: Codable, Hashable, Sendable {
    package var records: [RecordMessage]
    /// For what comes after these; absent when there is no more.
    package var cursor: String?

    package init(records: [RecordMessage], cursor: String?) {
        self.records = records
        self.cursor = cursor
    }
}

/// `POST /v1/ENVIRONMENT/conflicts`: resolve many at once by a rule.
package struct ResolutionRequest: Codable, Hashable, Sendable {
    package enum Side: String, Codable, Hashable, Sendable, CaseIterable {
        /// What the changes want that were set aside; of several the last.
        case mine
        /// What the record has.
        case theirs
    }

    /// The client's own name for it, unique for its login and device; a repeat with the same id
    /// does nothing twice.
    package var id: String
    /// Only records of this model.
    package var model: String?
    /// Only these, which have to be of the model.
    package var guids: [String]?
    package var choose: Side
    /// By name, of fields for which it is another side.
    package var fields: [String: Side]
    /// Of an earlier answer, to go on after it.
    package var cursor: String?

    package init(
        id: String, model: String? = nil, guids: [String]? = nil, choose: Side,
        fields: [String: Side] = [:], cursor: String? = nil
    ) {
        self.id = id
        self.model = model
        self.guids = guids
        self.choose = choose
        self.fields = fields
        self.cursor = cursor
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case id, model, guids, choose, fields, cursor
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        model = try container.decodeIfPresent(String.self, forKey: .model)
        guids = try container.decodeIfPresent([String].self, forKey: .guids)
        choose = try container.decodeWord(forKey: .choose)
        fields = try container.decodeWordsIfPresent(forKey: .fields) ?? [:]
        cursor = try container.decodeIfPresent(String.self, forKey: .cursor)
    }
}

/// What became of the resolutions.
package struct ResolutionResponse: Codable, Hashable, Sendable {
    package var outcomes: [OutcomeMessage]
    /// For what comes after these; absent when there is no more.
    package var cursor: String?

    package init(outcomes: [OutcomeMessage], cursor: String?) {
        self.outcomes = outcomes
        self.cursor = cursor
    }
}
