/// A limit that a value breaks, named by the option that sets it. The cases carry the original
/// clients' validation codes and their argument.
package enum LimitViolation: Hashable, Sendable {
    case tooLong(max: Int)
    case greaterThan(ExactDecimal)
    case greaterThanOrEqualTo(ExactDecimal)
    case lessThan(ExactDecimal)
    case lessThanOrEqualTo(ExactDecimal)
    /// More fraction digits than `scale`. The originals rounded silently; we refuse.
    case tooManyFractionDigits(max: Int)
    /// U+0000 in a text, which neither databases nor the original clients can hold; in a file's
    /// name any control character, and the slash.
    case illegalCharacter

    /// The option of the definition that was broken; nil where no option can change it.
    package var option: String? {
        switch self {
        case .tooLong: "maxLength"
        case .greaterThan, .greaterThanOrEqualTo: "minValue"
        case .lessThan, .lessThanOrEqualTo: "maxValue"
        case .tooManyFractionDigits: "scale"
        case .illegalCharacter: nil
        }
    }
}

extension FieldType {
    /// Every limit that a value of this type breaks. The one place that knows the limits: the
    /// compiler asks it about defaults, server and client about records.
    ///
    /// The value must be of this type; one of another type breaks no limit of it.
    package func violations(of value: FieldValue) -> [LimitViolation] {
        switch (self, value) {
        case (.text(let limits), .text(let text)): limits.violations(of: text)
        case (.integer(let limits), .integer(let number)): limits.violations(of: number)
        case (.decimal(let limits), .decimal(let number)): limits.violations(of: number)
        case (.file, .file(let file)): file.violations
        case (.text, _), (.integer, _), (.decimal, _), (.boolean, _), (.date, _), (.belongsTo, _),
            (.file, _):
            []
        }
    }
}

extension FileReference {
    /// Bytes of a file's name, as file systems allow them.
    private static let maxNameBytes = 255

    fileprivate var violations: [LimitViolation] {
        let isLegal = filename.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "/") }
        return (filename.utf8.count > Self.maxNameBytes ? [.tooLong(max: Self.maxNameBytes)] : [])
            + (isLegal ? [] : [.illegalCharacter])
    }
}

extension TextLimits {
    fileprivate func violations(of text: String) -> [LimitViolation] {
        (text.utf16.count > maxLength ? [.tooLong(max: maxLength)] : [])
            + (text.utf8.contains(0) ? [.illegalCharacter] : [])
    }
}

extension IntegerLimits {
    fileprivate func violations(of number: Int64) -> [LimitViolation] {
        (number < minValue ? [.greaterThanOrEqualTo(ExactDecimal(minValue))] : [])
            + (number > maxValue ? [.lessThanOrEqualTo(ExactDecimal(maxValue))] : [])
    }
}

extension DecimalLimits {
    fileprivate func violations(of number: ExactDecimal) -> [LimitViolation] {
        (number.fractionDigits > scale ? [.tooManyFractionDigits(max: scale)] : [])
            + (minValue.flatMap { below($0, number) }.map { [$0] } ?? [])
            + (maxValue.flatMap { above($0, number) }.map { [$0] } ?? [])
    }

    private func below(_ limit: ExactDecimal, _ number: ExactDecimal) -> LimitViolation? {
        if number > limit || (includesMinValue && number == limit) { return nil }
        return includesMinValue ? .greaterThanOrEqualTo(limit) : .greaterThan(limit)
    }

    private func above(_ limit: ExactDecimal, _ number: ExactDecimal) -> LimitViolation? {
        if number < limit || (includesMaxValue && number == limit) { return nil }
        return includesMaxValue ? .lessThanOrEqualTo(limit) : .lessThan(limit)
    }
}
