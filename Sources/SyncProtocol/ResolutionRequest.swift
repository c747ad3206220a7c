import JSON

/// `POST /v1/ENVIRONMENT/conflicts`: resolves many conflicts by a rule.
package struct ResolutionRequest: Codable, Hashable, Sendable {
    package enum Side: String, Codable, Hashable, Sendable, CaseIterable {
        /// The values of the changes that were set aside; of several, the last.
        case mine
        /// The record's values.
        case theirs
    }

    /// The client's identifier for the request, unique for its login and device. A repeated request
    /// with the same id has no further effect.
    package var id: String
    /// Restricts the resolution to one model.
    package var model: String?
    /// Restricts the resolution to these records of `model`.
    package var guids: [String]?
    package var choose: Side
    /// Fields with another side than `choose`, by name.
    package var fields: [String: Side]
    /// From the previous response, to continue after it.
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

/// The outcomes of the resolutions.
package struct ResolutionResponse: Codable, Hashable, Sendable {
    package var outcomes: [OutcomeMessage]
    /// For the next request; absent when all conflicts have been visited.
    package var cursor: String?

    package init(outcomes: [OutcomeMessage], cursor: String?) {
        self.outcomes = outcomes
        self.cursor = cursor
    }
}
