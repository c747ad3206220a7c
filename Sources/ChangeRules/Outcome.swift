package import JSON

/// The outcome of one change. A repeat of the change gets the same outcome.
package struct Outcome: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Applied.
        case accepted
        /// Applied, beside what others did to other fields meanwhile (mode `MERGE`).
        case merged
        /// Kept beside the record's values, as an open conflict.
        case conflicted
        /// Not applied, because another change came first; kept in the record's history.
        case discarded
        /// Not applied; `causes` say why.
        case refused
    }

    package let changeID: String
    package var kind: Kind
    package var model: String
    package let guid: String
    /// The record's, after the change; nil when the change was refused.
    package let revision: Int64?
    /// The revision that the change replaced without having seen it (mode `OVERWRITE`).
    package var overwrote: Int64?
    /// Empty unless the change was refused; at most `maxCauses`.
    package let causes: [Cause]
    /// By field, as stored, the values that additions and edits of the change led to. Its author
    /// could see them then.
    package var results: [String: JSONValue] = [:]
    /// When the change was made, by the clock, in milliseconds since 1970. Only of updates whose
    /// clients know no revisions, and no later than the stamp of the change.
    package var madeAt: Int64?

    /// No definition has rules for so many mistakes in one record, but a client may name any number
    /// of fields that do not exist.
    package static let maxCauses = 100

    package init(
        changeID: String, kind: Kind, model: String, guid: String, revision: Int64? = nil,
        overwrote: Int64? = nil, causes: [Cause] = []
    ) {
        self.changeID = changeID
        self.kind = kind
        self.model = model
        self.guid = guid
        self.revision = revision
        self.overwrote = overwrote
        self.causes = causes
    }
}

extension Outcome {
    package init(_ change: Change, _ kind: Kind, revision: Int64) {
        self.init(
            changeID: change.id, kind: kind, model: change.model, guid: change.guid,
            revision: revision)
    }

    /// A refusal. Names that no definition can have are shortened, and causes beyond `maxCauses`
    /// are left out.
    package init(refusing change: Change, _ causes: [Cause]) {
        self.init(
            changeID: change.id, kind: .refused, model: change.model.shortenedName,
            guid: change.guid.shortenedName, causes: Array(causes.prefix(Self.maxCauses)))
    }
}
