import DefinitionModel
import Testing

/// The limits that a value violates, by type.
@Suite struct LimitViolationTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let type: FieldType
        let value: FieldValue
        let violations: [LimitViolation]

        init(_ type: FieldType, _ value: FieldValue, _ violations: [LimitViolation]) {
            self.type = type
            self.value = value
            self.violations = violations
        }

        var testDescription: String { "\(value) in \(type)" }
    }

    @Test(arguments: texts + integers + decimals + others + ours)
    func areAllNamed(_ example: Case) {
        #expect(example.type.violations(of: example.value) == example.violations)
    }

    private static let five = FieldType.text(TextLimits(maxLength: 5))

    private static let texts = [
        Case(five, .text(""), []), Case(five, .text("12345"), []),
        Case(five, .text("123456"), [.tooLong(max: 5)]),
        // UTF-16 code units: two for an emoji, one for a letter of any script.
        Case(five, .text("żółwi"), []), Case(five, .text("😀😀1"), []),
        Case(five, .text("😀😀😀"), [.tooLong(max: 5)]),
        Case(five, .text("e\u{301}e\u{301}e\u{301}"), [.tooLong(max: 5)]),
        Case(five, .text("a\0"), [.illegalCharacter]),
        Case(five, .text("12345\0"), [.tooLong(max: 5), .illegalCharacter]),
    ]

    private static let small = FieldType.integer(IntegerLimits(minValue: -2, maxValue: 3))

    private static let integers = [
        Case(small, .integer(-2), []), Case(small, .integer(3), []),
        Case(small, .integer(-3), [.greaterThanOrEqualTo(DecimalNumber(-2))]),
        Case(small, .integer(4), [.lessThanOrEqualTo(DecimalNumber(3))]),
        Case(.integer(IntegerLimits()), .integer(-2_147_483_648), []),
        Case(.integer(IntegerLimits()), .integer(2_147_483_647), []),
        Case(
            .integer(IntegerLimits()), .integer(2_147_483_648),
            [.lessThanOrEqualTo(DecimalNumber(2_147_483_647))]),
        Case(
            .integer(IntegerLimits()), .integer(-2_147_483_649),
            [.greaterThanOrEqualTo(DecimalNumber(-2_147_483_648))]),
    ]

    private static func decimal(_ text: String) -> FieldValue {
        FieldValue(text: text, of: .decimal) ?? .text("\(text) is no decimal")
    }

    private static func range(including: Bool, scale: Int = 2) -> FieldType {
        .decimal(
            DecimalLimits(
                scale: scale, minValue: DecimalNumber("-0.5"), maxValue: DecimalNumber("1"),
                includesMinValue: including, includesMaxValue: including))
    }

    private static let one = DecimalNumber(1)
    private static let minusHalf = DecimalNumber("-0.5") ?? DecimalNumber(0)

    private static let decimals = [
        Case(range(including: true), decimal("-0.5"), []),
        Case(range(including: true), decimal("1.00"), []),
        Case(range(including: true), decimal("-0.51"), [.greaterThanOrEqualTo(minusHalf)]),
        Case(range(including: true), decimal("1.01"), [.lessThanOrEqualTo(one)]),
        Case(range(including: false), decimal("-0.49"), []),
        Case(range(including: false), decimal("0.99"), []),
        Case(range(including: false), decimal("-0.5"), [.greaterThan(minusHalf)]),
        Case(range(including: false), decimal("1"), [.lessThan(one)]),
        Case(range(including: true), decimal("0.123"), [.tooManyFractionDigits(max: 2)]),
        Case(range(including: true), decimal("0.120"), []),
        Case(
            range(including: false, scale: 0), decimal("1.5"),
            [.tooManyFractionDigits(max: 0), .lessThan(one)]),
        Case(.decimal(DecimalLimits()), decimal("99999999999999999999999999999999999.999"), []),
        Case(.decimal(DecimalLimits()), decimal("0.1234"), [.tooManyFractionDigits(max: 3)]),
    ]

    private static let others = [
        Case(.boolean, .boolean(true), []),
        Case(.date(DateLimits()), .date(milliseconds: .min), []),
        Case(.belongsTo(Relation(model: "A")), .reference(guid: "any"), []),
        Case(.file, .file(FileValue(guid: "any", filename: "a.jpg")), []),
        Case(.file, .file(FileValue(guid: "any", filename: "a\0")), [.illegalCharacter]),
        // Values of another type: the caller checks types first.
        Case(small, .text("long enough"), []), Case(five, .integer(1_000_000), []),
    ]

    /// The limits that Waggle adds to those of the original clients.
    private static let ours: [Case] = [
        Case(code, .text("AB1"), []), Case(code, .text("AB123"), []),
        Case(code, .text("A"), [.tooShort(min: 3), .patternMismatch(codes)]),
        Case(code, .text("ABC"), [.patternMismatch(codes)]),
        Case(code, .text("AB12345"), [.tooLong(max: 6)]),
        Case(.text(TextLimits(minLength: 2)), .text("😀"), []),
        Case(colours, .text("red"), []),
        Case(colours, .text("Red"), [.notAllowed(values: ["red", "caf\u{e9}"])]),
        // Byte equality: the composed letter is allowed, the decomposed one is not.
        Case(colours, .text("caf\u{e9}"), []),
        Case(colours, .text("cafe\u{301}"), [.notAllowed(values: ["red", "caf\u{e9}"])]),
        Case(odd, .integer(3), []), Case(odd, .integer(2), [.notAllowed(values: ["1", "3"])]),
        Case(halves, decimal("0.50"), []),
        Case(halves, decimal("0.25"), [.notAllowed(values: ["0.5", "1.5"])]),
        Case(days, .date(milliseconds: 10), []), Case(days, .date(milliseconds: 20), []),
        Case(days, .date(milliseconds: 9), [.tooEarly(minMilliseconds: 10)]),
        Case(days, .date(milliseconds: 21), [.tooLate(maxMilliseconds: 20)]),
        Case(.date(DateLimits(minMilliseconds: 0)), .date(milliseconds: .max), []),
        Case(.date(DateLimits(maxMilliseconds: 0)), .date(milliseconds: .min), []),
    ]

    private static let codes = pattern("[A-Z]{2}\\d+")
    private static let code = FieldType.text(
        TextLimits(minLength: 3, maxLength: 6, pattern: codes))
    private static let colours = FieldType.text(TextLimits(allowedValues: ["red", "caf\u{e9}"]))
    private static let odd = FieldType.integer(IntegerLimits(allowedValues: [1, 3]))
    private static let halves = FieldType.decimal(
        DecimalLimits(allowedValues: ["0.5", "1.5"].compactMap { DecimalNumber($0) }))
    private static let days = FieldType.date(
        DateLimits(minMilliseconds: 10, maxMilliseconds: 20))

    private static func pattern(_ source: String) -> TextPattern {
        do {
            return try TextPattern(source)
        } catch {
            preconditionFailure("'\(source)' is no pattern: \(error)")
        }
    }

    private static let options: [(LimitViolation, String?)] = [
        (.tooLong(max: 1), "maxLength"), (.greaterThan(one), "minValue"),
        (.greaterThanOrEqualTo(one), "minValue"), (.lessThan(one), "maxValue"),
        (.lessThanOrEqualTo(one), "maxValue"), (.tooManyFractionDigits(max: 1), "scale"),
        (.illegalCharacter, nil), (.tooShort(min: 1), "minLength"),
        (.patternMismatch(codes), "pattern"), (.patternTooCostly(maxSteps: 1), "pattern"),
        (.notAllowed(values: []), "allowedValues"),
        (.tooEarly(minMilliseconds: 1), "minDate"), (.tooLate(maxMilliseconds: 1), "maxDate"),
    ]

    @Test(arguments: options)
    func knowOptionThatSetsThem(violation: LimitViolation, option: String?) {
        #expect(violation.option == option)
    }
}
