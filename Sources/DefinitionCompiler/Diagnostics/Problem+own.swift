import DefinitionModel

/// Messages about Waggle's own attributes.
extension Problem {
    static func limitOfAnotherType(
        _ name: String, for type: FieldTypeName, owners: [FieldTypeName], at range: Range<Int>
    ) -> Problem {
        .error(
            "\(type.rawValue) cannot be limited by \(quoted(name))", at: range,
            help: "it is for \(listed(owners.map(\.rawValue))); remove it, or change the field's "
                + "type")
    }

    static func minLengthOverMaxLength(
        _ limits: TextLimits, at range: Range<Int>, other: Range<Int>?
    ) -> Problem {
        .error(
            "no text has at least \(limits.minLength) and at most \(limits.maxLength) characters",
            at: range,
            help: other == nil
                ? "write 'maxLength' too: left out, it is \(TextLimits.defaultMaxLength)"
                : "change 'minLength' or 'maxLength'",
            related: other.map { [RelatedRange(range: $0, message: "the other limit is here")] }
                ?? [])
    }

    static func minDateAfterMaxDate(at range: Range<Int>, other: Range<Int>?) -> Problem {
        .error(
            "'maxDate' is before 'minDate', so no date keeps both", at: range,
            help: "change one of them",
            related: other.map { [RelatedRange(range: $0, message: "the other limit is here")] }
                ?? [])
    }

    static func illegalPattern(_ error: PatternError, at range: Range<Int>) -> Problem {
        .error("invalid pattern: \(error.sentence)", at: range, help: error.help)
    }

    static func patternTooCostly(
        stepsPerCharacter: Int, maxLength: Int, limit: Int, at range: Range<Int>,
        length: Range<Int>?
    ) -> Problem {
        .error(
            "the pattern takes \(stepsPerCharacter) steps for each of up to \(maxLength) "
                + "characters, more than the limit of \(limit) in all", at: range,
            help: "lower 'maxLength', or write a pattern with fewer repetitions",
            related: length.map { [RelatedRange(range: $0, message: "the length is here")] } ?? [])
    }

    static func limitBesideFormat(
        _ name: String, _ kind: TextFormat.Kind, at range: Range<Int>, format: Range<Int>
    ) -> Problem {
        .error(
            "a text with the format '\(kind.rawValue)' cannot have \(quoted(name))", at: range,
            help: "remove it, or the format; 'w:maxBytes' limits the values",
            related: [RelatedRange(range: format, message: "the format is here")])
    }

    static func maxBytesWithoutFormat(at range: Range<Int>) -> Problem {
        .error(
            "'maxBytes' is for a text with a format", at: range,
            help: "write the option 'maxLength' instead, or add 'w:format'")
    }

    static func allowedValueNotOfType(
        _ value: String, _ type: FieldTypeName, at range: Range<Int>
    ) -> Problem {
        .error(
            value.isEmpty
                ? "a value of 'allowedValues' is empty"
                : "the allowed value \(quoted(value)) is not of type \(type.rawValue)", at: range,
            help: "write values separated by '|'")
    }

    static func allowedValueBreaksLimit(
        _ value: String, _ violation: LimitViolation, at range: Range<Int>, limit: Range<Int>?
    ) -> Problem {
        .error(
            "the allowed value \(quoted(value)) \(violation.sentence)", at: range,
            help: violation.option.map { "remove the value or change \(quoted($0))" }
                ?? "remove the value",
            related: limit.map { [RelatedRange(range: $0, message: "the limit is here")] } ?? [])
    }

    static func duplicateAllowedValue(_ value: String, at range: Range<Int>) -> Problem {
        .error(
            "the allowed value \(quoted(value)) is listed twice", at: range,
            help: "keep one of them")
    }

    static func uniqueWithDefault(
        _ value: String, at range: Range<Int>, unique: Range<Int>?
    ) -> Problem {
        .warning(
            "the field is unique, so only one record can have the default \(quoted(value))",
            at: range, help: "leave 'defaultValue' out, or 'unique'",
            related: unique.map { [RelatedRange(range: $0, message: "it is unique here")] } ?? [])
    }

    static func noEarlierName(of kind: NameKind, at range: Range<Int>) -> Problem {
        .error(
            "'renamedFrom' names no earlier \(kind.rawValue)", at: range,
            help: "write the earlier name, or several separated by spaces")
    }

