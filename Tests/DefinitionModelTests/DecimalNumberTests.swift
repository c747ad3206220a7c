import DefinitionModel
import TestKit
import Testing

@Suite struct DecimalNumberTests {
    @Test(arguments: [
        ("0", "0"), ("7", "7"), ("-7", "-7"), ("007", "7"), ("-0", "0"), ("0.0", "0"),
        ("1.50", "1.5"), ("-12.5", "-12.5"), ("0.001", "0.001"), ("-0.25", "-0.25"),
        ("100", "100"), ("100.000", "100"), ("10.01", "10.01"),
        ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
        ("-0.00000000000000000000000000000000000001", "-0.00000000000000000000000000000000000001"),
        ("0000000000000000000000000000000000000000000001", "1"),
    ])
    func readsPlainNumbersAndWritesTheShortestForm(text: String, shortest: String) {
        #expect(DecimalNumber(text)?.description == shortest)
    }

    @Test(arguments: [
        "", "-", ".", "1.", ".5", "-.5", "+1", "--1", "1-", "1e5", "1E5", " 1", "1 ", "1,5",
        "1.2.3",
        "0x1", "NaN", "inf", "１", "٣", "1_000", "1\0",
        "100000000000000000000000000000000000000", "0.000000000000000000000000000000000000001",
    ])
    func refusesOtherTextsAndMoreThanThirtyEightDigits(text: String) {
        #expect(DecimalNumber(text) == nil)
    }

    @Test(arguments: [Int64.min, -1, 0, 1, Int64.max])
    func holdsEveryInteger(number: Int64) {
        #expect(DecimalNumber(number).description == String(number))
        #expect(DecimalNumber(number) == DecimalNumber(String(number)))
    }

    @Test(arguments: [("1.50", "1.5"), ("-0", "0"), ("007", "7"), ("0.10", "000.100")])
    func isEqualWhenNumbersAre(left: String, right: String) throws {
        let (left, right) = (try #require(DecimalNumber(left)), try #require(DecimalNumber(right)))
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        #expect(!(left < right) && !(right < left))
    }

    /// Compared with a comparison of the written digits, which does no arithmetic.
    @Test(arguments: UInt64(0)..<200)
    func ordersAsWrittenNumbersDo(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<20 {
            let left = Written(using: &random)
            let right = Bool.random(using: &random) ? Written(using: &random) : left.near(&random)
            let (exactLeft, exactRight) = (
                try #require(DecimalNumber(left.text)), try #require(DecimalNumber(right.text))
            )
            let isLess = left.isLess(than: right)
            #expect((exactLeft < exactRight) == isLess, "\(left.text) < \(right.text)")
            let isSame = !isLess && !right.isLess(than: left)
            #expect((exactLeft == exactRight) == isSame, "\(left.text) == \(right.text)")
        }
    }

    @Test(arguments: UInt64(0)..<200)
    func writtenTextReadsBack(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<20 {
            let written = Written(using: &random)
            let number = try #require(DecimalNumber(written.text))
            #expect(number.description == written.shortest)
            #expect(DecimalNumber(number.description) == number)
        }
    }
}

/// A number as digits: integer part, fraction and sign, with leading and trailing zeros.
private struct Written {
    var isNegative: Bool
    var whole: [Character]
    var fraction: [Character]

    init(using random: inout SplitMix64) {
        isNegative = Bool.random(using: &random)
        let count = Int.random(in: 1...DecimalNumber.maxDigits, using: &random)
        let point = Int.random(in: 1...count, using: &random)
        let digits = (0..<count).map { _ in Character(String(Int.random(in: 0...9, using: &random)))
        }
        whole = Array(digits[..<point])
        fraction = Array(digits[point...])
    }

    /// A number that differs in one digit or in its sign.
    func near(_ random: inout SplitMix64) -> Written {
        var other = self
        let digit = Character(String(Int.random(in: 0...9, using: &random)))
        if let index = fraction.indices.randomElement(using: &random) {
            other.fraction[index] = digit
        } else {
            other.whole[whole.count - 1] = digit
        }
        other.isNegative = Int.random(in: 0..<5, using: &random) == 0 ? !isNegative : isNegative
        return other
    }

    var text: String {
        (isNegative ? "-" : "") + String(whole) + (fraction.isEmpty ? "" : "." + String(fraction))
    }

    var shortest: String {
        let whole = String(whole.drop { $0 == "0" })
        let fraction = String(fraction.reversed().drop { $0 == "0" }.reversed())
        let digits = (whole.isEmpty ? "0" : whole) + (fraction.isEmpty ? "" : "." + fraction)
        return (isNegative && digits != "0" ? "-" : "") + digits
    }

    func isLess(than other: Written) -> Bool {
        let (left, right) = (aligned, other.aligned)
        switch (isNegative && !isZero, other.isNegative && !other.isZero) {
        case (false, false): return left < right
        case (true, true): return right < left
        case (true, false): return true
        case (false, true): return false
        }
    }

    private var isZero: Bool { (whole + fraction).allSatisfy { $0 == "0" } }

    /// The digits at fixed columns, so that texts order as the numbers do.
    private var aligned: String {
        String(repeating: "0", count: 40 - whole.count) + String(whole) + String(fraction)
            + String(repeating: "0", count: 40 - fraction.count)
    }
}
