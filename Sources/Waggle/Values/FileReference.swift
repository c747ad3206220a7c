import JSON
import SyncProtocol

/// A file by its guid, with the name people gave it. Its contents go their own way.
public struct FileReference: Codable, Hashable, Sendable {
    public let guid: String
    public let filename: String

    public init(guid: String, filename: String) {
        self.guid = guid
        self.filename = filename
    }
}

extension FileReference: StorableValue {
    public init?(_ stored: StoredField) {
        guard case .object(let members)? = stored.json, case .string(let guid)? = members["guid"],
            case .string(let filename)? = members["filename"]
        else { return nil }
        self.init(guid: guid, filename: filename)
    }

    public var stored: StoredField {
        StoredField(.object(["guid": .string(guid), "filename": .string(filename)]))
    }
}
