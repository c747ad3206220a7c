import DefinitionModel

extension DecimalLimits {
    /// Whether no number with at most `scale` fraction digits is within both limits.
    var isEmpty: Bool {
        guard let minValue, let maxValue else { return false }
        guard minValue <= maxValue else { return true }
        guard let lowest = units(in: minValue), let highest = units(in: maxValue) else {
            return minValue == maxValue && !(includesMinValue && includesMaxValue)
        }
        let first = lowest.whole + (lowest.isExact && includesMinValue ? 0 : 1)
        let last = highest.whole - (highest.isExact && !includesMaxValue ? 1 : 0)
        return first > last
    }

    /// The number rounded down to a multiple of 10 to the minus `scale`, in that unit. Nil if it
    /// does not fit in 128 bits; such limits are not checked.
    private func units(in number: DecimalNumber) -> (whole: Int128, isExact: Bool)? {
        let isExact = number.fractionDigits <= scale
        let parts = number.description.split(separator: ".")
        let fraction = parts.count == 2 ? parts[1].prefix(scale) : ""
        let padding = String(repeating: "0", count: scale - fraction.count)
        guard let truncated = Int128(parts[0] + fraction + padding) else { return nil }
        let isNegative = number < DecimalNumber(0)
        return (truncated - (isNegative && !isExact ? 1 : 0), isExact)
    }
}