    static func renamedFromPresent(
        _ name: String, of kind: NameKind, at range: Range<Int>, present: Range<Int>
    ) -> Problem {
        .error(
            "a \(kind.rawValue) is named \(quoted(name)) now, so nothing was renamed from it",
            at: range, help: "remove the name from 'renamedFrom', or that \(kind.rawValue)",
            related: [RelatedRange(range: present, message: "it is here")])
    }

    static func aliasTaken(
        _ alias: String, of kind: NameKind, at range: Range<Int>, other: Range<Int>
    ) -> Problem {
        .error(
            "another \(kind.rawValue) has the name or alias \(quoted(alias))", at: range,
            help: "choose another alias; upper and lower case make no difference",
            related: [RelatedRange(range: other, message: "it is here")])
    }

    static func nameOfParse(_ name: String, isAlias: Bool, at range: Range<Int>) -> Problem {
        .warning(
            "clients of Parse cannot have the field \(quoted(name)), since Parse itself uses that "
                + "name", at: range,
            help: isAlias
                ? "choose another alias, if there are such clients"
                : "give the field another name for them with 'alias', if there are such clients")
    }

    static func joinsNoPairs(_ model: String, at range: Range<Int>) -> Problem {
        .error(
            "the records of \(quoted(model)) are no pairs", at: range,
            help: "a model that joins has two fields of the type BELONGS_TO, both required, and no "
                + "other required field without a default")
    }

    static func joinTaken(
        _ name: String, of model: String, at range: Range<Int>, first: Range<Int>?
    ) -> Problem {
        .error(
            "\(quoted(model)) has \(quoted(name)) already, as a field or as a relation", at: range,
            help: "choose another name; upper and lower case make no difference",
            related: first.map { [RelatedRange(range: $0, message: "the relation is here")] } ?? [])
    }

    static func renamedFromTwice(
        _ name: String, of kind: NameKind, at range: Range<Int>, first: Range<Int>
    ) -> Problem {
        .error(
            "two \(kind.rawValue)s are renamed from \(quoted(name))", at: range,
            help: "keep it in the one that takes over the data",
            related: [RelatedRange(range: first, message: "the first one is here")])
    }
}

extension PatternError {
    fileprivate var sentence: String {
        switch reason {
        case .unclosedGroup: "a '(' is not closed"
        case .unopenedGroup: "a ')' has no matching '('"
        case .unclosedClass: "a '[' is not closed"
        case .unopenedClass: "a ']' has no matching '['"
        case .nestedClass: "a '[' stands within '[…]'"
        case .emptyClass: "'[]' matches nothing"
        case .nothingToRepeat: "there is nothing to repeat before this"
        case .illegalRepetition: "this is not a valid repetition"
        case .reversedRange: "the range is empty"
        case .unknownEscape(let character): "'\\\(character)' is not an escape"
        case .danglingBackslash: "a '\\' stands at the end"
        case .anchor: "'^' and '$' are not needed"
        case .tooDeep(let max): "more than \(max) '(' are open at once"
        case .tooLarge(let max): "with repetitions expanded, it has more than \(max) steps"
        }
    }

    fileprivate var help: String {
        switch reason {
        case .unclosedGroup: "write ')', or '\\(' for the character itself"
        case .unopenedGroup: "write '(' before it, or '\\)' for the character itself"
        case .unclosedClass: "write ']', or '\\[' for the character itself"
        case .unopenedClass: "write '\\]' for the character itself"
        case .nestedClass: "write '\\[' for the character itself"
        case .emptyClass: "write characters between the brackets"
        case .nothingToRepeat: "write what to repeat, or '\\' before it for the character itself"
        case .illegalRepetition:
            "write '{2}', '{2,}' or '{2,5}', or '\\{' for the character itself"
        case .reversedRange: "write the lower character first, as in '[a-z]'"
        case .unknownEscape:
            "the escapes are \\d \\D \\w \\W \\s \\S \\n \\r \\t, \\p{L} \\p{Lu} \\p{Ll} \\p{N}, "
                + "and '\\' before punctuation"
        case .danglingBackslash: "write '\\\\' for the character itself"
        case .anchor:
            "a pattern always covers the whole text; write '\\^' or '\\$' for the character itself"
        case .tooDeep: "use fewer groups"
        case .tooLarge: "repeat less, or use 'maxLength' to limit the length"
        }
    }
}
