package import ChangeRules
import JSON

/// A record as a client has it that knows neither revisions nor which fields were changed: every
/// field that it knows.
package struct WholeRecord: Hashable, Sendable {
    /// Names this sending of it; no other of its login and device has or had it.
    package let id: String
    package let model: String
    package let guid: String
    package let isDeleted: Bool
    /// Whether these values are to end the record's conflicts.
    package let resolves: Bool
    package let fields: [String: GivenValue]

    package init(
        id: String, model: String, guid: String, isDeleted: Bool, resolves: Bool,
        fields: [String: GivenValue]
    ) {
        self.id = id
        self.model = model
        self.guid = guid
        self.isDeleted = isDeleted
        self.resolves = resolves
        self.fields = fields
    }
}

extension WholeRecord {
    /// A change that names as much as what will come of it can, to know by what has to be read.
    var broadest: Change {
        change(isDeleted ? .delete : resolves ? .resolve : .update, from: nil, setting: fields)
    }

    func change(
        _ action: ChangeAction, from base: Int64?, setting fields: [String: GivenValue]
    ) -> Change {
        Change(
            id: id, action: action, model: model, guid: guid, baseRevision: base, fields: fields)
    }
}
