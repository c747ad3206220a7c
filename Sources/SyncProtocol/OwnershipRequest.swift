import JSON

/// `PATCH /v1/ENVIRONMENT/records/MODEL/GUID/ownership`: omitted members keep their values.
package struct OwnershipRequest: Codable, Hashable, Sendable {
    package var owner: String?
    package var group: String?

    package init(owner: String? = nil, group: String? = nil) {
        self.owner = owner
        self.group = group
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case owner, group
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        owner = try container.decodeIfPresent(String.self, forKey: .owner)
        group = try container.decodeIfPresent(String.self, forKey: .group)
    }
}

/// The record's revision, owner and group after the change.
package struct OwnershipResponse: Codable, Hashable, Sendable {
    package var model: String
    package var guid: String
    package var revision: Int64
    package var owner: String
    package var group: String

    package init(model: String, guid: String, revision: Int64, owner: String, group: String) {
        self.model = model
        self.guid = guid
        self.revision = revision
        self.owner = owner
        self.group = group
    }
}
