import JSON
import SyncProtocol

/// A record of any model, with its fields by name.
public struct RecordValues: Hashable, Sendable {
    /// The model of the record.
    public let model: String
    /// The guid of the record.
    public let guid: String
    /// The login of the owner; empty before the record is saved.
    public let owner: String
    /// The group of the record; empty before the record is saved.
    public let group: String
    /// Whether a conflict of the record is open.
    public let isConflicted: Bool
    /// The fields that are set. Hidden fields are missing.
    private(set) var fields: [String: JSONValue]

    /// A record without fields.
    public init(
        model: String, guid: String, owner: String = "", group: String = "",
        isConflicted: Bool = false
    ) {
        self.init(
            model: model, guid: guid, owner: owner, group: group, isConflicted: isConflicted,
            fields: [:])
    }

    init(
        model: String, guid: String, owner: String, group: String, isConflicted: Bool,
        fields: [String: JSONValue]
    ) {
        self.model = model
        self.guid = guid
        self.owner = owner
        self.group = group
        self.isConflicted = isConflicted
        self.fields = fields
    }

    /// The value of a field. Throws `unexpectedValue` if it is not of the type.
    public func value<Value: Storable>(
        of field: String, as type: Value.Type = Value.self
    ) throws(RecordError) -> Value {
        guard let value = Value(StoredField(fields[field])) else {
            throw .unexpectedValue(field: field, model: model)
        }
        return value
    }

    /// Sets a field. ``Visible/hidden`` leaves it as it is.
    public mutating func set(_ field: String, to value: some Storable) {
        fields[field] = value.stored.json
    }

    /// The stored value of a field, of any type. A field that is not set is hidden.
    public subscript(field: String) -> StoredField {
        get { StoredField(fields[field]) }
        set { fields[field] = newValue.json }
    }
}

extension RecordValues: Codable {
    private enum CodingKeys: String, CodingKey {
        case model, guid, owner, group, fields
        case isConflicted = "conflicted"
    }
}
