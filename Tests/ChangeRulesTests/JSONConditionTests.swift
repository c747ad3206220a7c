import ChangeRules
import JSON
import Testing

@Suite("Conditions look into JSON")
struct JSONConditionTests {
    private static let value =
        #"{"n":2.5,"t":"b","tags":["red","new",{"k":1}],"rows":[{"q":1},{"q":[5,7]}],"no":null}"#

    private static let cases: [([String], JSONCondition.Test, Bool)] = [
        (["n"], .equals(.decimal("2.5")), true), (["n"], .equals("2.5"), false),
        (["t"], .equals("b"), true), (["x"], .equals(.null), false), (["no"], .equals(.null), true),
        (["tags"], .equals("red"), true), (["tags"], .equals("re"), false),
        (["tags"], .equals(.array(["red", "new", .object(["k": 1])])), true),
        (["tags"], .equals(.array(["red"])), false),
        (["tags"], .equals(.object(["k": 1])), true), (["tags", "k"], .equals(1), true),
        (["tags", "0"], .equals("red"), true), (["tags", "3"], .exists, false),
        (["rows", "q"], .equals(7), true), (["rows", "1", "q"], .equals(1), false),
        (["rows", "q", "1"], .equals(7), true),
        (["n"], .isAmong([1, .decimal("2.5")]), true), (["tags"], .isAmong(["x", "new"]), true),
        (["tags"], .isAmong([]), false),
        (["tags"], .hasAll(["new", "red"]), true), (["tags"], .hasAll(["new", "x"]), false),
        (["tags"], .hasAll([]), true), (["t"], .hasAll(["b"]), false),
        (["rows", "q"], .hasOnly([5, 7, 9]), true), (["rows", "q"], .hasOnly([5]), false),
        (["t"], .hasOnly(["b"]), false),
        (["n"], .compares(.gt, 2), true), (["n"], .compares(.lt, .decimal("2.5")), false),
        (["n"], .compares(.le, .decimal("2.5")), true), (["n"], .compares(.gt, "2"), false),
        (["t"], .compares(.ge, "b"), true), (["t"], .compares(.gt, "B"), true),
        (["rows", "q"], .compares(.gt, 6), true), (["rows", "q"], .compares(.gt, 7), false),
        (["t"], .hasPart(TextPart("b")), true), (["n"], .hasPart(TextPart("2")), false),
        (["tags"], .hasPart(TextPart("re", isAtStart: true)), true),
        (["tags"], .hasPart(TextPart("ew", isAtStart: true)), false),
        (["tags"], .hasPart(TextPart("ew", isAtEnd: true)), true),
        (["tags"], .hasPart(TextPart("re", isAtEnd: true)), false),
        (["tags"], .hasPart(TextPart("E")), false),
        (["tags"], .hasPart(TextPart("E", ignoresCase: true)), true),
        (["tags"], .hasPart(TextPart("RED", isAtStart: true, isAtEnd: true)), false),
        (
            ["tags"],
            .hasPart(TextPart("RED", isAtStart: true, isAtEnd: true, ignoresCase: true)), true
        ),
        (["x"], .hasPart(TextPart("")), false), ([], .hasPart(TextPart("")), false),
        (["no"], .exists, false), (["n"], .exists, true), ([], .exists, true),
        (["t", "x"], .exists, false), ([], .equals("b"), false),
    ]

    @Test(arguments: cases.indices) func condition(index: Int) throws {
        let (path, test, expected) = Self.cases[index]
        let value = try parseJSON(Array(Self.value.utf8))
        #expect(JSONCondition(path: path, test).holds(for: value) == expected, "\(path) \(test)")
    }
}
