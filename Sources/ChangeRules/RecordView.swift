package import JSON

/// A record as its reader may see it.
package struct RecordView: Hashable, Sendable {
    package let model: String
    package let guid: String
    package let revision: Int64
    /// A login.
    package let owner: String
    package let group: String
    package let isDeleted: Bool
    package let isConflicted: Bool
    /// A value, or null; a field that is missing is not visible to the reader. Nil when the record
    /// is deleted and not in conflict.
    package var fields: [String: JSONValue]?
    /// The open ones, oldest first; nil when the record has none.
    package var conflicts: [RecordConflict]?

    package init(
        model: String, guid: String, revision: Int64, owner: String, group: String,
        isDeleted: Bool, isConflicted: Bool, fields: [String: JSONValue]?,
        conflicts: [RecordConflict]? = nil
    ) {
        self.model = model
        self.guid = guid
        self.revision = revision
        self.owner = owner
        self.group = group
        self.isDeleted = isDeleted
        self.isConflicted = isConflicted
        self.fields = fields
        self.conflicts = conflicts
    }
}

/// Names a record.
package struct RecordKey: Codable, Hashable, Sendable {
    package let model: String
    package let guid: String

    package init(model: String, guid: String) {
        self.model = model
        self.guid = guid
    }
}
