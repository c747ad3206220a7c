import ChangeRules
import DefinitionModel
import Testing

/// A field that is left out, null or given.
@Suite struct PresenceTests {
    @Test(arguments: [
        Case(isRequired: false, hasDefault: false, onCreate: [], onUpdate: []),
        Case(isRequired: false, hasDefault: true, onCreate: [], onUpdate: []),
        Case(isRequired: true, hasDefault: false, onCreate: [.empty], onUpdate: []),
        Case(isRequired: true, hasDefault: true, onCreate: [], onUpdate: []),
    ])
    func fieldLeftOut(expected: Case) {
        #expect(expected.causes(given: [:], creating: true) == expected.onCreate)
        #expect(expected.causes(given: [:], creating: false) == expected.onUpdate)
    }

    /// Null is meant: a default is for a field that is left out.
    @Test(arguments: [
        Case(isRequired: false, hasDefault: false, onCreate: [], onUpdate: []),
        Case(isRequired: false, hasDefault: true, onCreate: [], onUpdate: []),
        Case(isRequired: true, hasDefault: false, onCreate: [.empty], onUpdate: [.empty]),
        Case(isRequired: true, hasDefault: true, onCreate: [.empty], onUpdate: [.empty]),
    ])
    func fieldSetToNull(expected: Case) {
        #expect(expected.causes(given: ["value": .null], creating: true) == expected.onCreate)
        #expect(expected.causes(given: ["value": .null], creating: false) == expected.onUpdate)
    }

    /// An empty text is a value.
    @Test(arguments: ["", "x"], [true, false])
    func fieldWithValue(text: String, isRequired: Bool) {
        let field = Case(isRequired: isRequired, hasDefault: false, onCreate: [], onUpdate: [])
        for creating in [true, false] {
            let given = ["value": GivenValue.value(.text(text))]
            #expect(field.causes(given: given, creating: creating) == [])
        }
    }

    @Test func causesOfPresencePointAtField() {
        let validator = Validator(field(.boolean, isRequired: true, options: ["maxLength"]))
        let empty = [Cause(.empty, field: "value", place: fieldPlace)]
        #expect(validator.causes(of: [:], creating: true) == empty)
        #expect(validator.causes(of: ["value": .null], creating: false) == empty)
    }

    struct Case: Sendable {
        let isRequired: Bool
        let hasDefault: Bool
        let onCreate: [Cause.Reason]
        let onUpdate: [Cause.Reason]

        func causes(given: [String: GivenValue], creating: Bool) -> [Cause.Reason] {
            let validator = Validator(
                field(
                    .text(TextLimits()), isRequired: isRequired,
                    defaultValue: hasDefault ? .text("default") : nil))
            return validator.causes(of: given, creating: creating).map(\.reason)
        }
    }
}

@Suite struct WrongTypeTests {
    static let types: [FieldType] = [
        .text(TextLimits()), .integer(IntegerLimits()), .decimal(DecimalLimits()), .boolean,
        .date(DateLimits()),
        .belongsTo(Relation(model: "Note")), .file,
    ]

    @Test(arguments: types, [true, false])
    func valueOfAnotherTypeIsRefused(type: FieldType, creating: Bool) {
        let validator = Validator(field(type, options: ["maxLength", "scale", "minValue"]))
        let expected = Cause(.wrongType(expected: type.name), field: "value", place: fieldPlace)
        #expect(validator.causes(of: ["value": .unreadable], creating: creating) == [expected])
    }

    @Test func tableHasEveryType() {
        #expect(Self.types.map(\.name) == FieldTypeName.allCases)
    }

    /// An unreadable value is given all the same: it is not empty besides.
    @Test func requiredFieldHasOneCauseOnly() {
        let validator = Validator(field(.boolean, isRequired: true))
        let causes = validator.causes(of: ["value": .unreadable], creating: true)
        #expect(causes.map(\.reason) == [.wrongType(expected: .boolean)])
    }
}

@Suite struct UnknownFieldTests {
    @Test(arguments: [GivenValue.null, .value(.boolean(true)), .unreadable], [true, false])
    func fieldThatModelHasNotIsRefused(given: GivenValue, creating: Bool) {
        let validator = Validator(field(.boolean))
        #expect(
            validator.causes(of: ["extra": given], creating: creating)
                == [Cause(.unknownField("extra"), field: "extra", place: modelPlace)])
    }

    @Test(arguments: ["Value", "VALUE", " value", "value ", "", "val\u{FF55}e"])
    func namesAreTakenToLetter(name: String) {
        let causes = Validator(field(.boolean)).causes(of: [name: .null], creating: false)
        #expect(causes.map(\.reason) == [.unknownField(name)])
    }
}

