/// A limit that a value breaks, named by the option that sets it. The cases carry the original
/// clients' validation codes and their argument.
package enum LimitViolation: Hashable, Sendable {
    case tooLong(max: Int)
    case tooShort(min: Int)
    case patternMismatch(TextPattern)
    /// The value is none of these, which are in their plain form.
    case notAllowed(values: [String])
    case greaterThan(ExactDecimal)
    case greaterThanOrEqualTo(ExactDecimal)
    case lessThan(ExactDecimal)
    case lessThanOrEqualTo(ExactDecimal)
    case tooEarly(minMilliseconds: Int64)
    case tooLate(maxMilliseconds: Int64)
    /// More fraction digits than `scale`. The originals rounded silently; we refuse.
    case tooManyFractionDigits(max: Int)
    /// U+0000 in a text, which neither databases nor the original clients can hold; in a file's
    /// name any control character, and the slash.
    case illegalCharacter

    /// The option or the attribute of the definition that was broken; nil where none can change it.
    package var option: String? {
        switch self {
        case .tooLong: "maxLength"
        case .tooShort: "minLength"
        case .patternMismatch: "pattern"
        case .notAllowed: "allowedValues"
        case .tooEarly: "minDate"
        case .tooLate: "maxDate"
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
        case (.date(let limits), .date(let milliseconds)): limits.violations(of: milliseconds)
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
    /// A text that is too long is not held against the pattern: what that costs is bounded by the
    /// length.
    fileprivate func violations(of text: String) -> [LimitViolation] {
        let length = text.utf16.count
        let isWithinLength = length <= maxLength
        return (isWithinLength ? [] : [.tooLong(max: maxLength)])
            + (length < minLength ? [.tooShort(min: minLength)] : [])
            + (isWithinLength ? mismatch(of: text) : [])
            + notAmong(allowedValues) { $0.hasSameBytes(as: text) }
            + (text.utf8.contains(0) ? [.illegalCharacter] : [])
    }

    private func mismatch(of text: String) -> [LimitViolation] {
        pattern.flatMap { $0.matches(text) ? nil : [.patternMismatch($0)] } ?? []
    }
}

extension IntegerLimits {
    fileprivate func violations(of number: Int64) -> [LimitViolation] {
        (number < minValue ? [.greaterThanOrEqualTo(ExactDecimal(minValue))] : [])
            + (number > maxValue ? [.lessThanOrEqualTo(ExactDecimal(maxValue))] : [])
            + notAmong(allowedValues) { $0 == number }
    }
}

extension DateLimits {
    fileprivate func violations(of milliseconds: Int64) -> [LimitViolation] {
        (minMilliseconds.flatMap { milliseconds < $0 ? [.tooEarly(minMilliseconds: $0)] : nil }
            ?? [])
            + (maxMilliseconds.flatMap { milliseconds > $0 ? [.tooLate(maxMilliseconds: $0)] : nil }
                ?? [])
    }
}

/// No allowed values allow all.
private func notAmong<Value: CustomStringConvertible>(
    _ allowed: [Value], where isSame: (Value) -> Bool
) -> [LimitViolation] {
    allowed.isEmpty || allowed.contains(where: isSame)
        ? [] : [.notAllowed(values: allowed.map(\.description))]
}

extension DecimalLimits {
    fileprivate func violations(of number: ExactDecimal) -> [LimitViolation] {
        (number.fractionDigits > scale ? [.tooManyFractionDigits(max: scale)] : [])
            + (minValue.flatMap { below($0, number) }.map { [$0] } ?? [])
            + (maxValue.flatMap { above($0, number) }.map { [$0] } ?? [])
            + notAmong(allowedValues) { $0 == number }
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
