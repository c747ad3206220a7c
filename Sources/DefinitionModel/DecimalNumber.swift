/// A decimal number without binary rounding: an integer times 10 to the minus `fractionDigits`.
///
/// Trailing fraction zeros are dropped, so that equal numbers are equal values (1.50 is 1.5).
package struct DecimalNumber: Hashable, Sendable {
    package static let maxDigits = DecimalDigits.maxCount

    /// False for 0.
    private let isNegative: Bool
    private let digits: DecimalDigits
    package let fractionDigits: Int

    /// Nil unless the text consists of digits with an optional minus sign and an optional fraction
    /// (`-12.50`), at most 38 digits in all. An exponent, a plus sign and a bare point are not
    /// accepted.
    package init?(_ text: String) {
        var digits = Substring(text)
        let isNegative = digits.first == "-"
        if isNegative { digits.removeFirst() }
        let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isDigit) }) else { return nil }
        let whole = parts[0].trimmingLeadingZeros()
        let fraction = parts.count == 2 ? parts[1].trimmingTrailingZeros() : ""
        guard let all = DecimalDigits(whole, fraction) else { return nil }
        self.isNegative = isNegative && all != .zero
        self.digits = all
        fractionDigits = fraction.utf8.count
    }

    package init(_ number: Int64) {
        isNegative = number < 0
        digits = DecimalDigits(number.magnitude)
        fractionDigits = 0
    }

    /// The number whose digits are those of a whole number: 125 with one fraction digit is 12.5.
    /// Nil for more than 38 fraction digits, but for those that are zeros at the end.
    init?(unscaled number: Int64, fractionDigits: Int) {
        var (number, fractionDigits) = (number, fractionDigits)
        while fractionDigits > 0, number.isMultiple(of: 10) {
            number = number / 10
            fractionDigits = number == 0 ? 0 : fractionDigits - 1
        }
        guard fractionDigits <= Self.maxDigits else { return nil }
        isNegative = number < 0
        digits = DecimalDigits(number.magnitude)
        self.fractionDigits = fractionDigits
    }

    /// The digits as a whole number; nil if it does not fit in 64 bits with its sign.
    var unscaled: Int64? {
        guard let number = digits.number else { return nil }
        guard isNegative else { return Int64(exactly: number) }
        return number <= Int64.min.magnitude ? Int64(truncatingIfNeeded: 0 &- number) : nil
    }

    /// The same number with the other sign.
    var negated: DecimalNumber {
        DecimalNumber(
            isNegative: !isNegative && digits != .zero, digits: digits,
            fractionDigits: fractionDigits)
    }

    private init(isNegative: Bool, digits: DecimalDigits, fractionDigits: Int) {
        self.isNegative = isNegative
        self.digits = digits
        self.fractionDigits = fractionDigits
    }

    /// The number as a whole one; nil if it has a fraction or does not fit in 64 bits.
    package var whole: Int64? { fractionDigits == 0 ? unscaled : nil }
}

extension DecimalNumber: CustomStringConvertible {
    /// The shortest plain form: `-12.5`, `0.001`, `7`.
    package var description: String {
        let digits = digits.description
        let sign = isNegative ? "-" : ""
        guard fractionDigits > 0 else { return sign + digits }
        let padding = String(repeating: "0", count: max(0, fractionDigits + 1 - digits.count))
        let padded = padding + digits
        return "\(sign)\(padded.dropLast(fractionDigits)).\(padded.suffix(fractionDigits))"
    }
}

extension DecimalNumber: Comparable {
    /// Compares the integer parts, then the fractions at equal length. Neither step can overflow.
    package static func < (left: DecimalNumber, right: DecimalNumber) -> Bool {
        guard left.isNegative == right.isNegative else { return left.isNegative }
        return left.isNegative ? right.isSmaller(than: left) : left.isSmaller(than: right)
    }

    /// Compares without the signs.
    private func isSmaller(than other: DecimalNumber) -> Bool {
        let (whole, rest) = digits.split(beforeLast: fractionDigits)
        let (otherWhole, otherRest) = other.digits.split(beforeLast: other.fractionDigits)
        guard whole == otherWhole else { return whole < otherWhole }
        let length = max(fractionDigits, other.fractionDigits)
        return rest.appendingZeros(length - fractionDigits)
            < otherRest.appendingZeros(length - other.fractionDigits)
    }
}

private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

extension Substring {
    fileprivate func trimmingLeadingZeros() -> Substring { drop { $0 == "0" } }

    fileprivate func trimmingTrailingZeros() -> Substring {
        var rest = self
        while rest.last == "0" { rest.removeLast() }
        return rest
    }
}
