import DefinitionModel
import TestKit
import Testing

/// A pattern matches a whole text; an invalid pattern has an error.
@Suite struct TextPatternTests {
    @Test(arguments: [
        ("", "", true), ("", "a", false), ("a", "a", true), ("a", "aa", false), ("a", "A", false),
        ("ab|cd", "ab", true), ("ab|cd", "cd", true), ("ab|cd", "abcd", false), ("a|", "", true),
        ("a*", "", true), ("a*", "aaaa", true), ("a+", "", false), ("a?b", "b", true),
        ("a?b", "aab", false), ("(ab)+", "abab", true), ("(ab)+", "aba", false),
        ("a{2}", "aa", true), ("a{2}", "aaa", false), ("a{2,}", "aaaaa", true),
        ("a{2,}", "a", false), ("a{1,3}", "aaa", true), ("a{1,3}", "aaaa", false),
        ("a{0}", "", true), ("a{0}", "a", false), ("(a|b){2}c", "bac", true),
        (".", "\n", true), (".", "", false), (".", "😀", true), ("..", "e\u{301}", true),
        ("[abc]", "b", true), ("[abc]", "d", false), ("[^abc]", "d", true), ("[^a]", "a", false),
        ("[a-c0-9]+", "b7", true), ("[a-]+", "a-", true), ("[-a]+", "-a", true),
        ("[.*+?(){}|^$]+", ".*+?(){}|^$", true), ("[\\]\\[]+", "[]", true),
    ])
    func coversTheWholeText(pattern: String, text: String, matches: Bool) throws {
        #expect(try TextPattern(pattern).matches(text) == matches)
    }

    @Test(arguments: [
        ("\\d+", "2026", true), ("\\d", "٣", false), ("\\D", "٣", true), ("\\w+", "a_1", true),
        ("\\w", "é", false), ("\\W", "é", true), ("\\s", "\t", true), ("\\S", " ", false),
        ("[\\d\\s]+", "1 2", true), ("[^\\d]", "a", true), ("\\.", ".", true), ("\\.", "a", false),
        ("\\\\", "\\", true), ("\\n", "\n", true), ("\\p{L}+", "Łódź", true),
        ("\\p{Lu}\\p{Ll}+", "Żółw", true), ("\\p{Lu}", "ż", false), ("\\p{N}", "٣", true),
        ("\\P{L}", "1", true), ("[\\p{L} '-]+", "Mary-Ann O'Neil", true),
        ("[A-Z]{2}[0-9]{6}[A-D]?", "AB123456C", true), ("[A-Z]{2}[0-9]{6}", "AB12345", false),
        ("(a*)*", "aaaa", true), ("((a?){3}){2}", "aaaaaa", true), ("(|a)+b", "aab", true),
    ])
    func knowsClassesAndNestedRepetitions(pattern: String, text: String, matches: Bool) throws {
        #expect(try TextPattern(pattern).matches(text) == matches)
    }

    private static let mistakes: [(String, PatternError.Reason, Int)] = [
        ("(a", .unclosedGroup, 0), ("a)", .unopenedGroup, 1),
        ("[a", .unclosedClass, 0), ("a]", .unopenedClass, 1), ("[[a]", .nestedClass, 1),
        ("x[]", .emptyClass, 1), ("[^]", .emptyClass, 0), ("*a", .nothingToRepeat, 0),
        ("a**", .nothingToRepeat, 2), ("a|+", .nothingToRepeat, 2), ("a{2", .illegalRepetition, 1),
        ("a{,2}", .illegalRepetition, 1), ("a{3,2}", .illegalRepetition, 1),
        ("{2}", .illegalRepetition, 0), ("a}", .illegalRepetition, 1),
        ("a{1001}", .illegalRepetition, 1), ("a{99999999999999999999}", .illegalRepetition, 1),
        ("[z-a]", .reversedRange, 1), ("[a-\\d]", .reversedRange, 1),
        ("\\q", .unknownEscape("q"), 0), ("a\\1", .unknownEscape("1"), 1),
        ("\\p{Greek}", .unknownEscape("p"), 0), ("\\", .danglingBackslash, 0), ("^a", .anchor, 0),
        ("a$", .anchor, 1), (String(repeating: "(", count: 51), .tooDeep(max: 50), 50),
        ("(a{100}){100}", .tooLarge(maxSteps: 1000), 0),
        (String(repeating: "a", count: 1001), .tooLarge(maxSteps: 1000), 0),
    ]

    @Test(arguments: mistakes)
    func illegalPatternsAreReported(pattern: String, reason: PatternError.Reason, offset: Int) {
        #expect(throws: PatternError(reason: reason, offset: offset)) { try TextPattern(pattern) }
    }

    /// Patterns that take a backtracking engine exponential time.
    @Test(arguments: ["(a*)*b", "(a|a)*b", "(a|aa)+b", "(a+)+b", "a{0,300}a{300}b"])
    func noTextTakesForEver(pattern: String) throws {
        let text = String(repeating: "a", count: 10_000)
        #expect(try !TextPattern(pattern).matches(text))
    }

    @Test func nestedRepetitionsOfNothingComeToAnEnd() throws {
        var pattern = "a{0}"
        for _ in 0..<40 { pattern = "(\(pattern)){1000}" }
        #expect(try TextPattern(pattern).matches(""))
        #expect(try TextPattern("(" + pattern + ")*").matches(""))
    }

    /// Compared with Swift's own backtracking engine, on short texts.
    @Test(arguments: UInt64(0)..<300)
    func agreesWithAnotherEngine(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let source = Self.pattern(depth: 3, using: &random)
        let pattern = try TextPattern(source)
        let other = try Regex(source).matchingSemantics(.unicodeScalar)
        for _ in 0..<20 {
            let letters = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                "abc".randomElement(using: &random) ?? "a"
            }
            let text = String(letters)
            let isWhole = try other.wholeMatch(in: text) != nil
            #expect(pattern.matches(text) == isWhole, "'\(source)' on '\(text)', seed \(seed)")
        }
    }

    private static func pattern(depth: Int, using random: inout SplitMix64) -> String {
        let kind = depth == 0 ? 0 : Int.random(in: 0..<6, using: &random)
        let part = depth == 0 ? "" : pattern(depth: depth - 1, using: &random)
        switch kind {
        case 1: return part + pattern(depth: depth - 1, using: &random)
        case 2: return "(" + part + "|" + pattern(depth: depth - 1, using: &random) + ")"
        case 3:
            let repetitions = ["*", "+", "?", "{2}", "{1,3}", "{2,}"]
            return "(" + part + ")" + (repetitions.randomElement(using: &random) ?? "*")
        case 4: return ["[ab]", "[^a]", "[b-c]", "."].randomElement(using: &random) ?? "."
        case _: return ["a", "b", "c"].randomElement(using: &random) ?? "a"
        }
    }
}
