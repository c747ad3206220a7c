package import JSON

/// `GET /v1/ENVIRONMENT/records/MODEL/GUID/history`: the history of a record, latest first.
package struct HistoryResponse: Codable, Hashable, Sendable {
    package var entries: [HistoryMessage]
    /// For older entries; absent on the last page.
    package var cursor: String?

    package init(entries: [HistoryMessage], cursor: String?) {
        self.entries = entries
        self.cursor = cursor
    }
}

/// An entry of a record's history, with the fields that the reader may see.
package struct HistoryMessage: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        case created, updated, deleted, resolved
        /// The change was set aside as an open conflict.
        case conflicted
        /// The change was not applied, because another change came first.
        case discarded
        /// The record got another owner or group.
        case reassigned
    }

    /// The record's revision after the change.
    package var revision: Int64
    package var kind: Kind
    package var login: String
    package var deviceCategory: String
    /// Milliseconds since 1970 in UTC.
    package var at: Int64
    /// The replaced values, null where the field had none. Absent if nothing was replaced.
    package var before: [String: JSONValue]?
    /// The values that the change would have set. Only for `conflicted` and `discarded`.
    package var wanted: [String: JSONValue]?
    /// The previous owner and group. Only for `reassigned`.
    package var owner: String?
    package var group: String?

    package init(
        revision: Int64, kind: Kind, login: String, deviceCategory: String, at: Int64,
        before: [String: JSONValue]? = nil, wanted: [String: JSONValue]? = nil,
        owner: String? = nil, group: String? = nil
    ) {
        self.revision = revision
        self.kind = kind
        self.login = login
        self.deviceCategory = deviceCategory
        self.at = at
        self.before = before
        self.wanted = wanted
        self.owner = owner
        self.group = group
    }
}
