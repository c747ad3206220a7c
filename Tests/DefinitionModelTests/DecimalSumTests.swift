import DefinitionModel
import Testing

@Suite("Sums of decimal numbers are exact")
struct DecimalSumTests {
    @Test(arguments: [
        ("1", "2", "3"), ("0.1", "0.2", "0.3"), ("1.5", "-2", "-0.5"), ("-1.25", "-1.75", "-3"),
        ("99", "1", "100"), ("100", "-0.001", "99.999"), ("-0.001", "0.001", "0"),
        ("0", "0", "0"), ("0.05", "0", "0.05"), ("-5", "5.5", "0.5"), ("-7", "3", "-4"),
        ("12345678901234567890", "9", "12345678901234567899"),
        ("99999999999999999999999999999999999998", "1", "99999999999999999999999999999999999999"),
    ])
    func sum(one: String, other: String, expected: String) throws {
        let (one, other) = (try #require(DecimalNumber(one)), try #require(DecimalNumber(other)))
        #expect(one.adding(other)?.description == expected)
        #expect(other.adding(one)?.description == expected)
    }

    @Test(arguments: [
        ("99999999999999999999999999999999999999", "1"),
        ("-99999999999999999999999999999999999999", "-1"),
        ("1234567890123456789012345678901234567", "0.01"),
    ])
    func sumOfTooManyDigits(one: String, other: String) throws {
        let (one, other) = (try #require(DecimalNumber(one)), try #require(DecimalNumber(other)))
        #expect(one.adding(other) == nil)
    }

    /// Whole numbers, which the processor adds too.
    @Test func sumOfWholeNumbers() throws {
        for one in stride(from: Int64(-120), through: 120, by: 7) {
            for other in stride(from: Int64(-1111), through: 1111, by: 37) {
                #expect(
                    DecimalNumber(one).adding(DecimalNumber(other)) == DecimalNumber(one + other))
            }
        }
    }
}
