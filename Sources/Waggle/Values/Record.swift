import Secrets

/// A record of one model of a definition. Generated models are such types; there is no need to
/// write one.
///
/// A record is a value: changing it changes nothing else until it is saved.
public protocol Record: Codable, Hashable, Sendable, Identifiable where ID == String {
    /// The model's name in the definition.
    static var modelName: String { get }

    /// A UUID that names the record for as long as it lives.
    var guid: String { get }
    /// The login of the owner: of the creator, until an admin gives the record to another user.
    /// Empty before the record is saved.
    var owner: String { get }
    /// The group of the record: of the creator, until an admin gives it to another group. Empty
    /// before the record is saved.
    var group: String { get }
    /// Whether a conflict about the record is open.
    var isConflicted: Bool { get }

    /// The property that a key path names, or nil if the definition has none.
    static func property(at path: PartialKeyPath<Self>) -> RecordProperty?

    /// Reads a record without its type. Throws if a value is not of the type of its field.
    init(_ values: RecordValues) throws(RecordError)

    /// The record without its type.
    var values: RecordValues { get }
}

/// A property of a record that queries can use.
public enum RecordProperty: Hashable, Sendable {
    /// The properties that every record has.
    case guid, owner, group, isConflicted
    /// A field, by its name in the definition.
    case field(String)
}

extension Record {
    /// The guid.
    public var id: String { guid }

    /// A reference to this record, for a relation of another one.
    public var reference: Reference<Self> { Reference(self) }

    /// A guid that no other record has.
    public static func newGuid() -> String {
        freshGuid()
    }
}

// MARK: - Coding

extension Record {
    /// Decodes a record of the wire. Throws if it is one of another model.
    public init(from decoder: any Decoder) throws {
        let values = try RecordValues(from: decoder)
        guard values.model == Self.modelName else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription:
                        "a record of '\(values.model)' is not one of '\(Self.modelName)'"))
        }
        try self.init(values)
    }

    /// Encodes the record as on the wire.
    public func encode(to encoder: any Encoder) throws {
        try values.encode(to: encoder)
    }
}

/// The reason why a record cannot be read as a model.
public enum RecordError: Error, Hashable, Sendable {
    /// The value of the field is not of its type: the models were generated from another definition
    /// than the one that the record was stored under.
    case unexpectedValue(field: String, model: String)
}

extension RecordError: CustomStringConvertible {
    /// A message for people: what is wrong, and what to do.
    public var description: String {
        switch self {
        case .unexpectedValue(let field, let model):
            "the field '\(field)' of '\(model)' has a value that is not one of its type; "
                + "generate the models from the definition that is deployed"
        }
    }
}
