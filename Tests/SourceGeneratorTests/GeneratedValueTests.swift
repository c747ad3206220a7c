import DefinitionModel
import Foundation
import Golden
import Testing

/// The values that generated models are made of.
@Suite struct GeneratedValueTests {
    static let most = String(repeating: "9", count: 38)

    @Test(arguments: [
        ("0", "0"), ("-0", "0"), ("-0.00", "0"), ("000", "0"), ("12.50", "12.5"), ("007", "7"),
        ("-0.001", "-0.001"), ("0.10", "0.1"), ("100", "100"), (most, most),
        ("0.\(most)", "0.\(most)"),
        ("-00\(most).00", "-\(most)"),
    ])
    func aDecimalHasOneForm(text: String, form: String) throws {
        let number = try #require(MMDExactDecimal(text))
        #expect(number.description == form)
        #expect(number == MMDExactDecimal(form))
        #expect(try JSONEncoder().encode([number]) == Data("[\"\(form)\"]".utf8))
    }

    @Test(arguments: [
        "", "-", ".", "1.", ".5", "+1", "1e3", "1,5", " 1", "1 ", "--1", "1.2.3", "٣", "0x1", "nan",
        "9\(most)", "1.\(most)",
    ])
    func whatIsNoPlainNumberIsNone(text: String) {
        #expect(MMDExactDecimal(text) == nil)
    }

    @Test func aDecimalCanBeCalculatedWith() throws {
        let price = try #require(MMDExactDecimal("0.1"))
        #expect(MMDExactDecimal(price.value * 3) == MMDExactDecimal("0.3"))
        #expect(MMDExactDecimal(Decimal.nan) == nil)
        #expect(MMDExactDecimal(Decimal.greatestFiniteMagnitude) == nil)
        let literal: MMDExactDecimal = -7
        #expect(literal == MMDExactDecimal("-7"))
    }

    @Test(arguments: [most, "-\(most)", "0.\(most)", "-1234567890123456789.0987654321098765432"])
    func foundationKeepsEveryDigit(text: String) throws {
        let number = try #require(MMDExactDecimal(text))
        #expect(MMDExactDecimal(number.value) == number)
    }

    /// What the generated code takes for a number, and which it takes for the smaller, is what the
    /// server does.
    @Test(arguments: UInt64(0)..<40)
    func deviceAndServerAgree(seed: UInt64) {
        var random = SplitMix64(state: seed)
        let texts = (0..<40).map { _ in randomText(using: &random) }
        for text in texts {
            #expect(
                MMDExactDecimal(text)?.description
                    == DefinitionModel.ExactDecimal(text)?.description, "\(text)")
        }
        for (left, right) in zip(texts, texts.dropFirst()) {
            guard let deviceLeft = MMDExactDecimal(left), let deviceRight = MMDExactDecimal(right),
                let left = DefinitionModel.ExactDecimal(left),
                let right = DefinitionModel.ExactDecimal(right)
            else { continue }
            #expect((deviceLeft < deviceRight) == (left < right), "\(left) \(right)")
        }
    }

    @Test(arguments: [0, 1, -1, 999, 1_370_000_000_123, -62_135_596_800_000, 253_402_300_799_999])
    func anInstantIsADateToTheMillisecond(milliseconds: Int64) {
        let instant = MMDInstant(milliseconds: milliseconds)
        #expect(MMDInstant(instant.date) == instant)
        let seconds = Double(milliseconds) / 1000
        #expect(abs(instant.date.timeIntervalSince1970 - seconds) < 0.0005)
    }

    @Test func aDateBeyondAllIsTheLastInstant() {
        #expect(MMDInstant(Date.distantFuture) > MMDInstant(Date.distantPast))
        #expect(MMDInstant(Date(timeIntervalSince1970: 1e30)).milliseconds == .max)
        #expect(MMDInstant(Date(timeIntervalSince1970: -1e30)).milliseconds == .min)
    }
}

/// Mostly numbers: few digits of few kinds, so that many are close to each other.
private func randomText(using random: inout SplitMix64) -> String {
    let alphabet = Array("0001259..")
    let length = Int.random(in: 1...8, using: &random)
    let digits = (0..<length).compactMap { _ in alphabet.randomElement(using: &random) }
    return (Bool.random(using: &random) ? "-" : "") + String(digits)
}

/// The same numbers for the same seed.
private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
