import ChangeRules
import DefinitionModel
import ForeignValues
import JSON

@testable import ParseWire

let knownGuid = "11111111-1111-4111-8111-111111111111"

private let anywhere = SourcePlace(line: 1, column: 1)

extension Role {
    static let user = Role(group: "users", deviceCategory: "mobile")
    static let guest = Role(group: "guests", deviceCategory: "mobile")
}

extension Model {
    static let note = note(read: .all, write: .own)

    static func note(read: AccessLevel, write: AccessLevel) -> Model {
        Model(
            name: "Note",
            fields: [
                field("text", .text(TextLimits())), field("count", .integer(IntegerLimits())),
                field("price", .decimal(DecimalLimits())), field("done", .boolean),
                field("when", .date(DateLimits())),
                field("parent", .belongsTo(Relation(model: "Note"))), field("picture", .file),
                field("meta", .text(TextLimits(format: TextFormat(.json)))),
                field("place", .text(TextLimits(format: TextFormat(.geo)))),
                field("key", .text(TextLimits(format: TextFormat(.base64)))),
            ],
            credentials: [
                .user: ModelCredential(
                    create: .all, read: read, update: write, delete: write,
                    resolvesConflicts: false, place: anywhere)
            ], place: anywhere)
    }

    func field(_ name: String) -> Field? { fields.first { $0.name == name } }

    private static func field(_ name: String, _ type: FieldType) -> Field {
        Field(
            name: name, type: type, isRequired: false, isUnique: false, defaultValue: nil,
            credentials: [
                .user: FieldCredential(create: .all, read: .all, update: .all, place: anywhere)
            ], writtenOptions: [], writtenDefault: nil, place: anywhere)
    }
}

extension Definition {
    static func notes(read: AccessLevel, write: AccessLevel) -> Definition {
        Definition(
            application: "a", vendor: "v", conflictMode: .manual, deviceCategories: ["mobile"],
            groups: ["users", "guests"], roles: [.user, .guest],
            models: [.note(read: read, write: write)], digest: "digest")
    }
}

extension RecordTable {
    /// One note.
    static var test: RecordTable {
        var table = RecordTable()
        table.add(
            NamedRecord(guid: knownGuid, name: "known"),
            of: ParsePointer(className: "Note", objectID: "known"))
        return table
    }
}
