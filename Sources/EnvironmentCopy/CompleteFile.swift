package import SyncEngine

/// A file whose upload is complete, or the contents of refused data.
package struct CompleteFile: Hashable, Sendable {
    /// The guid of the file; for refused data, that of its record.
    let guid: String
    /// Different from those of other files of the environment, and fit for the name of a file: the
    /// guid, or `refused-` with the number of the refused data.
    package let name: String
    package let contents: ContentHash
    /// In bytes.
    package let size: Int64

    /// Nil for an incomplete file, for refused data without contents, and for other rows.
    init?(_ row: EnvironmentRow, of table: EnvironmentTable) {
        let names = table.columns.map(\.name)
        let cells = Dictionary(uniqueKeysWithValues: zip(names, row))
        guard cells["is_complete"] ?? .flag(true) == .flag(true), let guid = cells["guid"]?.text,
            let contents = (cells["sha256"]?.text).flatMap(ContentHash.init(hex:)),
            let size = cells["size"]?.integer
        else { return nil }
        self.guid = guid
        let number = cells["number"]?.integer.map { "refused-\($0)" }
        name = number ?? (isPlain(guid) ? guid : contents.hex)
        self.contents = contents
        self.size = size
    }
}

/// Guids are hexadecimal digits and hyphens.
private func isPlain(_ text: String) -> Bool {
    !text.isEmpty
        && text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
}
