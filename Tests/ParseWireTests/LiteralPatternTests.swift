import Testing

@testable import ParseWire

@Suite("Patterns that stand for a text")
struct LiteralPatternTests {
    @Test(arguments: [
        (#"^\Qab\E"#, "ab%"), ("^ab", "ab%"), ("ab", "%ab%"), ("ab$", "%ab"), ("^ab$", "ab"),
        (#"^\Qa\E\\E\Qb\E"#, #"a\\Eb%"#), (#"a\.b"#, "%a.b%"), (#"\Q50%_\E"#, #"%50\%\_%"#),
        (#"^\Qopen"#, "open%"), ("", "%%"),
    ])
    func isText(source: String, pattern: String) {
        #expect(LiteralPattern(source)?.likePattern == pattern)
    }

    @Test(arguments: ["a.b", "a*", "(a)", "[a]", "a|b", #"\d"#, #"a\"#, "a^", "a$b", "a{2}", "a+"])
    func isExpression(source: String) { #expect(LiteralPattern(source) == nil) }
}
