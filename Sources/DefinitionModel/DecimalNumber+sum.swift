extension DecimalNumber {
    /// The exact sum; nil if it has more than 38 digits.
    package func adding(_ other: DecimalNumber) -> DecimalNumber? {
        if let sum = quickSum(with: other) { return sum }
        let places = max(fractionDigits, other.fractionDigits)
        let (left, right) = (
            WrittenNumber(self, places: places), WrittenNumber(other, places: places)
        )
        let sum =
            left.isNegative == right.isNegative
            ? WrittenNumber(
                isNegative: left.isNegative, digits: added(left.digits, right.digits))
            : left.reduced(by: right)
        return DecimalNumber(sum.text(places: places))
    }
}

/// A number as its digits, the last one first, without a point.
private struct WrittenNumber {
    let isNegative: Bool
    let digits: [UInt8]

    init(isNegative: Bool, digits: [UInt8]) {
        self.isNegative = isNegative
        self.digits = digits
    }

    /// With as many fraction digits as `places`, at least as many as the number has.
    init(_ number: DecimalNumber, places: Int) {
        let text = number.description
        isNegative = text.hasPrefix("-")
        let zeros = [UInt8](repeating: 0, count: places - number.fractionDigits)
        let own = text.utf8.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            .map { $0 - UInt8(ascii: "0") }
        digits = zeros + own.reversed()
    }

    /// The difference of the digits of two numbers with different signs, with the sign of the
    /// larger one.
    func reduced(by other: WrittenNumber) -> WrittenNumber {
        let isLarger = !isLess(digits, other.digits)
        let (large, small) = isLarger ? (digits, other.digits) : (other.digits, digits)
        var borrowed: UInt8 = 0
        var difference: [UInt8] = []
        for index in large.indices {
            let taken = (index < small.count ? small[index] : 0) + borrowed
            borrowed = large[index] < taken ? 1 : 0
            difference.append(large[index] + 10 * borrowed - taken)
        }
        return WrittenNumber(
            isNegative: isLarger ? isNegative : other.isNegative, digits: difference)
    }

    func text(places: Int) -> String {
        let padded = digits + [UInt8](repeating: 0, count: max(0, places + 1 - digits.count))
        let text = String(decoding: padded.reversed().map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
        let whole = text.dropLast(places).drop { $0 == "0" }
        let fraction = places == 0 ? "" : ".\(text.suffix(places))"
        return (isNegative ? "-" : "") + (whole.isEmpty ? "0" : String(whole)) + fraction
    }
}

private func added(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
    var carried: UInt8 = 0
    var sum: [UInt8] = []
    for index in 0..<max(left.count, right.count) {
        let digit =
            (index < left.count ? left[index] : 0) + (index < right.count ? right[index] : 0)
            + carried
        sum.append(digit % 10)
        carried = digit / 10
    }
    return carried == 0 ? sum : sum + [carried]
}

/// Compares digits whose last one comes first.
private func isLess(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    let count = max(left.count, right.count)
    for index in (0..<count).reversed() {
        let (one, other) = (
            index < left.count ? left[index] : 0, index < right.count ? right[index] : 0
        )
        if one != other { return one < other }
    }
    return false
}
