/// The digits of a number that is held exactly, at most.
package let maxJSONDigits = 38

/// A number as JSON writes it, in its parts.
struct JSONNumber {
    var isNegative = false
    var whole: ArraySlice<UInt8> = []
    var fraction: ArraySlice<UInt8> = []
    var exponent: String = "0"

    /// The exact number, whatever its spelling (1e2 is 100); `unrepresentable` when neither 64 bits
    /// nor 38 digits hold it.
    var value: JSONValue {
        if let integer = shortInteger { return .integer(integer) }
        guard let text = plainText else { return .unrepresentable }
        return Int64(text).map { .integer($0) } ?? .decimal(text)
    }

    /// Nil for any other number; most are one.
    private var shortInteger: Int64? {
        guard fraction.isEmpty, exponent == "0", whole.count <= 18 else { return nil }
        let magnitude = whole.reduce(0) { 10 * $0 + Int64($1 - UInt8(ascii: "0")) }
        return isNegative ? -magnitude : magnitude
    }

    /// Without an exponent and needless zeros; nil when it has more than `maxJSONDigits`. Never
    /// much longer than what was written.
    private var plainText: String? {
        let written = whole + fraction
        let digits = Array(written.drop(while: isZero).reversed().drop(while: isZero).reversed())
        guard !digits.isEmpty else { return "0" }
        guard let exponent = Int(exponent),
            exponent.magnitude <= written.count + maxJSONDigits
        else { return nil }
        let trailingZeros = written.reversed().prefix(while: isZero).count
        let unit = exponent - fraction.count + trailingZeros
        guard max(digits.count, -unit, digits.count + unit) <= maxJSONDigits else { return nil }
        return (isNegative ? "-" : "") + plainText(of: digits, inUnitsOfTenTo: unit)
    }

    private func plainText(of digits: [UInt8], inUnitsOfTenTo unit: Int) -> String {
        let text = String(decoding: digits, as: UTF8.self)
        guard unit < 0 else { return text + String(repeating: "0", count: unit) }
        let padding = String(repeating: "0", count: max(0, 1 - unit - digits.count))
        let padded = padding + text
        return "\(padded.dropLast(-unit)).\(padded.suffix(-unit))"
    }
}

private func isZero(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "0") }
