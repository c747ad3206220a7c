import TestKit
import Testing

@testable import RecordSearch

@Suite("Patterns of texts")
struct LikePatternTests {
    @Test(arguments: [
        ("", "", true), ("", "a", false), ("%", "", true), ("%", "anything", true),
        ("a", "a", true), ("a", "A", false), ("a", "ab", false), ("a%", "ab", true),
        ("%a", "ba", true), ("%a", "ab", false), ("a%c", "ac", true), ("a%c", "abbc", true),
        ("a%c", "abcd", false), ("%b%", "abc", true), ("%b%", "ac", false), ("_", "a", true),
        ("_", "", false), ("_", "ab", false), ("_", "🐝", true), ("__", "e\u{301}", true),
        ("_", "\u{E9}", true), ("a_c", "abc", true), ("a_c", "ac", false), ("%_", "", false),
        ("%_", "x", true), ("_%_", "x", false), ("_%_", "xy", true), ("%%", "", true),
        (#"\%"#, "%", true), (#"\%"#, "a", false), (#"\_"#, "_", true), (#"\_"#, "a", false),
        (#"\\"#, #"\"#, true), (#"a\%%"#, "a%b", true), (#"a\%%"#, "ab", false),
        ("e\u{301}", "\u{E9}", false), ("%ab%ab", "abab", true), ("%ab%ab", "ab", false),
        ("%aab", "aaab", true), ("a%b%c", "aXbYbZc", true), ("[a-z]*", "[a-z]*", true),
    ])
    func patternMatchesTheWholeText(pattern: String, text: String, matches: Bool) throws {
        #expect(try #require(LikePattern(pattern)).matches(text) == matches)
    }

    @Test(arguments: [#"\"#, #"a\"#, #"\a"#, #"%\n"#, #"\\\"#])
    func illegalEscapesAreRefused(pattern: String) {
        #expect(LikePattern(pattern) == nil)
    }

    @Test func patternHasSoManyCharacters() {
        let most = String(repeating: "a", count: LikePattern.maxCharacters)
        #expect(LikePattern("%" + most + "%")?.matches("b" + most) == true)
        #expect(LikePattern(most)?.matches(String(most.dropLast())) == false)
        #expect(LikePattern(most + "_") == nil)
    }

    /// Compared with a naive implementation.
    @Test(arguments: UInt64(0)..<200)
    func patternAgreesWithItsDefinition(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<50 {
            let pattern = text(of: ["a", "b", "%", "_", #"\%"#, #"\_"#], using: &random)
            let text = text(of: ["a", "b", "%", "_"], using: &random)
            let found = try #require(LikePattern(pattern)).matches(text)
            #expect(found == matches(pattern[...], text[...]), "\(pattern) \(text)")
        }
    }

    /// Ten times the text takes about ten times as long, even where backtracking would try every
    /// position for every `%`.
    @Test func textTakesTimeInProportionToItsLength() throws {
        let pattern = try #require(LikePattern(String(repeating: "%a", count: 60) + "b"))
        func time(of count: Int) -> Duration {
            let text = String(repeating: "a", count: count)
            return processorTime { #expect(!pattern.matches(text)) }
        }
        #expect(time(of: 100_000) < time(of: 10_000) * 30)
    }

    private func text(of parts: [String], using random: inout SplitMix64) -> String {
        (0..<random.number(in: 0...6)).map { _ in random.one(of: parts) ?? "" }.joined()
    }
}

/// A naive matcher, one character at a time.
private func matches(_ pattern: Substring, _ text: Substring) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    switch first {
    case "%":
        return matches(rest, text) || (!text.isEmpty && matches(pattern, text.dropFirst()))
    case "_": return !text.isEmpty && matches(rest, text.dropFirst())
    case "\\": return text.first == rest.first && matches(rest.dropFirst(), text.dropFirst())
    case _: return text.first == first && matches(rest, text.dropFirst())
    }
}
