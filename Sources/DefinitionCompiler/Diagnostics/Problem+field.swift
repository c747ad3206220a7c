import DefinitionModel

/// Messages about options and defaults of fields.
extension Problem {
    static func unknownOption(
        _ name: String, for type: FieldTypeName, known: [String], at range: Range<Int>
    ) -> Problem {
        .error(
            "\(type.rawValue) has no option \(quoted(name))", at: range,
            help: help(onUnknownOption: name, for: type, known: known))
    }

    private static func help(
        onUnknownOption name: String, for type: FieldTypeName, known: [String]
    ) -> String {
        if type.ownLimits.contains(name) {
            return "it is an attribute of Waggle's own: write 'w:\(name)=\"…\"' in 'field', and "
                + "'xmlns:w=\"\(ownNamespace)\"' in 'application'"
        }
        if ["required", "defaultValue"].contains(name) {
            return "it is an attribute: write '\(name)=\"…\"' in 'field'"
        }
        guard !known.isEmpty else { return "\(type.rawValue) has no options; remove it" }
        return nearest(to: name, in: known).map { "did you mean \(quoted($0))?" }
            ?? "it may have \(alternatives(known))"
    }

    static func optionOfAnotherType(
        _ name: String, for type: FieldTypeName, owners: [FieldTypeName], at range: Range<Int>
    ) -> Problem {
        .error(
            "\(type.rawValue) has no option \(quoted(name))", at: range,
            help: "it is one of \(owners.map(\.rawValue).joined(separator: " and ")); remove it, "
                + "or change the field's type")
    }

    static func duplicateOption(
        _ name: String, at range: Range<Int>, first: Range<Int>
    ) -> Problem {
        .error(
            "the option \(quoted(name)) is given twice", at: range, help: "keep one of them",
            related: [RelatedRange(range: first, message: "the first one is here")])
    }

    static func unreadableOption(
        _ option: Option, _ expected: OptionKind, at range: Range<Int>
    ) -> Problem {
        .error(
            option.written.value.isEmpty
                ? "the \(option.shownName) has no value"
                : "the \(option.shownName) cannot be \(quoted(option.written.value))", at: range,
            help: "write \(expected.description)")
    }

    static func optionOutOfRange(
        _ option: Option, from lowest: String, to highest: String, at range: Range<Int>
    ) -> Problem {
        .error(
            "the \(option.shownName) is \(plain(option.written.value)), outside of \(lowest) to "
                + highest, at: range,
            help: "write a number from \(lowest) to \(highest)")
    }

    static func emptyRange(
        _ limits: DecimalLimits, of type: FieldTypeName, at range: Range<Int>,
        other: Range<Int>?
    ) -> Problem {
        let scale = type == .decimal ? " of at most \(fractionDigits(limits.scale))" : ""
        let lowest = limits.minValue.map {
            (limits.includesMinValue ? "at least " : "more than ") + $0.description
        }
        let highest = limits.maxValue.map {
            (limits.includesMaxValue ? "at most " : "less than ") + $0.description
        }
        return .error(
            "no number\(scale) is "
                + [lowest, highest].compactMap(\.self).joined(separator: " and "),
            at: range,
            help: other == nil
                ? "write both 'minValue' and 'maxValue': the one left out has its default"
                : "change 'minValue' or 'maxValue'",
            related: other.map { [RelatedRange(range: $0, message: "the other limit is here")] }
                ?? [])
    }

    static func missingModelOption(at range: Range<Int>) -> Problem {
        .error(
            "the relation does not name its model", at: range,
            help: "write '<options><option name=\"model\">…</option></options>'")
    }

    static func defaultNotAllowed(for type: FieldTypeName, at range: Range<Int>) -> Problem {
        .error(
            "\(type.rawValue) can have no default", at: range,
            help: "remove 'defaultValue': a definition cannot name a record or a file")
    }

    static func defaultNotOfType(
        _ value: String, _ type: FieldTypeName, at range: Range<Int>
    ) -> Problem {
        .error(
            "the default \(quoted(value)) is not of type \(type.rawValue)", at: range,
            help: type.form.map { "write \($0), or leave 'defaultValue' out" })
    }

    static func defaultBreaksLimit(
        _ value: String, _ violation: LimitViolation, at range: Range<Int>, limit: Range<Int>?
    ) -> Problem {
        .error(
            "the default \(quoted(value)) \(violation.sentence)", at: range,
            help: violation.option.map { "change the default or \(quoted($0))" }
                ?? "change the default",
            related: limit.map { [RelatedRange(range: $0, message: "the limit is here")] } ?? [])
    }
}

extension Option {
    /// Such as "option 'scale'".
    fileprivate var shownName: String { "\(origin.rawValue) \(quoted(written.name))" }
}

private func fractionDigits(_ number: Int) -> String {
    counted(number, "fraction digit")
}

/// The required form of an option's value.
enum OptionKind {
    case wholeNumber, decimal, boolean, instant, list

    fileprivate var description: String {
        switch self {
        case .wholeNumber: "a whole number, such as '20' or '-5'"
        case .decimal:
            "a number of at most \(DecimalNumber.maxDigits) digits, such as '20' or '-12.50'"
        case .boolean: "'true' or 'false'"
        case .instant: "a day or a time in UTC, such as '2026-11-21' or '2026-11-21T10:30Z'"
        case .list: "values separated by '|', such as 'red|green|dark blue'"
        }
    }
}

extension FieldTypeName {
    /// How a default of this type is written.
    fileprivate var form: String? {
        switch self {
        case .integer: "a whole number, such as '20' or '-5'"
        case .decimal:
            "a number of at most \(DecimalNumber.maxDigits) digits, such as '20' or '-12.50'"
        case .boolean: "'true' or 'false'"
        case .date: "milliseconds since 1970 in UTC, such as '1370000000000'"
        case .text, .belongsTo, .file: nil
        }
    }
}

extension TextFormat.Kind {
    fileprivate var phrase: String {
        switch self {
        case .json: "a JSON object or array, nested at most \(TextFormat.maxDepth) deep"
        case .base64: "base64 with padding and without line breaks"
        case .geo: "a latitude and a longitude, such as '52.5,13.4'"
        }
    }
}

extension LimitViolation {
    var sentence: String {
        switch self {
        case .tooLong(let max): "is longer than \(max) characters"
        case .tooShort(let min): "is shorter than \(min) characters"
        case .patternMismatch(let pattern): "does not match \(quoted(pattern.source))"
        case .patternTooCostly(let max): "takes more than \(max) steps to match its pattern"
        case .wrongFormat(let kind): "is not \(kind.phrase)"
        case .tooManyBytes(let max): "has more than \(max) bytes"
        case .notAllowed(let values): "is not one of the allowed \(alternatives(values))"
        case .tooEarly(let min): "is before \(readableInstant(milliseconds: min))"
        case .tooLate(let max): "is after \(readableInstant(milliseconds: max))"
        case .greaterThan(let limit): "is not more than \(limit)"
        case .greaterThanOrEqualTo(let limit): "is less than \(limit)"
        case .lessThan(let limit): "is not less than \(limit)"
        case .lessThanOrEqualTo(let limit): "is more than \(limit)"
        case .tooManyFractionDigits(let max): "has more than \(fractionDigits(max))"
        case .illegalCharacter: "has a NUL character"
        }
    }
}