/// A cause says where its rule is written.
@Suite struct PlaceTests {
    private static let limits = DecimalLimits(
        scale: 1, minValue: DecimalNumber(5), maxValue: DecimalNumber(7))

    @Test(arguments: [
        (["scale", "minValue", "maxValue"], [optionPlace(0), optionPlace(1)]),
        (["maxValue", "minValue", "scale"], [optionPlace(2), optionPlace(1)]),
        (["minValue"], [fieldPlace, optionPlace(0)]),
        (["scale", "maxValue"], [optionPlace(0), fieldPlace]),
        ([], [fieldPlace, fieldPlace]),
    ])
    func limitPointsAtItsOptionOrElseAtField(
        written: [String], expected: [SourcePlace]
    ) throws {
        let value = FieldValue.decimal(try #require(DecimalNumber("4.25")))
        let validator = Validator(field(.decimal(Self.limits), options: written))
        let causes = validator.causes(of: ["value": .value(value)], creating: false)
        #expect(causes.map(\.place) == expected)
    }

    @Test func numberTooGreatPointsAtMaxValue() throws {
        let validator = Validator(
            field(.integer(IntegerLimits(maxValue: 7)), options: ["minValue", "maxValue"]))
        let causes = validator.causes(of: ["value": .value(.integer(8))], creating: true)
        #expect(causes.map(\.place) == [optionPlace(1)])
    }

    @Test(arguments: [(["maxLength"], optionPlace(0)), ([], fieldPlace)])
    func textTooLongPointsAtMaxLength(written: [String], expected: SourcePlace) {
        let validator = Validator(field(.text(TextLimits(maxLength: 1)), options: written))
        let causes = validator.causes(of: ["value": .value(.text("ab"))], creating: true)
        #expect(causes.map(\.place) == [expected])
    }

    /// No option can allow it, so none is pointed at.
    @Test func nulPointsAtField() {
        let validator = Validator(field(.text(TextLimits()), options: ["maxLength"]))
        let causes = validator.causes(of: ["value": .value(.text("\u{0}"))], creating: true)
        #expect(causes.map(\.place) == [fieldPlace])
    }
}

/// Everything that is wrong is said at once, and always in the same order.
@Suite struct OrderTests {
    private static let validator = Validator(
        field(.boolean, named: "zeta", isRequired: true),
        field(.text(TextLimits(maxLength: 1)), named: "alpha"),
        field(.integer(IntegerLimits()), named: "middle"),
        field(.date(DateLimits()), named: "beta", isRequired: true),
        field(.boolean, named: "late", isRequired: true))

    private static let given: [String: GivenValue] = [
        "alpha": .value(.text("a\u{0}")), "middle": .unreadable, "beta": .null, "Zeta": .null,
        "10": .null, "9": .unreadable, "aaa": .value(.boolean(true)),
    ]

    @Test func knownFieldsComeAsDefinedThenUnknownOnesByName() {
        let reasons = Self.validator.causes(of: Self.given, creating: true).map(\.reason)
        #expect(
            reasons == [
                .empty, .limit(.tooLong(max: 1)), .limit(.illegalCharacter),
                .wrongType(expected: .integer), .empty, .empty,
                .unknownField("10"), .unknownField("9"), .unknownField("Zeta"),
                .unknownField("aaa"),
            ])
        let fields = Self.validator.causes(of: Self.given, creating: true).map(\.field)
        #expect(
            fields == [
                "zeta", "alpha", "alpha", "middle", "beta", "late", "10", "9", "Zeta", "aaa",
            ])
    }

    @Test func updateNeedsNoOtherRequiredFields() {
        let fields = Self.validator.causes(of: Self.given, creating: false).map(\.field)
        #expect(fields == ["alpha", "alpha", "middle", "beta", "10", "9", "Zeta", "aaa"])
    }

    @Test func goodFieldBesideBadOneHasNoCause() {
        let given: [String: GivenValue] = ["alpha": .value(.text("a")), "middle": .unreadable]
        #expect(Self.validator.causes(of: given, creating: false).map(\.field) == ["middle"])
    }

    @Test func nothingGivenToModelWithoutFieldsIsFine() {
        for creating in [true, false] {
            #expect(Validator(model()).causes(of: [:], creating: creating) == [])
        }
    }
}
