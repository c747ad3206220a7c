import ChangeRules
import DefinitionModel
import JSON
import Testing

@Suite("Edits change a part of a JSON value")
struct JSONEditTests {
    struct Case: Sendable, CustomTestStringConvertible {
        /// Nil for null.
        let value: String?
        let path: [String]
        let action: JSONEdit.Action
        /// Nil if the edit cannot be made.
        let result: String?

        init(
            _ value: String?, _ path: [String], _ action: JSONEdit.Action, _ result: String?
        ) {
            self.value = value
            self.path = path
            self.action = action
            self.result = result
        }

        var testDescription: String { "\(value ?? "null") \(path) \(action)" }
    }

    @Test(arguments: arrays + members + numbers) func edit(_ example: Case) throws {
        let value = try example.value.map { try parseJSON(Array($0.utf8)) }
        let edits = [JSONEdit(path: example.path, example.action)]
        let result = edits.result(on: value)
        #expect(result?.text == example.result)
    }

    private static let arrays = [
        Case("[1]", [], .append([1, 2]), "[1,1,2]"), Case(nil, [], .append([1]), "[1]"),
        Case("{}", [], .append([1]), nil),
        Case("[1]", [], .appendMissing([1, 2, 2]), "[1,2]"),
        Case("[1,2]", [], .appendMissing([3, 1, 4, 3, 5, 2, 6]), "[1,2,3,4,5,6]"),
        Case(nil, [], .appendMissing([1]), "[1]"),
        Case(#"[{"a":1}]"#, [], .appendMissing([.object(["a": 1])]), #"[{"a":1}]"#),
        Case(
            "[{\"\u{E9}\":1}]", [], .appendMissing([.object(["e\u{301}": 1])]),
            "[{\"\u{E9}\":1},{\"e\u{301}\":1}]"),
        Case("[1,2,1]", [], .removeElements([1]), "[2]"),
        Case(nil, [], .removeElements([1]), "[]"),
        Case(#"["é"]"#, [], .removeElements(["e\u{301}"]), #"["é"]"#),
        Case(#"{"a":{"b":[1]}}"#, ["a", "b"], .append([2]), #"{"a":{"b":[1,2]}}"#),
        Case(nil, ["a"], .append([2]), #"{"a":[2]}"#),
        Case(#"{"a":null}"#, ["a"], .append([2]), #"{"a":[2]}"#),
        Case(#"{"a":1}"#, ["a"], .append([2]), nil),
    ]

    private static let members = [
        Case(#"{"a":1}"#, ["b"], .set("x"), #"{"a":1,"b":"x"}"#),
        Case(#"{"a":1}"#, ["a"], .set(.null), #"{"a":null}"#),
        Case(nil, ["a", "b"], .set(1), #"{"a":{"b":1}}"#),
        Case(#"{"a":[]}"#, ["a", "b"], .set(1), nil), Case("[1]", ["0"], .set(2), nil),
        Case(#"{"a":1,"b":2}"#, ["a"], .removeMember, #"{"b":2}"#),
        Case(#"{"a":1}"#, ["a"], .removeMember, "{}"),
        Case(#"{"a":1}"#, ["b", "c"], .removeMember, #"{"a":1}"#),
        Case(nil, ["a"], .removeMember, nil), Case(#"{"a":1}"#, ["a", "b"], .removeMember, nil),
    ]

    private static let numbers = [
        Case(#"{"a":1}"#, ["a"], .increment(2), #"{"a":3}"#),
        Case("{}", ["a"], .increment(-2), #"{"a":-2}"#),
        Case(#"{"a":0.1}"#, ["a"], .increment(.decimal("0.2")), #"{"a":0.3}"#),
        Case(#"{"a":0.5}"#, ["a"], .increment(.decimal("0.5")), #"{"a":1}"#),
        Case(#"{"a":"1"}"#, ["a"], .increment(1), nil),
        Case(#"{"a":1}"#, ["a"], .increment("1"), nil),
        Case(
            #"{"a":9223372036854775807}"#, ["a"], .increment(1), #"{"a":9223372036854775808}"#),
    ]

    /// Where there is no value, these change nothing.
    @Test func removalsOnlyRemove() {
        let (removal, other) = (
            JSONEdit(path: ["a"], .removeMember), JSONEdit(path: ["a"], .set(1))
        )
        #expect(GivenValue.edited([removal, removal]).onlyRemovesMembers)
        #expect(!GivenValue.edited([removal, other]).onlyRemovesMembers)
        #expect(!GivenValue.null.onlyRemovesMembers)
    }

    @Test func editsAreMadeInTheirOrder() {
        let edits = [
            JSONEdit(path: ["a"], .append([1])), JSONEdit(path: ["a"], .appendMissing([1, 2])),
            JSONEdit(path: ["b"], .set("x")),
        ]
        #expect(edits.result(on: nil)?.text == #"{"a":[1,2],"b":"x"}"#)
    }

    @Test(arguments: [(1000, 24, true), (1001, 1, false), (1, 25, false), (1, 200_000, false)])
    func editsAreFewAndNotDeep(count: Int, steps: Int, isMade: Bool) {
        let rest = [String](repeating: "a", count: steps - 1)
        let edits = (0..<count).map { JSONEdit(path: ["k\($0)"] + rest, .increment(1)) }
        guard case .object(let members)? = edits.result(on: .object(["x": 1])) else {
            #expect(!isMade)
            return
        }
        #expect(isMade && members.count == count + 1)
    }

    /// A new record has nothing to edit, and plain text has no parts.
    @Test func editsAreForJSONThatIsThere() {
        let json = TextLimits(format: TextFormat(.json))
        let given = ["value": GivenValue.edited([JSONEdit(path: [], .append([1]))])]
        for (limits, creating, isFault) in [
            (json, false, false), (json, true, true), (TextLimits(), false, true),
            (TextLimits(format: TextFormat(.base64)), false, true),
        ] {
            let causes = Validator(field(.text(limits))).causes(of: given, creating: creating)
            #expect(
                causes
                    == (isFault
                        ? [Cause(.wrongType(expected: .text), field: "value", place: fieldPlace)]
                        : []))
        }
    }
}
