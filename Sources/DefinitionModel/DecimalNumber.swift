/// A decimal number without binary rounding: an integer times 10 to the minus `fractionDigits`.
///
/// Trailing fraction zeros are dropped, so that equal numbers are equal values (1.50 is 1.5). At
/// most 38 digits, which fit in 128 bits.
package struct DecimalNumber: Hashable, Sendable {
    package static let maxDigits = 38

    private let units: Int128
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
        guard whole.utf8.count + fraction.utf8.count <= Self.maxDigits,
            let magnitude = Int128("0\(whole)\(fraction)")
        else { return nil }
        self.init(units: isNegative ? -magnitude : magnitude, fractionDigits: fraction.utf8.count)
    }

    package init(_ number: Int64) {
        self.init(units: Int128(number), fractionDigits: 0)
    }

    private init(units: Int128, fractionDigits: Int) {
        self.units = units
        self.fractionDigits = fractionDigits
    }
}

extension DecimalNumber: CustomStringConvertible {
    /// The shortest plain form: `-12.5`, `0.001`, `7`.
    package var description: String {
        let digits = String(units.magnitude)
        let sign = units < 0 ? "-" : ""
        guard fractionDigits > 0 else { return sign + digits }
        let padding = String(repeating: "0", count: max(0, fractionDigits + 1 - digits.count))
        let padded = padding + digits
        return "\(sign)\(padded.dropLast(fractionDigits)).\(padded.suffix(fractionDigits))"
    }
}

extension DecimalNumber: Comparable {
    /// Compares the integer parts, then the fractions at equal length. Neither step can overflow.
    package static func < (left: DecimalNumber, right: DecimalNumber) -> Bool {
        let (leftWhole, leftRest) = left.parts
        let (rightWhole, rightRest) = right.parts
        guard leftWhole == rightWhole else { return leftWhole < rightWhole }
        let length = max(left.fractionDigits, right.fractionDigits)
        return leftRest * powerOfTen(length - left.fractionDigits)
            < rightRest * powerOfTen(length - right.fractionDigits)
    }

    private var parts: (whole: Int128, rest: Int128) {
        let (quotient, remainder) = units.quotientAndRemainder(
            dividingBy: powerOfTen(fractionDigits))
        return (quotient, remainder)
    }
}

private func powerOfTen(_ exponent: Int) -> Int128 {
    (0..<exponent).reduce(1) { power, _ in power * 10 }
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
