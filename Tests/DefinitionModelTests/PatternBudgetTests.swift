import DefinitionModel
import TestKit
import Testing

/// Patterns take a number of steps that depends on nothing but the pattern and the text.
@Suite struct PatternBudgetTests {
    /// Optional letters stay possible to the end, so each adds a step for each scalar.
    @Test(arguments: [
        ("a*", "", 0), ("a*", "a", 3), ("a*", "aaaa", 15), ("a{3}", "aaa", 3), ("a{3}", "b", 1),
        ("a{3}", "bbbbbbbb", 1), ("(a?){2}", "aa", 8), ("a|b", "b", 3), ("ab", "ab", 2),
    ])
    func countsStatesForEachScalar(pattern: String, text: String, steps: Int) throws {
        var budget = PatternBudget()
        _ = try TextPattern(pattern).matches(text, within: &budget)
        #expect(budget.taken == steps)
    }

    @Test func endsWhenTooFewStepsAreLeft() throws {
        let pattern = try TextPattern("a*")
        var enough = PatternBudget(max: 15)
        #expect(pattern.matches("aaaa", within: &enough) == true)
        #expect(pattern.matches("", within: &enough) == true)
        #expect(pattern.matches("a", within: &enough) == nil)
        var tooFew = PatternBudget(max: 14)
        #expect(pattern.matches("aaaa", within: &tooFew) == nil)
        #expect(tooFew.taken <= 14)
    }

    /// The compiler multiplies `stepCount` with the length to tell whether any text is too costly.
    @Test(arguments: ["((a?){330})*", "(a|aa)+b", "(\\w+ ?){1,90}", ".{0,200}", "(a*)*b"])
    func takesAtMostItsStepCountForEachScalar(source: String) throws {
        let pattern = try TextPattern(source)
        for text in ["a", String(repeating: "a", count: 200), String(repeating: "a ", count: 100)] {
            var budget = PatternBudget()
            _ = pattern.matches(text, within: &budget)
            #expect(budget.taken <= pattern.stepCount * text.unicodeScalars.count)
        }
    }

    /// A long class is looked up by halves, and accepts the same scalars.
    @Test(arguments: [false, true])
    func longClassesAcceptTheirScalars(isNegated: Bool) throws {
        let letters = (0..<200).compactMap { Unicode.Scalar(0x100 + 3 * $0) }
        let members = letters.map { "\($0)" }.joined() + "a-fc-h\\d\\d\\s\\p{Lu}"
        let pattern = try TextPattern("[\(isNegated ? "^" : "")\(members)]")
        let few = try ["[a-h]", "\\d", "\\s", "\\p{Lu}"].map { try TextPattern($0) }
        for value in UInt32(0x20)...0x400 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = String(Character(scalar))
            let isMember = letters.contains(scalar) || few.contains { $0.matches(text) }
            #expect(pattern.matches(text) == (isMember != isNegated), "\(text)")
        }
    }
}
