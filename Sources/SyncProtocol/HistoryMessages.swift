package import JSON

/// `GET /v1/ENVIRONMENT/records/MODEL/GUID/history`: what was done to a record, the last first.
package struct HistoryResponse: Codable, Hashable, Sendable {
    package var entries: [HistoryMessage]
    /// For the entries before these; absent when there are none.
    package var cursor: String?

    package init(entries: [HistoryMessage], cursor: String?) {
        self.entries = entries
        self.cursor = cursor
    }
}

/// One thing that was done to a record, as its reader may see it.
package struct HistoryMessage: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        case created, updated, deleted, resolved
        /// Was set aside as an open conflict.
        case conflicted
        /// Was not applied, because someone else was first.
        case discarded
        /// Got another owner or group.
        case reassigned
    }

    /// The record's after it.
    package var revision: Int64
    package var kind: Kind
    package var login: String
    package var deviceCategory: String
    /// Milliseconds since 1970 in UTC.
    package var at: Int64
    /// The values that it replaced, null where there was none. Absent where it replaced none.
    package var before: [String: JSONValue]?
    /// The values that it would have set. Absent unless it was set aside or discarded.
    package var wanted: [String: JSONValue]?
    /// Whose the record was until then. Absent unless it was reassigned.
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
