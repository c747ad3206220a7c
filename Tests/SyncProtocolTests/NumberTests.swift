import ChangeRules
import DefinitionModel
import Foundation
import JSON
import SyncProtocol
import TestKit
import Testing

/// A number is exact or invalid, never rounded.
@Suite struct NumberTests {
    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("0.0", 0), ("-0.0", 0), ("0e999", 0),
            ("0.000e-99999999999999", 0),
            ("1", 1), ("-1", -1), ("1.0", 1),
            ("1.000000000000000000000000000000000000000000000", 1),
            ("1e2", 100), ("1E+2", 100), ("1e02", 100), ("1.5e3", 1500), ("1500e-2", 15),
            ("0.1e1", 1),
            ("0.00000000000000000000000000000000000000000000000000001e53", 1),
            ("100000000000000000000000000000000000000000000000000000e-53", 1),
            ("9007199254740993", 9_007_199_254_740_993),
            ("9007199254740993.0", 9_007_199_254_740_993),
            ("9007199254740993e0", 9_007_199_254_740_993),
            ("9223372036854775807", .max), ("9223372036854775807.0", .max),
            ("922337203685477580.7e1", .max), ("-9223372036854775808", .min),
            ("-9.223372036854775808e18", .min),
        ] as [(String, Int64)])
    func wholeNumberOf64BitsIsInteger(text: String, number: Int64) throws {
        #expect(try parseJSON(text) == .integer(number))
    }

    @Test(arguments: [
        ("12.50", "12.5"), ("0.1", "0.1"), ("-0.1", "-0.1"), ("1e-2", "0.01"), ("15e-1", "1.5"),
        ("1.0000000000000001", "1.0000000000000001"), ("9007199254740993.5", "9007199254740993.5"),
        ("0.30000000000000004", "0.30000000000000004"),
        ("9223372036854775808", "9223372036854775808"),
        ("-9223372036854775809", "-9223372036854775809"), ("1e20", "100000000000000000000"),
        // 37 and 38 digits
        ("0.1234567890123456789012345678901234567", "0.1234567890123456789012345678901234567"),
        ("0.12345678901234567890123456789012345678", "0.12345678901234567890123456789012345678"),
        ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
        ("1.2345678901234567890123456789012345678", "1.2345678901234567890123456789012345678"),
        ("-99999999999999999999999999999999999999", "-99999999999999999999999999999999999999"),
        ("1e37", "10000000000000000000000000000000000000"),
        ("1e-38", "0.00000000000000000000000000000000000001"),
        ("12.500000000000000000000000000000000000000000000000000000000000000000000", "12.5"),
    ])
    func anyOtherUpTo38DigitsIsExactDecimal(text: String, decimal: String) throws {
        #expect(try parseJSON(text) == .decimal(decimal))
    }

    @Test(arguments: [
        "1e400", "-1e400", "1e-400", "1e38", "1e-39", "1e9999999999999999999999",
        "1e-9999999999999999999999", "1e9223372036854775807", "1e-9223372036854775808",
        "-0.1e-9223372036854775808", "1e-9223372036854775807",
        // 39 digits
        "0.123456789012345678901234567890123456789", "123456789012345678901234567890123456789",
        "1.00000000000000000000000000000000000001", "1234567890123456789012345678901234567.89",
        // Numbers that a 128-bit parser would round
        "340282366920938463463374607431768211456", "0.1000000000000000000000000000000000000000001",
        "1.0000000000000000000000000000000000000000001",
        "99999999999999999999999999999999999999.9",
    ])
    func numbersWithMoreDigitsAreRefused(text: String) throws {
        #expect(try parseJSON(text) == .unrepresentable)
        #expect(FieldValue(try parseJSON(text), of: .decimal) == nil)
        #expect(FieldValue(try parseJSON(text), of: .integer) == nil)
    }

    /// Including numbers that Foundation's decoder rounds to an integer.
    @Test(arguments: [
        "1.0000000000000001", "1e-400", "9007199254740993.0", "9007199254740992.5",
        "922337203685477580.75e1", "340282366920938463463374607431768211456",
    ])
    func withAnotherDecoderItIsExactOrRefusedToo(text: String) throws {
        let number = try parseJSON(text)
        let foreign = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        for type in [FieldTypeName.integer, .decimal, .date] {
            let value = FieldValue(foreign, of: type)
            #expect(value == nil || value == FieldValue(number, of: type), "\(foreign)")
        }
    }

    /// In any notation. The seed identifies a failing case.
    @Test(arguments: UInt64(0)..<200)
    func numberHasValueOfItsDigits(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let number = DecimalNumber.random(using: &random)
        let spelling = number.description.respelled(using: &random)
        let value = FieldValue(try parseJSON(spelling), of: .decimal)
        #expect(value == .decimal(number), "\(spelling)")
    }

    @Test(arguments: UInt64(0)..<200)
    func excessDigitIsRefused(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let digits = (0..<39).map { _ in String(Int.random(in: 1...9, using: &random)) }
        let point = Int.random(in: 1...39, using: &random)
        let text = digits[..<point].joined() + (point == 39 ? "" : ".") + digits[point...].joined()
        #expect(try parseJSON(text.respelled(using: &random)) == .unrepresentable, "\(text)")
    }
}

extension String {
    /// The same number with trailing zeros or with an exponent.
    fileprivate func respelled(using random: inout SplitMix64) -> String {
        let isNegative = hasPrefix("-")
        let parts = drop { $0 == "-" }.split(separator: ".")
        let fraction = parts.count == 2 ? String(parts[1]) : ""
        var digits = parts[0] + fraction
        var exponent = -fraction.count
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            digits += "0"
            exponent -= 1
        }
        let moved = Int.random(in: 0..<digits.count, using: &random)
        exponent += moved
        var whole = digits.dropLast(moved).drop { $0 == "0" }
        if whole.isEmpty { whole = "0" }
        let letter = Bool.random(using: &random) ? "e" : "E"
        let sign = exponent >= 0 && Bool.random(using: &random) ? "+" : ""
        return (isNegative ? "-" : "") + whole + (moved > 0 ? "." + digits.suffix(moved) : "")
            + letter + sign + String(exponent)
    }
}
