import DefinitionModel

let everyone = Role(group: "users", deviceCategory: "mobile")
let nowhere = SourcePlace(line: 1, column: 1)

/// A definition with nothing but the given parts.
func definition(_ models: [Model], application: String = "shop") -> Definition {
    Definition(
        application: application, vendor: "waggle", conflictMode: .manual,
        deviceCategories: [everyone.deviceCategory], groups: [everyone.group], roles: [everyone],
        models: models, digest: String(repeating: "5e", count: 32))
}

/// Readable by everyone by default.
func model(
    _ name: String, _ fields: [Field] = [], read: [Role: AccessLevel] = [everyone: .all]
)
    -> Model
{
    let credentials = read.mapValues {
        ModelCredential(
            create: .all, read: $0, update: .all, delete: .all, resolvesConflicts: true,
            place: nowhere)
    }
    return Model(name: name, fields: fields, credentials: RoleTable(credentials), place: nowhere)
}

func field(
    _ name: String, _ type: FieldType = .text(TextLimits()), required: Bool = false,
    default value: FieldValue? = nil, read: [Role: AccessLevel] = [everyone: .all]
) -> Field {
    let credentials = read.mapValues {
        FieldCredential(create: .all, read: $0, update: .all, place: nowhere)
    }
    return Field(
        name: name, type: type, isRequired: required, defaultValue: value,
        credentials: RoleTable(credentials), writtenOptions: [], writtenDefault: nil, place: nowhere
    )
}

/// A model of pairs, as `w:joins` makes one.
func pairs(_ join: String, of owner: String, with target: String) -> Model {
    Model(
        name: "\(owner)_\(join)",
        fields: [
            field("holder", .belongsTo(Relation(model: owner)), required: true),
            field("joined", .belongsTo(Relation(model: target)), required: true),
        ],
        credentials: RoleTable(),
        writtenExtensions: [WrittenOption(name: "joins", value: join, place: nowhere)],
        place: nowhere)
}

/// Never thrown in these tests, where every number is valid.
struct NotANumber: Error {}

func decimal(_ text: String) throws -> DecimalNumber {
    guard let number = DecimalNumber(text) else { throw NotANumber() }
    return number
}
