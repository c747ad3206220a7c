/// A regular expression that a whole text must match: the `pattern` of a definition.
///
/// Matching takes at most `stepCount` steps for each scalar of the text. There is no backtracking,
/// so no pattern and text together take exponential time. Device and server run the same code.
///
/// The syntax: characters, `.` for any, `[a-z]` and `[^a-z]`, `( )`, `|`, `?`, `*`, `+`, `{2}`,
/// `{2,}` and `{2,5}`; the classes `\d` (0 to 9), `\w` (`\d`, ASCII letters and `_`), `\s` (space,
/// tab and line breaks), their complements in capitals, and `\p{L}`, `\p{Lu}`, `\p{Ll}` and `\p{N}`
/// of Unicode; `\n`, `\r`, `\t`; and `\` before any punctuation with a special meaning.
package struct TextPattern: Sendable {
    /// The pattern as written in the document.
    package let source: String
    let program: PatternProgram

    /// The maximum number of steps of the program, with repetitions unrolled.
    package static let maxSteps = 1000

    package init(_ source: String) throws(PatternError) {
        self.source = source
        var parser = PatternParser(source)
        let tree = try parser.pattern()
        program = try PatternProgram(tree, maxSteps: Self.maxSteps)
    }

    /// The maximum number of steps for each scalar of a text.
    package var stepCount: Int { program.steps.count }

    /// Whether the whole text matches. Scalars are matched one by one.
    package func matches(_ text: String) -> Bool {
        var budget = PatternBudget(max: .max)
        return matches(text, within: &budget) ?? false
    }

    /// The same within a budget; nil if it has too few steps.
    package func matches(_ text: String, within budget: inout PatternBudget) -> Bool? {
        program.matches(text.unicodeScalars, within: &budget)
    }
}

/// The reason why a text is not a valid pattern.
package struct PatternError: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        case unclosedGroup, unopenedGroup, unclosedClass, unopenedClass, nestedClass
        case emptyClass
        case nothingToRepeat
        case illegalRepetition
        case reversedRange
        case unknownEscape(Character)
        case danglingBackslash
        case anchor
        case tooDeep(max: Int)
        case tooLarge(maxSteps: Int)
    }

    package let reason: Reason
    /// The offset of the error, in Unicode scalars from the start of the pattern.
    package let offset: Int

    package init(reason: Reason, offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

/// Compares the sources byte by byte.
extension TextPattern: Hashable {
    package static func == (left: TextPattern, right: TextPattern) -> Bool {
        left.source.hasSameBytes(as: right.source)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(source) }
}
