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
    /// The login of whoever created the record, or empty before it was first saved.
    var owner: String { get }
    /// The group of whoever created the record, or empty before it was first saved.
    var group: String { get }
    /// Whether a conflict about the record is open.
    var isConflicted: Bool { get }

    /// What a key path leads to; nil where that is nothing of the definition's.
    static func property(at path: PartialKeyPath<Self>) -> RecordProperty?

    init(_ values: RecordValues) throws(RecordError)

    var values: RecordValues { get }
}

/// What can be asked of a record.
public enum RecordProperty: Hashable, Sendable {
    case guid, owner, group, isConflicted
    /// By its name in the definition.
    case field(String)
}

extension Record {
    public var id: String { guid }

    /// To say in another record that it belongs to this one.
    public var reference: Reference<Self> { Reference(self) }

    /// A guid that no other record has.
    public static func newGuid() -> String {
        freshGuid()
    }
}

/// As the server sends it.
extension Record {
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

    public func encode(to encoder: any Encoder) throws {
        try values.encode(to: encoder)
    }
}

/// Why a record cannot be read as a type.
public enum RecordError: Error, Hashable, Sendable {
    /// The field has a value that is none of its type. The definition that the models were
    /// generated from is another one than the record was stored by.
    case unexpectedValue(field: String, model: String)
}

extension RecordError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unexpectedValue(let field, let model):
            "the field '\(field)' of '\(model)' has a value that is not one of its type; "
                + "generate the models from the definition that is deployed"
        }
    }
}
