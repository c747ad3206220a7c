package import JSON

/// What became of the changes, and a page of what is new.
package struct SyncResponse: Codable, Hashable, Sendable {
    /// One for each change, in the order of the request.
    package var outcomes: [OutcomeMessage]
    package var records: [RecordMessage]
    /// Records that are not this user's to see any more: the client forgets them, after it has
    /// stored `records`.
    package var dropped: [DroppedMessage]
    /// To be sent with the next request, once `records` are stored.
    package var cursor: String
    /// More is waiting: ask again at once.
    package var more: Bool
    /// The records start from nothing again, because the server cannot tell what has changed since
    /// the cursor. The client drops what it holds and is not sent again, and keeps its unsent
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

/// What became of one change.
package struct OutcomeMessage: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        /// Applied.
        case accepted
        /// Applied, beside what others did to other fields meanwhile (mode `MERGE`).
        case merged
        /// Kept beside the record's values, as an open conflict.
        case conflicted
        /// Not applied, because someone else was first; kept in the record's history.
        case discarded
        /// Not applied; `causes` say why.
        case refused
    }

    /// The change's.
    package var id: String
    package var outcome: Kind
    package var model: String
    package var guid: String
    /// The record's, after this change; absent when it was refused.
    package var revision: Int64?
    /// The revision that the change replaced without having seen it (mode `OVERWRITE`).
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

/// One reason of a refusal.
package struct CauseMessage: Codable, Hashable, Sendable {
    /// Stable, for programs.
    package var code: String
    /// For people.
    package var message: String
    package var field: String?
    /// The code's argument, such as the limit that was broken.
    package var argument: String?
    /// Where in `application.xml` the rule stands, both from 1.
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

/// A record as its reader may see it.
package struct RecordMessage: Codable, Hashable, Sendable {
    package var model: String
    package var guid: String
    package var revision: Int64
    package var owner: String
    package var group: String
    package var deleted: Bool
    package var conflicted: Bool
    /// A value, or null; a field that is not here is not this reader's to see. Absent as a whole
    /// when the record is deleted and nobody disputes it.
    package var fields: [String: JSONValue]?
    /// The open ones, oldest first.
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

/// A record that was taken from its reader.
package struct DroppedMessage: Codable, Hashable, Sendable {
    package var model: String
    package var guid: String

    package init(model: String, guid: String) {
        self.model = model
        self.guid = guid
    }
}

/// Two changes that did not know of each other. Each side has only the fields in dispute, and of
/// them only those that the reader may see.
package struct ConflictMessage: Codable, Hashable, Sendable {
    /// The record's revision that opened it; names it among the record's conflicts.
    package var revision: Int64
    /// The revision that the later change was made from, and its values.
    package var baseRevision: Int64
    package var base: ConflictSide
    /// The change that came later and was not applied.
    package var mine: ConflictSide
    /// What the record had by then.
    package var theirs: ConflictSide
    /// True when nobody had changed the record itself, but one that it belongs to, or that belongs
    /// to it, by a relation that analyzes conflicts; absent otherwise.
    package var related: Bool?
    /// True when, of the fields that the reader may see, nobody else has changed one that the later
    /// change sets: both sides can be had. Absent otherwise.
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
    /// Who did it, from which device category, and when (milliseconds since 1970 in UTC); absent
    /// for the base.
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
