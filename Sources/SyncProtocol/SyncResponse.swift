package import JSON

/// The outcomes of the changes, and a page of new records.
package struct SyncResponse: Codable, Hashable, Sendable {
    /// One per change, in the order of the request.
    package var outcomes: [OutcomeMessage]
    package var records: [RecordMessage]
    /// Records that the user may no longer see. The client deletes them after storing `records`.
    package var dropped: [DroppedMessage]
    /// For the next request, once `records` are stored.
    package var cursor: String
    /// Whether more records are waiting.
    package var more: Bool
    /// The records start from the beginning, because the server cannot compute the changes since
    /// the cursor. The client deletes records that are not sent again, and keeps its unsent
    /// changes.
    package var resync: Bool

    package init(
        outcomes: [OutcomeMessage], records: [RecordMessage], dropped: [DroppedMessage],
        cursor: String, more: Bool, resync: Bool
    ) {
        self.dropped = dropped
        self.outcomes = outcomes
        self.records = records
        self.cursor = cursor
        self.more = more
        self.resync = resync
    }
}

/// The outcome of a change.
package struct OutcomeMessage: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        /// Applied.
        case accepted
        /// Applied; others had changed other fields since the base (mode `MERGE`).
        case merged
        /// Kept beside the record's values as an open conflict.
        case conflicted
        /// Not applied, because another change came first; kept in the record's history.
        case discarded
        /// Not applied; `causes` has the reasons.
        case refused
    }

    /// The id of the change.
    package var id: String
    package var outcome: Kind
    package var model: String
    package var guid: String
    /// The record's revision after the change; absent for a refused change.
    package var revision: Int64?
    /// The revision that the change replaced unseen (mode `OVERWRITE`).
    package var overwrote: Int64?
    package var causes: [CauseMessage]?

    package init(
        id: String, outcome: Kind, model: String, guid: String, revision: Int64? = nil,
        overwrote: Int64? = nil, causes: [CauseMessage]? = nil
    ) {
        self.id = id
        self.outcome = outcome
        self.model = model
        self.guid = guid
        self.revision = revision
        self.overwrote = overwrote
        self.causes = causes
    }
}

/// A reason for a refusal.
package struct CauseMessage: Codable, Hashable, Sendable {
    /// For programs; stable.
    package var code: String
    /// For people.
    package var message: String
    package var field: String?
    /// The argument of the code, such as the limit that was exceeded.
    package var argument: String?
    /// The position of the rule in `application.xml`; line and column count from 1.
    package var line: Int?
    package var column: Int?

    package init(
        code: String, message: String, field: String? = nil, argument: String? = nil,
        line: Int? = nil, column: Int? = nil
    ) {
        self.code = code
        self.message = message
        self.field = field
        self.argument = argument
        self.line = line
        self.column = column
    }
}

/// A record with the fields that its reader may see.
package struct RecordMessage: Codable, Hashable, Sendable {
    package var model: String
    package var guid: String
    package var revision: Int64
    package var owner: String
    package var group: String
    package var deleted: Bool
    package var conflicted: Bool
    /// A value or null by name; a field that the reader may not see is absent. Nil if the record is
    /// deleted and has no open conflicts.
    package var fields: [String: JSONValue]?
    /// The open conflicts, oldest first.
    package var conflicts: [ConflictMessage]?

    package init(
        model: String, guid: String, revision: Int64, owner: String, group: String,
        deleted: Bool, conflicted: Bool, fields: [String: JSONValue]?,
        conflicts: [ConflictMessage]? = nil
    ) {
        self.model = model
        self.guid = guid
        self.revision = revision
        self.owner = owner
        self.group = group
        self.deleted = deleted
        self.conflicted = conflicted
        self.fields = fields
        self.conflicts = conflicts
    }
}

/// A record that its reader may no longer see.
package struct DroppedMessage: Codable, Hashable, Sendable {
    package var model: String
    package var guid: String

    package init(model: String, guid: String) {
        self.model = model
        self.guid = guid
    }
}

/// A conflict of two changes. Each side has the disputed fields that the reader may see.
package struct ConflictMessage: Codable, Hashable, Sendable {
    /// The record's revision when the conflict was opened; identifies the conflict within the
    /// record.
    package var revision: Int64
    /// The revision that the later change was based on, and its values.
    package var baseRevision: Int64
    package var base: ConflictSide
    /// The later change, which was not applied.
    package var mine: ConflictSide
    /// The record's values at that time.
    package var theirs: ConflictSide
    /// True if the conflict is with a change of a related record, through a relation that analyzes
    /// conflicts; absent otherwise.
    package var related: Bool?
    /// True if nobody else has changed a visible field that the later change sets, so that both
    /// sides can be applied. Absent otherwise.
    package var parallel: Bool?

    package init(
        revision: Int64, baseRevision: Int64, base: ConflictSide, mine: ConflictSide,
        theirs: ConflictSide, related: Bool? = nil, parallel: Bool? = nil
    ) {
        self.related = related
        self.parallel = parallel
        self.revision = revision
        self.baseRevision = baseRevision
        self.base = base
        self.mine = mine
        self.theirs = theirs
    }
}

/// One side of a conflict.
package struct ConflictSide: Codable, Hashable, Sendable {
    package var deleted: Bool
    package var fields: [String: JSONValue]
    /// The author of the change, the device category, and the time in milliseconds since 1970 in
    /// UTC. Absent for the base.
    package var login: String?
    package var deviceCategory: String?
    package var at: Int64?

    package init(
        deleted: Bool, fields: [String: JSONValue], login: String? = nil,
        deviceCategory: String? = nil, at: Int64? = nil
    ) {
        self.deleted = deleted
        self.fields = fields
        self.login = login
        self.deviceCategory = deviceCategory
        self.at = at
    }
}
