package import DefinitionModel

/// A client's change of one record, with only the fields that it set.
package struct Change: Hashable, Sendable {
    /// The client's own name for it, unique for its user and device: a repeat is known by it.
    package let id: String
    package let action: ChangeAction
    package let model: String
    package let guid: String
    /// The revision that the client saw when it made the change. Nil for a creation, and for a
    /// change that follows another of the same record in its batch.
    package let baseRevision: Int64?
    package let fields: [String: GivenValue]
    /// Whether it is refused where its author did not know the record's present state, instead of
    /// being settled as the conflict mode says.
    package let isRefusedIfStale: Bool
    /// Whether its client sends whole records, and would repeat a refused change for ever. Such a
    /// change may set a text of up to 4,096 characters where the definition has no limit, may refer
    /// to a deleted record, and replaces the device's open edit of a disputed record.
    package let isOfWholeRecord: Bool
    /// Whether it is made from the record's state at its turn, for clients that know no revisions.
    /// Such an update or deletion has no base, meets no conflict, and is refused if the record is
    /// deleted. A number that rounds to the same binary one of 64 bits as the present number is no
    /// change, and neither is the nearest time with a year of four digits to a present one beyond.
    /// Only such an update, and one that is refused if it is stale, may add to a field or edit a
    /// part of it.
    package let followsPresent: Bool
    /// Whether it only asks whether its author sees the record, in the state that it names: an
    /// update without fields, for changes of other records beside it, whose rights decide. It needs
    /// no right to the record.
    package let onlyAsks: Bool
    /// The id of the change of its batch that stands for a whole request. If that one was decided
    /// before, the request is a repeat, and this change has no effect, whatever its id. Nil for a
    /// change that stands for itself.
    package let partOf: String?
    /// The opaque id of a new record, on wires with such ids; nil if the guid is the id. The server
    /// checks that the guid is the one that the id stands for.
    package let name: String?
    /// Values of a new record that its client, built with an earlier version, cannot know to be
    /// required. The server sets them; they need no right.
    package let filled: [String: FieldValue]
    /// Whether it creates a record that another service has deleted, and the next change of the
    /// batch deletes. Its values need not obey the limits, and its relations may lead to no record.
    /// Without a required value, the record gets none.
    package let isOfDeleted: Bool

    package init(
        id: String, action: ChangeAction, model: String, guid: String, baseRevision: Int64?,
        fields: [String: GivenValue], isRefusedIfStale: Bool = false,
        isOfWholeRecord: Bool = false, followsPresent: Bool = false, onlyAsks: Bool = false,
        partOf: String? = nil, name: String? = nil, filled: [String: FieldValue] = [:],
        isOfDeleted: Bool = false
    ) {
        self.filled = filled
        self.onlyAsks = onlyAsks
        self.partOf = partOf
        self.isOfDeleted = isOfDeleted
        self.id = id
        self.action = action
        self.model = model
        self.guid = guid
        self.baseRevision = baseRevision
        self.fields = fields
        self.isRefusedIfStale = isRefusedIfStale
        self.isOfWholeRecord = isOfWholeRecord
        self.followsPresent = followsPresent
        self.name = name
    }
}

extension Change {
    /// All values that the change gives to its record.
    package var values: [String: GivenValue] {
        filled.isEmpty
            ? fields : fields.merging(filled.mapValues { .value($0) }) { _, filled in filled }
    }

    /// A creation with the values that rules give to the fields of `names` which it leaves empty.
    /// Any other change, and one that needs none, is returned unchanged.
    package func filling(_ names: Set<String>, by fills: FillRules, in model: ModelRules) -> Change
    {
        guard action == .create else { return self }
        let filled = fills.values(of: names, leftOpenBy: fields, in: model)
        guard !filled.isEmpty else { return self }
        return Change(
            id: id, action: action, model: self.model, guid: guid, baseRevision: baseRevision,
            fields: fields, isRefusedIfStale: isRefusedIfStale, isOfWholeRecord: isOfWholeRecord,
            followsPresent: followsPresent, onlyAsks: onlyAsks, partOf: partOf, name: name,
            filled: filled, isOfDeleted: isOfDeleted)
    }
}

/// The effect of a change on its record.
package enum ChangeAction: String, Hashable, Sendable, CaseIterable {
    case create, update, delete
    /// An update that also closes the record's open conflicts.
    case resolve
    /// Brings a deleted record back with the values that it had. It needs the rights to update and
    /// to delete the record, and is refused if its author did not know the record's present state.
    case restore

    /// The right that the model must grant for it; a restoration needs the one to delete as well.
    package var operation: Operation {
        switch self {
        case .create: .create
        case .update, .restore: .update
        case .delete: .delete
        case .resolve: .resolve
        }
    }
}

/// The value that a change gives to a field.
package enum GivenValue: Hashable, Sendable {
    case null
    case value(FieldValue)
    /// A number, of the type of the field, to be added to the value that the record has at the
    /// change's turn; null counts as 0. In a creation it is the value.
    case added(FieldValue)
    /// Edits, in their order, of the value that a field with the format `json` has at the change's
    /// turn. Only an update that may add to a field may have them.
    case edited([JSONEdit])
    /// Something that is no value of the field's type. Kept until validation, which refuses it
    /// together with all else that is wrong.
    case unreadable
}
