import JSON
import SyncProtocol

/// A record without its type: what it has beside its fields, and the fields by name.
public struct RecordValues: Hashable, Sendable {
    public let model: String
    public let guid: String
    public let owner: String
    public let group: String
    public let isConflicted: Bool
    /// Without those that are not the user's to see.
    private(set) var fields: [String: JSONValue]

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

    public func value<Value: Storable>(
        of field: String, as type: Value.Type = Value.self
    ) throws(RecordError) -> Value {
        guard let value = Value(StoredField(fields[field])) else {
            throw .unexpectedValue(field: field, model: model)
        }
        return value
    }

    public mutating func set(_ field: String, to value: some Storable) {
        fields[field] = value.stored.json
    }

    /// What there is of a field, whatever its type; one that is not set counts as hidden.
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
