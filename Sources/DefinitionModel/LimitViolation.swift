package import JSON

/// A limit that a value violates, named by the option that sets it. The cases carry the original
/// clients' validation codes and their argument.
package enum LimitViolation: Hashable, Sendable {
    case tooLong(max: Int)
    case tooShort(min: Int)
    case patternMismatch(TextPattern)
    /// Matching the texts of the change against their patterns takes more steps than one change
    /// may take.
    case patternTooCostly(maxSteps: Int)
    /// The text does not have the format of the field.
    case wrongFormat(TextFormat.Kind)
    /// The value of a text with a format has more bytes.
    case tooManyBytes(max: Int)
    /// The value is not one of `values`, which are in canonical text form.
    case notAllowed(values: [String])
    case greaterThan(DecimalNumber)
    case greaterThanOrEqualTo(DecimalNumber)
    case lessThan(DecimalNumber)
    case lessThanOrEqualTo(DecimalNumber)
    case tooEarly(minMilliseconds: Int64)
    case tooLate(maxMilliseconds: Int64)
    /// The value has more fraction digits than `scale`. The original clients round silently; Waggle
    /// refuses.
    case tooManyFractionDigits(max: Int)
    /// U+0000 in a text, which neither the databases nor the original clients can store. In a
    /// file's name, any control character or a slash.
    case illegalCharacter

    /// The option or attribute of the definition that sets the limit; nil if none can change it.
    package var option: String? {
        switch self {
        case .tooLong: "maxLength"
        case .tooShort: "minLength"
        case .patternMismatch, .patternTooCostly: "pattern"
        case .wrongFormat: "format"
        case .tooManyBytes: "maxBytes"
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
    /// Returns every limit that a value of this type violates.
    ///
    /// The compiler uses it for defaults, server and client use it for records. The value must be
    /// of this type; a value of another type violates no limit.
    package func violations(of value: FieldValue) -> [LimitViolation] {
        var budget = PatternBudget()
        return violations(of: value, within: &budget)
    }

    /// The same for one of several values that share a budget.
    package func violations(
        of value: FieldValue, within budget: inout PatternBudget
    ) -> [LimitViolation] {
        switch (self, value) {
        case (.text(let limits), .text(let text)):
            limits.violations(of: text, parsed: nil, within: &budget)
        case (.integer(let limits), .integer(let number)): limits.violations(of: number)
        case (.decimal(let limits), .decimal(let number)): limits.violations(of: number)
        case (.date(let limits), .date(let milliseconds)): limits.violations(of: milliseconds)
        case (.file, .file(let file)): file.violations
        case (.text, _), (.integer, _), (.decimal, _), (.boolean, _), (.date, _), (.belongsTo, _),
            (.file, _):
            []
        }
    }

    /// The same for a JSON value and its canonical text, which is not read again.
    package func violations(of value: JSONValue, text: String) -> [LimitViolation] {
        guard case .text(let limits) = self else { return [] }
        var budget = PatternBudget()
        return limits.violations(of: text, parsed: value, within: &budget)
    }
}

extension FileValue {
    /// In bytes, as file systems limit names.
    package static let maxNameBytes = 255

    fileprivate var violations: [LimitViolation] {
        let isLegal = filename.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "/") }
        return (filename.utf8.count > Self.maxNameBytes ? [.tooLong(max: Self.maxNameBytes)] : [])
            + (isLegal ? [] : [.illegalCharacter])
    }
}

extension TextLimits {
    /// A text that is too long is neither matched against the pattern nor read by its format, so
    /// the length bounds the cost.
    fileprivate func violations(
        of text: String, parsed value: JSONValue?, within budget: inout PatternBudget
    ) -> [LimitViolation] {
        let length = text.utf16.count
        let isWithinLength = length <= maxLength
        // Mostly there are none, and to join empty lists takes longer than to find that out.
        var violations: [LimitViolation] = []
        if !isWithinLength { violations.append(.tooLong(max: maxLength)) }
        if length < minLength { violations.append(.tooShort(min: minLength)) }
        if isWithinLength, pattern != nil { violations += mismatch(of: text, within: &budget) }
        if isWithinLength, let format {
            violations += format.violations(of: text, parsed: value)
        }
        if !allowedValues.isEmpty {
            violations += notAmong(allowedValues) { $0.hasSameBytes(as: text) }
        }
        if containsNull(text) { violations.append(.illegalCharacter) }
        return violations
    }

    private func mismatch(
        of text: String, within budget: inout PatternBudget
    ) -> [LimitViolation] {
        guard let pattern else { return [] }
        return switch pattern.matches(text, within: &budget) {
        case true?: []
        case false?: [.patternMismatch(pattern)]
        case nil: [.patternTooCostly(maxSteps: budget.max)]
        }
    }
}

/// Whether the text contains U+0000.
private func containsNull(_ text: String) -> Bool {
    var text = text
    // An index into the buffer is much faster than an iterator over the view.
    return text.withUTF8 { bytes in !bytes.indices.allSatisfy { bytes[$0] != 0 } }
}

extension IntegerLimits {
    fileprivate func violations(of number: Int64) -> [LimitViolation] {
        (number < minValue ? [.greaterThanOrEqualTo(DecimalNumber(minValue))] : [])
            + (number > maxValue ? [.lessThanOrEqualTo(DecimalNumber(maxValue))] : [])
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

/// An empty list allows every value.
private func notAmong<Value: CustomStringConvertible>(
    _ allowed: [Value], where isSame: (Value) -> Bool
) -> [LimitViolation] {
    allowed.isEmpty || allowed.contains(where: isSame)
        ? [] : [.notAllowed(values: allowed.map(\.description))]
}

extension DecimalLimits {
    fileprivate func violations(of number: DecimalNumber) -> [LimitViolation] {
        (number.fractionDigits > scale ? [.tooManyFractionDigits(max: scale)] : [])
            + (minValue.flatMap { below($0, number) }.map { [$0] } ?? [])
            + (maxValue.flatMap { above($0, number) }.map { [$0] } ?? [])
            + notAmong(allowedValues) { $0 == number }
    }

    private func below(_ limit: DecimalNumber, _ number: DecimalNumber) -> LimitViolation? {
        if number > limit || (includesMinValue && number == limit) { return nil }
        return includesMinValue ? .greaterThanOrEqualTo(limit) : .greaterThan(limit)
    }

    private func above(_ limit: DecimalNumber, _ number: DecimalNumber) -> LimitViolation? {
        if number < limit || (includesMaxValue && number == limit) { return nil }
        return includesMaxValue ? .lessThanOrEqualTo(limit) : .lessThan(limit)
    }
}
