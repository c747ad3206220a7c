import DefinitionModel
import Foundation
import TestKit
import Testing
import Waggle

/// The library's decimal; the module of the definition has another.
private typealias Number = Waggle.ExactDecimal

/// The values that records are made of.
@Suite struct ValueTests {
    static let most = String(repeating: "9", count: 38)

    @Test(arguments: [
        ("0", "0"), ("-0", "0"), ("-0.00", "0"), ("000", "0"), ("12.50", "12.5"), ("007", "7"),
        ("-0.001", "-0.001"), ("0.10", "0.1"), ("100", "100"), (most, most),
        ("0.\(most)", "0.\(most)"),
        ("-00\(most).00", "-\(most)"),
    ])
    func decimalHasOneForm(text: String, form: String) throws {
        let number = try #require(Number(text))
        #expect(number.description == form)
        #expect(number == Number(form))
        #expect(try JSONEncoder().encode([number]) == Data("[\"\(form)\"]".utf8))
    }

    @Test(arguments: [
        "", "-", ".", "1.", ".5", "+1", "1e3", "1,5", " 1", "1 ", "--1", "1.2.3", "٣", "0x1", "nan",
        "9\(most)", "1.\(most)",
    ])
    func otherTextsAreNoNumbers(text: String) {
        #expect(Number(text) == nil)
    }

    @Test func decimalCanBeCalculatedWith() throws {
        let price = try #require(Number("0.1"))
        #expect(Number(price.value * 3) == Number("0.3"))
        #expect(Number(Decimal.nan) == nil)
        #expect(Number(Decimal.greatestFiniteMagnitude) == nil)
        let literal: Number = -7
        #expect(literal == Number("-7"))
    }

    /// Generated code writes defaults like this.
    @Test(arguments: [("0.\(most)", "0.\(most)"), ("-12.5", "-12.5"), ("no number", "0")])
    func checkedDefaultIsTakenAsItIs(text: String, form: String) {
        #expect(Number(canonical: text).description == form)
    }

    @Test(arguments: [most, "-\(most)", "0.\(most)", "-1234567890123456789.0987654321098765432"])
    func foundationKeepsEveryDigit(text: String) throws {
        let number = try #require(Number(text))
        #expect(Number(number.value) == number)
    }

    /// The library parses and compares decimals as the server does.
    @Test(arguments: UInt64(0)..<40)
    func deviceAndServerAgree(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let texts = (0..<40).map { _ in randomText(using: &random) }
        for text in texts {
            #expect(
                Number(text)?.description
                    == DecimalNumber(text)?.description, "\(text)")
        }
        for (left, right) in zip(texts, texts.dropFirst()) {
            guard let deviceLeft = Number(left), let deviceRight = Number(right),
                let left = DecimalNumber(left),
                let right = DecimalNumber(right)
            else { continue }
            #expect((deviceLeft < deviceRight) == (left < right), "\(left) \(right)")
        }
    }

    @Test(arguments: [0, 1, -1, 999, 1_370_000_000_123, -62_135_596_800_000, 253_402_300_799_999])
    func instantIsDateToMillisecond(milliseconds: Int64) {
        let instant = Instant(milliseconds: milliseconds)
        #expect(Instant(instant.date) == instant)
        let seconds = Double(milliseconds) / 1000
        #expect(abs(instant.date.timeIntervalSince1970 - seconds) < 0.0005)
    }

    @Test func dateBeyondAllIsTheLastInstant() {
        #expect(Instant(Date.distantFuture) > Instant(Date.distantPast))
        #expect(Instant(Date(timeIntervalSince1970: 1e30)).milliseconds == .max)
        #expect(Instant(Date(timeIntervalSince1970: -1e30)).milliseconds == .min)
    }
}

/// Mostly numbers, of few digits and few kinds, so that many are close to each other.
private func randomText(using random: inout SplitMix64) -> String {
    let alphabet = Array("0001259..")
    let length = Int.random(in: 1...8, using: &random)
    let digits = (0..<length).compactMap { _ in alphabet.randomElement(using: &random) }
    return (Bool.random(using: &random) ? "-" : "") + String(digits)
}
