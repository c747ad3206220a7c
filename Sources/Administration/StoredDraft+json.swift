package import JSON
import SyncEngine

extension StoredDraft {
    /// Names are 1 to 64 ASCII letters, digits, dots, underscores and hyphens.
    package static func isLegal(name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
                    UInt8(ascii: "-"):
                    true
                case _: false
                }
            }
    }

    /// The draft as it is answered, without its text.
    ///
    /// - Parameter file: The path of the file that the draft is; nil for a stored one.
    package func json(file: String?) -> JSONValue {
        .object([
            "name": .string(name), "revision": .integer(revision), "author": .string(author),
            "changedAt": .integer(changedAt.milliseconds), "size": .integer(Int64(size)),
            "file": JSONValue(text: file),
        ])
    }
}

extension MessageShape {
    private static let draftMembers = [
        MessageMember("name", .text("notes")), MessageMember("revision", .number(3)),
        MessageMember("author", .text("ann")),
        MessageMember("changedAt", .number(1_800_000_000_000)),
        MessageMember("size", .number(1024)),
        MessageMember("file", .optional(.text("Definitions/Notes/application.xml"))),
    ]
    static let draft = MessageShape.object(draftMembers)
    static let draftWithText = MessageShape.object(
        draftMembers + [MessageMember("xml", .text("<application …>"))])
}
