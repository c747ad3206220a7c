import ChangeRules
import DefinitionModel
import Testing

@testable import RecordSearch

@Suite struct ComputedFunctionTests {
    private static let noon = FieldValue.date(milliseconds: 1_763_712_010_460)

    private static let cases: [(ComputedFunction, [FieldValue], ComputedResult?)] = [
        (.add, [.integer(1), .integer(2)], .value(.integer(3))),
        (.add, [.integer(.max), .integer(1)], exact("9223372036854775808")),
        (.add, [.integer(.min), .integer(1)], .value(.integer(.min + 1))),
        (.negate, [.integer(.min)], exact("9223372036854775808")),
        (
            .add, [.decimal(decimal(longDecimal)), .integer(1)],
            exact("1000000000001.0000000000000001")
        ),
        (.multiply, [.integer(.max), .integer(2)], .double(18_446_744_073_709_551_616)),
        (.subtract, [.integer(1), .decimal(decimal("0.5"))], .value(.decimal(decimal("0.5")))),
        (.add, [.decimal(decimal("0.1")), .decimal(decimal("0.2"))], exact("0.3")),
        (.add, [.decimal(decimal("0.5")), .decimal(decimal("0.5"))], .value(.integer(1))),
        (.multiply, [.decimal(decimal("0.1")), .integer(3)], exact("0.3")),
        (.multiply, [.decimal(decimal("-1.1")), .decimal(decimal("1.1"))], exact("-1.21")),
        (.modulo, [.decimal(decimal("0.3")), .decimal(decimal("0.1"))], .value(.integer(0))),
        (.modulo, [.decimal(decimal("-7.5")), .integer(2)], exact("-1.5")),
        (.modulo, [.decimal(decimal("7.5")), .integer(0)], nil),
        (.divide, [.decimal(decimal("0.3")), .decimal(decimal("0.1"))], .value(.integer(3))),
        (.divide, [.decimal(decimal("1")), .decimal(decimal("8"))], exact("0.125")),
        (.divide, [.integer(1), .integer(3)], .double(1.0 / 3)),
        (.divide, [.decimal(decimal("7.5")), .integer(0)], nil),
        (.multiply, [.decimal(decimal(longDecimal)), .integer(2)], .double(2_000_000_000_000)),
        (.negate, [.decimal(decimal("2.5"))], exact("-2.5")),
        (.divide, [.integer(7), .integer(2)], exact("3.5")),
        (.divide, [.integer(7), .integer(0)], nil), (.modulo, [.integer(7), .integer(0)], nil),
        (.modulo, [.integer(-7), .integer(2)], .value(.integer(-1))),
        (.negate, [.integer(7)], .value(.integer(-7))), (.negate, [.text("a")], nil),
        (.round, [.decimal(decimal("-2.5"))], .double(-3)),
        (.floor, [.decimal(decimal("-2.5"))], .double(-3)),
        (.ceiling, [.decimal(decimal("-2.5"))], .double(-2)),
        (.round, [.integer(2)], .value(.integer(2))),
        (.startsWith, [.text("abc"), .text("ab")], .value(.boolean(true))),
        (.endsWith, [.text("abc"), .text("ab")], .value(.boolean(false))),
        (.contains, [.text("abc"), .text("b")], .value(.boolean(true))),
        (.contains, [.text("abc"), .text("")], .value(.boolean(true))),
        (.contains, [.integer(1), .text("")], nil), (.length, [.text("añ")], .value(.integer(2))),
        (.index, [.text("abc"), .text("c")], .value(.integer(2))),
        (.index, [.text("abc"), .text("x")], .value(.integer(-1))),
        (.lowercase, [.text("AÑ")], .value(.text("añ"))),
        (.trim, [.text(" a b ")], .value(.text("a b"))), (.trim, [.text("  ")], .value(.text(""))),
        (.replace, [.text("aba"), .text("a"), .text("xx")], .value(.text("xxbxx"))),
        (.replace, [.text("aba"), .text(""), .text("x")], .value(.text("aba"))),
        (.substring, [.text("abc"), .integer(1)], .value(.text("bc"))),
        (.substring, [.text("abc"), .integer(1), .integer(1)], .value(.text("b"))),
        (.substring, [.text("abc"), .integer(9)], .value(.text(""))),
        (.substring, [.text("abc"), .integer(-1)], nil),
        (.concatenate, [.text("a"), .text("b")], .value(.text("ab"))),
        (.concatenate, [.text(long), .text("b")], nil),
        (.lowercase, [.text(long + "A")], .value(.text(long + "a"))),
        (.year, [noon], .value(.integer(2025))), (.month, [noon], .value(.integer(11))),
        (.day, [noon], .value(.integer(21))), (.hour, [noon], .value(.integer(8))),
        (.minute, [noon], .value(.integer(0))), (.second, [noon], .value(.integer(10))),
        (.day, [.integer(1)], nil),
    ]

    @Test(arguments: cases) func result(
        function: ComputedFunction, parts: [FieldValue], wanted: ComputedResult?
    ) {
        #expect(function.result(of: parts.map { .value($0) }) == wanted)
    }

    /// More digits than 64 bits have.
    private static let longDecimal = "1000000000000.0000000000000001"

    private static func exact(_ text: String) -> ComputedResult { .value(.decimal(decimal(text))) }

    private static let long = String(repeating: "a", count: ComputedValue.maxTextBytes)

    private static func decimal(_ text: String) -> DecimalNumber {
        DecimalNumber(text) ?? DecimalNumber(0)
    }
}
