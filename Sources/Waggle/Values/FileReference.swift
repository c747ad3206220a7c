import JSON
import SyncProtocol

/// A file by its guid, with its name. The contents are transferred apart from the record.
public struct FileReference: Codable, Hashable, Sendable {
    /// The guid of the file.
    public let guid: String
    /// The name of the file, at most 255 bytes, not empty.
    public let filename: String

    /// A reference to a file; ``Database/attach(_:filename:)-(URL,_)`` makes one for new contents.
    public init(guid: String, filename: String) {
        self.guid = guid
        self.filename = filename
    }
}

extension FileReference: StorableValue {
    /// Nil if the field is not a file.
    public init?(_ stored: StoredField) {
        guard case .object(let members)? = stored.json, case .string(let guid)? = members["guid"],
            case .string(let filename)? = members["filename"]
        else { return nil }
        self.init(guid: guid, filename: filename)
    }

    /// Guid and name.
    public var stored: StoredField {
        StoredField(.object(["guid": .string(guid), "filename": .string(filename)]))
    }
}
