import ChangeRules
import DefinitionModel

let modelPlace = SourcePlace(line: 10, column: 5)
let fieldPlace = SourcePlace(line: 12, column: 7)

/// A field of the name `value`, where nothing else is said: the options it is given stand one below
/// the other from line 20, in this order.
func field(
    _ type: FieldType, named name: String = "value", isRequired: Bool = false,
    defaultValue: FieldValue? = nil, options: [String] = [], place: SourcePlace = fieldPlace
) -> Field {
    Field(
        name: name, type: type, isRequired: isRequired, defaultValue: defaultValue,
        credentials: [:],
        writtenOptions: options.enumerated().map { index, option in
            WrittenOption(name: option, value: "", place: optionPlace(index))
        },
        writtenDefault: nil, place: place)
}

func optionPlace(_ index: Int) -> SourcePlace { SourcePlace(line: 20 + index, column: 9) }

func model(_ fields: Field...) -> Model {
    Model(name: "Note", fields: fields, credentials: [:], place: modelPlace)
}

extension Validator {
    init(_ fields: Field...) {
        self.init(Model(name: "Note", fields: fields, credentials: [:], place: modelPlace))
    }
}

/// The limits that a value of the field `value` breaks, in creations and in updates alike.
func violations(of value: FieldValue, in type: FieldType) -> Set<[Cause]> {
    let validator = Validator(field(type))
    return Set(
        [true, false].map {
            validator.causes(of: ["value": .value(value)], creating: $0)
        })
}

/// That nothing is broken, or exactly these limits, each at the field's place.
func breaking(_ violations: LimitViolation...) -> Set<[Cause]> {
    [violations.map { Cause(.limit($0), field: "value", place: fieldPlace) }]
}

extension Definition {
    /// One model `Note`: `title` is required and everybody's, `score` (default 1) is set by nobody
    /// on creation and updated by its owner, `secret` is its owner's. Users may do everything but
    /// resolve; only the owner deletes.
    static let notes: Definition = {
        let users = Role(group: "users", deviceCategory: "mobile")
        let strangers = Role(group: "strangers", deviceCategory: "mobile")
        func field(
            _ name: String, _ type: FieldType, isRequired: Bool = false,
            defaultValue: FieldValue? = nil, _ credential: FieldCredential
        ) -> Field {
            Field(
                name: name, type: type, isRequired: isRequired, defaultValue: defaultValue,
                credentials: [users: credential], writtenOptions: [], writtenDefault: nil,
                place: fieldPlace)
        }
        func credential(
            _ create: AccessLevel, _ read: AccessLevel, _ update: AccessLevel
        ) -> FieldCredential {
            FieldCredential(create: create, read: read, update: update, place: fieldPlace)
        }
        let note = Model(
            name: "Note",
            fields: [
                field("title", .text(TextLimits()), isRequired: true, credential(.all, .all, .all)),
                field(
                    "score", .integer(IntegerLimits()), defaultValue: .integer(1),
                    credential(.none, .all, .own)),
                field("secret", .text(TextLimits()), credential(.all, .own, .own)),
            ],
            credentials: [
                users: ModelCredential(
                    create: .all, read: .all, update: .all, delete: .own, resolvesConflicts: false,
                    place: modelPlace)
            ], place: modelPlace)
        return Definition(
            application: "Notes", vendor: "test", conflictMode: .manual,
            deviceCategories: ["mobile"], groups: ["users", "strangers"],
            roles: [users, strangers], models: [note], digest: "")
    }()
}
