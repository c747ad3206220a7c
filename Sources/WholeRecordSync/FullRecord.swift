package import ChangeRules
package import DefinitionModel
package import JSON

/// A record with every field that the client knows, from a client that tracks neither revisions nor
/// changed fields.
package struct FullRecord: Hashable, Sendable {
    /// Identifies this push of the record; unique for its login and device.
    package let id: String
    package let model: String
    package let guid: String
    package let isDeleted: Bool
    /// Whether these values resolve the record's conflicts.
    package let resolves: Bool
    package internal(set) var fields: [String: GivenValue]
    /// The values that are unreadable, as they were sent.
    package let unreadable: [String: JSONValue]
    /// Required fields that have the value which the client is sent if its user may not read them.
    package let placeholders: Set<String>
    /// Decimals of which the client knows whole numbers only, and that have the value which it is
    /// sent in the place of another one.
    package let standingForFractions: Set<String>
    package let precision: ClientPrecision
    /// Fields that hold files and that the client leaves out if they have no value. They are not
    /// among `fields`, because a new record need not have them.
    package let emptyFiles: Set<String>
    /// Guids of files that the record names and that its device was not sent. The device does not
    /// know that the record names them.
    var awaitedFiles: Set<String> = []
    /// See `Change.filled`; only if the record is new.
    package let filled: [String: FieldValue]

    package init(
        id: String, model: String, guid: String, isDeleted: Bool, resolves: Bool,
        fields: [String: GivenValue], unreadable: [String: JSONValue] = [:],
        placeholders: Set<String> = [], standingForFractions: Set<String> = [],
        emptyFiles: Set<String> = [], precision: ClientPrecision = .exact,
        filled: [String: FieldValue] = [:]
    ) {
        self.precision = precision
        self.emptyFiles = emptyFiles
        self.standingForFractions = standingForFractions
        self.filled = filled
        self.id = id
        self.model = model
        self.guid = guid
        self.isDeleted = isDeleted
        self.resolves = resolves
        self.fields = fields
        self.unreadable = unreadable
        self.placeholders = placeholders
    }
}

extension FullRecord {
    /// A change that covers everything the record may lead to; used to determine what must be read.
    var broadest: Change {
        change(
            isDeleted ? .delete : resolves ? .resolve : .update, from: nil,
            setting: fieldsOfUpdate.merging(filled.mapValues { .value($0) }) { given, _ in given })
    }

    /// The fields, with null for those that the client leaves out if they have no value.
    var fieldsOfUpdate: [String: GivenValue] {
        fields.merging(emptyFiles.map { ($0, .null) }) { given, _ in given }
    }

    func change(
        _ action: ChangeAction, from base: Int64?, setting fields: [String: GivenValue]
    ) -> Change {
        Change(
            id: id, action: action, model: model, guid: guid, baseRevision: base, fields: fields,
            isOfWholeRecord: true, filled: action == .create ? filled : [:])
    }
}
