package import JSON

/// Two changes of one record that did not know of each other. Each side has only the fields in
/// dispute; what a reader is given has only those of them that the reader may see.
package struct RecordConflict: Hashable, Sendable {
    /// The record's revision that opened the conflict; unique among the record's conflicts.
    package let revision: Int64
    /// The revision that the later change was made from, and its values.
    package let baseRevision: Int64
    package var base: Side
    /// The change that came later and was not applied.
    package var mine: Side
    /// The record's values by then.
    package var theirs: Side
    /// True when the record itself had not changed, but one that it belongs to, or that belongs to
    /// it, by a relation with `analyzeConflict`.
    package let isRelated: Bool
    /// Whether both sides can be had, told by the fields that the reader may see. False in a stored
    /// conflict: it depends on the reader.
    package var isParallel: Bool

    package init(
        revision: Int64, baseRevision: Int64, base: Side, mine: Side, theirs: Side,
        isRelated: Bool = false, isParallel: Bool = false
    ) {
        self.revision = revision
        self.baseRevision = baseRevision
        self.base = base
        self.mine = mine
        self.theirs = theirs
        self.isRelated = isRelated
        self.isParallel = isParallel
    }

    /// One side of a conflict.
    package struct Side: Hashable, Sendable {
        package var isDeleted: Bool
        package var fields: [String: JSONValue]
        /// The author, the device category, and when (milliseconds since 1970 in UTC). Nil for the
        /// base, and where the history does not tell.
        package var login: String?
        package var deviceCategory: String?
        package var at: Int64?

        package init(
            isDeleted: Bool, fields: [String: JSONValue], login: String? = nil,
            deviceCategory: String? = nil, at: Int64? = nil
        ) {
            self.isDeleted = isDeleted
            self.fields = fields
            self.login = login
            self.deviceCategory = deviceCategory
            self.at = at
        }
    }
}

extension RecordConflict {
    /// Whether no field that the later change sets has another value since its base.
    package var isParallelInFields: Bool {
        !mine.isDeleted && !theirs.isDeleted && !mine.fields.isEmpty
            && mine.fields.keys.allSatisfy { base.fields[$0] == theirs.fields[$0] }
    }

    /// With what `change` makes of the fields of each side.
    package func mapFields(
        _ change: ([String: JSONValue]) -> [String: JSONValue]
    ) -> RecordConflict {
        var conflict = self
        conflict.base.fields = change(base.fields)
        conflict.mine.fields = change(mine.fields)
        conflict.theirs.fields = change(theirs.fields)
        return conflict
    }
}
