/// A natural number of at most 38 decimal digits. It is held in two halves of 19 digits, each of
/// which fits in 64 bits: `Int128` exists from iOS 18 on only.
struct DecimalDigits: Hashable, Sendable {
    static let maxCount = 2 * halfCount
    static let zero = DecimalDigits(0)

    private static let halfCount = 19
    private static let halfLimit = powerOfTen(halfCount)

    private let high: UInt64
    private let low: UInt64

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    init(_ number: UInt64) {
        self.init(high: number / Self.halfLimit, low: number % Self.halfLimit)
    }

    /// The digits of `start`, then those of `end`. Nil for more than 38 digits, and for other
    /// characters.
    init?(_ start: Substring, _ end: Substring) {
        var left = start.utf8.count + end.utf8.count
        guard left <= Self.maxCount else { return nil }
        var (high, low) = (UInt64(0), UInt64(0))
        for part in [start, end] {
            for byte in part.utf8 {
                let digit = UInt64(byte) &- UInt64(UInt8(ascii: "0"))
                guard digit < 10 else { return nil }
                if left > Self.halfCount {
                    high = high * 10 + digit
                } else {
                    low = low * 10 + digit
                }
                left -= 1
            }
        }
        self.init(high: high, low: low)
    }
}

extension DecimalDigits {
    /// Nil if it does not fit in 64 bits.
    var number: UInt64? {
        let (upper, overflows) = high.multipliedReportingOverflow(by: Self.halfLimit)
        guard !overflows else { return nil }
        let (sum, carries) = upper.addingReportingOverflow(low)
        return carries ? nil : sum
    }
}

extension DecimalDigits: CustomStringConvertible {
    /// Without zeros at the start.
    var description: String {
        guard high > 0 else { return String(low) }
        let end = String(low)
        return String(high) + String(repeating: "0", count: Self.halfCount - end.count) + end
    }
}

extension DecimalDigits: Comparable {
    static func < (left: DecimalDigits, right: DecimalDigits) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension DecimalDigits {
    /// The number without its last digits, and the number that these are. `count` is 0 to 38.
    func split(beforeLast count: Int) -> (start: DecimalDigits, end: DecimalDigits) {
        guard count < Self.halfCount else {
            let power = powerOfTen(count - Self.halfCount)
            return (
                DecimalDigits(high: 0, low: high / power),
                DecimalDigits(high: high % power, low: low)
            )
        }
        let power = powerOfTen(count)
        let moved = high % power * powerOfTen(Self.halfCount - count)
        return (
            DecimalDigits(high: high / power, low: moved + low / power),
            DecimalDigits(high: 0, low: low % power)
        )
    }

    /// The number times 10 to the `count`, which must have at most 38 digits.
    func appendingZeros(_ count: Int) -> DecimalDigits {
        guard count < Self.halfCount else {
            return DecimalDigits(high: low * powerOfTen(count - Self.halfCount), low: 0)
        }
        let upper = powerOfTen(Self.halfCount - count)
        return DecimalDigits(
            high: high * powerOfTen(count) + low / upper, low: low % upper * powerOfTen(count))
    }
}

/// The exponent is 0 to 19.
func powerOfTen(_ exponent: Int) -> UInt64 {
    (0..<exponent).reduce(1) { power, _ in power * 10 }
}
