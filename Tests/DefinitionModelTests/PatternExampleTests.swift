import DefinitionModel
import TestKit
import Testing

/// Every example of a pattern matches the pattern, whatever is chosen.
@Suite struct PatternExampleTests {
    @Test(arguments: [
        "", "a", "ab|cd|", "a*", "(ab)+c?", "a{2,5}", "(a|b){2}c", ".{3}", "[^a-z]+", "[a-c0-9]*x",
        "\\d{2}\\.\\d{2}\\.\\d{4}", "[A-Z]{2}-\\d+", "\\p{Lu}\\p{Ll}+", "\\w+@\\w+\\.(com|org)",
        "Żółw", "[ź-ż]", "((a*b)*c)*", "(a|(b|(c|d)))*",
    ])
    func exampleMatchesItsPattern(pattern: String) throws {
        let pattern = try TextPattern(pattern)
        var random = SplitMix64(seed: 1)
        for _ in 0..<100 {
            let text = try #require(pattern.example { random.number(in: 0..<$0) })
            #expect(pattern.matches(text), "'\(text)'")
        }
        for choice in [0, Int.max] {
            let text = try #require(pattern.example { min(choice, $0 - 1) })
            #expect(pattern.matches(text) && text.unicodeScalars.count < 200, "'\(text)'")
        }
    }

    /// There is no example if a position accepts no printable ASCII.
    @Test func patternsBeyondASCIIMayHaveNoExample() throws {
        #expect(try TextPattern("[^ -~]").example { _ in 0 } == nil)
    }
}
