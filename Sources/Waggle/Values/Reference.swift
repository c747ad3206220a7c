/// A record of another model that a record belongs to, by its guid.
///
/// `database.get(task.site)` gets it.
public struct Reference<Target: Record>: Hashable, Sendable {
    public let guid: String

    public init(guid: String) {
        self.guid = guid
    }

    public init(_ record: Target) {
        guid = record.guid
    }
}

extension Reference: StorableValue {
    public init?(_ stored: StoredField) {
        guard let guid = String(stored) else { return nil }
        self.init(guid: guid)
    }

    public var stored: StoredField { guid.stored }
}

/// As its guid.
extension Reference: Codable {
    public init(from decoder: any Decoder) throws {
        guid = try decoder.singleValueContainer().decode(String.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(guid)
    }
}
