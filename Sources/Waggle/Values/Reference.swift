/// A record of another model that a record belongs to, by its guid.
///
/// `database.get(task.site)` gets it.
public struct Reference<Target: Record>: Hashable, Sendable {
    /// The guid of the record.
    public let guid: String

    /// A reference by guid. The record need not be on the device.
    public init(guid: String) {
        self.guid = guid
    }

    /// A reference to a record.
    public init(_ record: Target) {
        guid = record.guid
    }
}

extension Reference: StorableValue {
    /// Nil if the field is not a text.
    public init?(_ stored: StoredField) {
        guard let guid = String(stored) else { return nil }
        self.init(guid: guid)
    }

    /// The guid.
    public var stored: StoredField { guid.stored }
}

// MARK: - Coding

extension Reference: Codable {
    /// Decodes the guid.
    public init(from decoder: any Decoder) throws {
        guid = try decoder.singleValueContainer().decode(String.self)
    }

    /// Encodes the guid.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(guid)
    }
}
