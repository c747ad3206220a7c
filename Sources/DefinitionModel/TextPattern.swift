/// A regular expression that a whole text must match, as a definition's `pattern` says it.
///
/// Matching takes at most `stepCount` steps for each character, whatever the text: nothing is ever
/// tried again, so there is no pattern and no text that together take for ever. The same code
/// decides on a device and on the server.
///
/// There are: characters, `.` for any, `[a-z]` and `[^a-z]`, `( )`, `|`, `?`, `*`, `+`, `{2}`,
/// `{2,}` and `{2,5}`; the classes `\d` (0 to 9), `\w` (those, ASCII letters and `_`), `\s` (space,
/// tab and the ends of lines), their opposites in capitals, and `\p{L}`, `\p{Lu}`, `\p{Ll}` and
/// `\p{N}` of Unicode; `\n`, `\r`, `\t`; and `\` before any sign that means something.
package struct TextPattern: Sendable {
    /// As the document writes it.
    package let source: String
    let program: PatternProgram

    /// Steps of the program, repetitions written out, at most.
    package static let maxSteps = 1000

    package init(_ source: String) throws(PatternError) {
        self.source = source
        var parser = PatternParser(source)
        let tree = try parser.pattern()
        program = try PatternProgram(tree, maxSteps: Self.maxSteps)
    }

    /// How many steps a character of a text may take at most.
    package var stepCount: Int { program.steps.count }

    /// Whether the whole of the text matches. Characters are Unicode scalars.
    package func matches(_ text: String) -> Bool { program.matches(text.unicodeScalars) }
}

/// Why a text is no pattern.
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
    /// Where it was found, in Unicode scalars from the pattern's start.
    package let offset: Int

    package init(reason: Reason, offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

/// By what is written, to the byte.
extension TextPattern: Hashable {
    package static func == (left: TextPattern, right: TextPattern) -> Bool {
        left.source.hasSameBytes(as: right.source)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(source) }
}
