extension DecimalNumber {
    /// An operation on two numbers. The result of a division has a fraction, also of whole numbers;
    /// a remainder has the sign of the first number.
    package enum Operation: Hashable, Sendable {
        case add, subtract, multiply, divide, remainder
    }

    /// The exact result of an operation, in constant time. Nil if a sum or a difference has more
    /// than 38 digits; for other operations, if a number or a step to the result does not fit in 64
    /// bits, or has more than 38 fraction digits. Nil for a division by 0.
    package func result(of operation: Operation, with other: DecimalNumber) -> DecimalNumber? {
        let places = max(fractionDigits, other.fractionDigits)
        let (left, right) = (unscaled(places), other.unscaled(places))
        return switch operation {
        case .add: adding(other)
        case .subtract: adding(other.negated)
        case .multiply:
            exact(unscaled, other.unscaled, fractionDigits + other.fractionDigits) {
                $0.multipliedReportingOverflow(by: $1)
            }
        case .divide: quotient(left, right)
        case .remainder:
            exact(left, right, places) { $0.remainderReportingOverflow(dividingBy: $1) }
        }
    }

    /// The sum of numbers of few digits; nil for others.
    func quickSum(with other: DecimalNumber) -> DecimalNumber? {
        let places = max(fractionDigits, other.fractionDigits)
        return exact(unscaled(places), other.unscaled(places), places) {
            $0.addingReportingOverflow($1)
        }
    }

    /// The digits as a whole number with as many fraction digits, at least those that it has.
    private func unscaled(_ places: Int) -> Int64? {
        unscaled?.appendingZeros(places - fractionDigits)
    }
}

private func exact(
    _ left: Int64?, _ right: Int64?, _ places: Int,
    _ compute: (Int64, Int64) -> (partialValue: Int64, overflow: Bool)
) -> DecimalNumber? {
    guard let left, let right else { return nil }
    let (number, overflows) = compute(left, right)
    return overflows ? nil : DecimalNumber(unscaled: number, fractionDigits: places)
}

/// Nil if it needs more digits.
private func quotient(_ dividend: Int64?, _ divisor: Int64?) -> DecimalNumber? {
    guard let dividend, let divisor, divisor != 0 else { return nil }
    for places in 0..<Int64.maxZeros {
        guard let scaled = dividend.appendingZeros(places) else { return nil }
        let (quotient, overflows) = scaled.dividedReportingOverflow(by: divisor)
        guard !overflows else { return nil }
        if scaled % divisor == 0 {
            return DecimalNumber(unscaled: quotient, fractionDigits: places)
        }
    }
    return nil
}

extension Int64 {
    /// A power of ten with as many zeros has too many bits.
    fileprivate static let maxZeros = 19

    /// Nil if it has too many bits.
    fileprivate func appendingZeros(_ count: Int) -> Int64? {
        guard self != 0 else { return 0 }
        guard count < Self.maxZeros else { return nil }
        let (product, overflows) = multipliedReportingOverflow(by: Int64(powerOfTen(count)))
        return overflows ? nil : product
    }
}
