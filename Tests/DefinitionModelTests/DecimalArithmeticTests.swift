import DefinitionModel
import TestKit
import Testing

@Suite struct DecimalArithmeticTests {
    private static let most = "9223372036854775807"
    private static let least = "-9223372036854775808"
    private static let nines = String(repeating: "9", count: 38)

    private static let cases: [(String, DecimalNumber.Operation, String, String?)] = [
        ("0.1", .add, "0.2", "0.3"), ("0.1", .add, "-0.1", "0"), ("99.9", .add, "0.1", "100"),
        (most, .add, "1", "9223372036854775808"), (most, .add, "0", most),
        (most, .add, "0.1", "9223372036854775807.1"), (least, .add, "1", "-9223372036854775807"),
        (nines, .add, "1", nil), ("-\(nines)", .subtract, "1", nil), (nines, .subtract, nines, "0"),
        ("20000000000000000000.1", .subtract, "0.2", "19999999999999999999.9"),
        (least, .multiply, "1", least), (least, .divide, "1", least), (least, .divide, "-1", nil),
        (least, .remainder, "-1", nil), (least, .multiply, "-1", nil),
        ("0", .add, "0.00000000000000000001", "0.00000000000000000001"),
        ("1", .subtract, "0.01", "0.99"), ("0", .subtract, "2.5", "-2.5"),
        ("1.25", .multiply, "-8", "-10"), (most, .multiply, "2", nil),
        ("0.0000000000000000000000000001", .multiply, "0.00000000001", nil),
        ("0.0000000000000000000000000002", .multiply, "50000", "0.00000000000000000000001"),
        ("7", .divide, "2", "3.5"), ("0.3", .divide, "0.1", "3"), ("-1", .divide, "8", "-0.125"),
        ("1", .divide, "3", nil), ("1", .divide, "0", nil), ("0", .divide, "7", "0"),
        ("7.5", .remainder, "2", "1.5"), ("-7.5", .remainder, "2", "-1.5"),
        ("7.5", .remainder, "-2", "1.5"), ("0.3", .remainder, "0.1", "0"),
        ("1", .remainder, "0", nil),
    ]

    @Test(arguments: cases) func resultIsExact(
        left: String, operation: DecimalNumber.Operation, right: String, wanted: String?
    ) throws {
        let (left, right) = (try number(left), try number(right))
        let result = left.result(of: operation, with: right)
        #expect(try result == wanted.map(number))
    }

    /// A result is as good as a number that was read: its form and its order are the same.
    @Test(arguments: UInt64(0)..<20) func resultsAreNumbersAsWritten(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<200 {
            let (left, right) = (try some(&random), try some(&random))
            let sum = try #require(left.result(of: .add, with: right))
            #expect(sum == left.adding(right) && sum == DecimalNumber(sum.description))
            #expect(sum.result(of: .subtract, with: right) == left)
            let product = try #require(left.result(of: .multiply, with: right))
            #expect(product == DecimalNumber(product.description))
            guard right != DecimalNumber(0) else { continue }
            #expect(product.result(of: .divide, with: right) == left)
            let part = try #require(left.result(of: .remainder, with: right))
            let rest = try #require(left.result(of: .subtract, with: part))
            #expect(rest.result(of: .divide, with: right)?.whole != nil)
        }
    }

    private func some(_ random: inout SplitMix64) throws -> DecimalNumber {
        let places = random.number(in: 0...3)
        let digits = String(random.number(in: -9999...9999))
        let fraction = String(repeating: "5", count: places)
        return try number(places == 0 ? digits : "\(digits).\(fraction)")
    }

    private func number(_ text: String) throws -> DecimalNumber {
        try #require(DecimalNumber(text), "\(text)")
    }
}
