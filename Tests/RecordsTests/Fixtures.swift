import DefinitionModel
import Records

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

/// What a value of the field `value` breaks, in creations and in updates alike.
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
