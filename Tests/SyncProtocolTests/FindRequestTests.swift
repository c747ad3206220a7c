import ChangeRules
import Foundation
import JSON
import SyncProtocol
import Testing

/// A query in a URL is parsed as strictly as a body.
@Suite struct FindRequestTests {
    @Test func everyParameterIsOptional() throws {
        #expect(try FindRequest(query: "") == FindRequest())
        #expect(try RecordRequest(query: "") == RecordRequest())
        #expect(try RecordRequest(query: "fields=a,b") == RecordRequest(fields: ["a", "b"]))
    }

    @Test func everyParameterIsRead() throws {
        let query =
            "filter=%7B%22null%22%3A%22a%22%7D&sort=-price,box.name,%24guid&fields=a,b&limit=5"
            + "&cursor=x-_y&count=true"
        #expect(
            try FindRequest(query: query)
                == FindRequest(
                    filter: try FindRequest.Filter(#"{"null":"a"}"#),
                    sort: [
                        FindRequest.SortMessage("price", descends: true),
                        FindRequest.SortMessage("box.name"), FindRequest.SortMessage("$guid"),
                    ], fields: ["a", "b"], limit: 5, cursor: "x-_y", counts: true))
    }

    @Test(arguments: [
        ("fields=", [String]()), ("fields=a", ["a"]), ("fields=a,,b", ["a", "", "b"]),
        ("fields=%C3%A9", ["\u{E9}"]), ("fields=a%2Cb", ["a", "b"]), ("fields=%2b", ["+"]),
        ("fields=a+b", ["a b"]), ("fields=a%20b", ["a b"]),
    ])
    func listIsSeparatedByCommas(query: String, fields: [String]) throws {
        #expect(try FindRequest(query: query).fields == fields)
    }

    @Test(arguments: [
        ("limit=1&limit=1", "limit"),
        ("limit=", "limit"), ("limit=+5", "limit"), ("limit=1.0", "limit"), ("limit=1e2", "limit"),
        ("limit=9223372036854775808", "limit"), ("limit=%2B5", "limit"), ("count=yes", "count"),
        ("count=TRUE", "count"), ("count=", "count"), ("filter", ""), ("cursor=%", ""),
        ("cursor=%4", ""), ("cursor=%zz", ""), ("cursor=%C3", ""), ("cursor=%ED%A0%80", ""),
    ])
    func parameterThatCannotBeReadIsNamed(query: String, path: String) throws {
        let fault = try #require(throws: QueryFault.self) { try FindRequest(query: query) }
        #expect(fault.code == .parameterIllegal && fault.path == path, "\(fault)")
        #expect(!fault.message.isEmpty && !fault.help.isEmpty)
    }

    @Test(arguments: [
        (
            #"{"and": [{"eq": ["a", 1]}, {"or": []}]}"#,
            QueryFilter.and([.compare(.eq, operand: "a", with: .value(1)), .or([])])
        ),
        (#"{"not": {"null": "a"}}"#, .not(.null(operand: "a"))),
        (#"{"ne": ["a", "x"]}"#, .compare(.ne, operand: "a", with: .value("x"))),
        (#"{"lt": ["a", {"field": "b"}]}"#, .compare(.lt, operand: "a", with: .field("b"))),
        (#"{"le": ["a", null]}"#, .compare(.le, operand: "a", with: .value(.null))),
        (#"{"gt": ["a", 1.5]}"#, .compare(.gt, operand: "a", with: .value(.decimal("1.5")))),
        (#"{"ge": ["a", true]}"#, .compare(.ge, operand: "a", with: .value(.boolean(true)))),
        (
            #"{"eq": ["a", {"guid": "g", "filename": "f"}]}"#,
            .compare(
                .eq, operand: "a", with: .value(.object(["guid": "g", "filename": "f"])))
        ),
        (#"{"in": ["a", [1, "x"]]}"#, .among(operand: "a", [1, "x"])),
        (#"{"between": ["a", 1, 2]}"#, .between(operand: "a", low: 1, high: 2)),
        (#"{"like": ["a", "x%"]}"#, .like(operand: "a", pattern: "x%")),
        (#"{"prefix": ["a", "x"]}"#, .prefix(operand: "a", "x")),
        (
            #"{"inside": ["a", ["b", "c"], {"in": [1, "x"]}]}"#,
            .inside(operand: "a", JSONCondition(path: ["b", "c"], .isAmong([1, "x"])))
        ),
        (
            #"{"inside": ["a", [], {"part": {"text": "x", "atEnd": true, "anyCase": true}}]}"#,
            .inside(
                operand: "a",
                JSONCondition(
                    path: [], .hasPart(TextPart("x", isAtEnd: true, ignoresCase: true))))
        ),
    ])
    func filterIsCondition(text: String, condition: QueryFilter) throws {
        #expect(try FindRequest.Filter(text).condition == condition)
    }

    @Test(arguments: [
        ("", "filter"), ("{", "filter"), ("{}", "filter"), ("[]", "filter"), ("null", "filter"),
        ("\"a\"", "filter"), (#"{"eq": ["a", 1], "ne": ["a", 1]}"#, "filter"),
        (#"{"EQ": ["a", 1]}"#, "filter"), (#"{"and": {}}"#, "filter.and"),
        (#"{"and": [1]}"#, "filter.and[0]"), (#"{"or": [{"or": []}, {}]}"#, "filter.or[1]"),
        (#"{"not": []}"#, "filter.not"), (#"{"not": {"x": 1}}"#, "filter.not"),
        (#"{"eq": ["a"]}"#, "filter.eq"), (#"{"eq": [1, 1]}"#, "filter.eq"),
        (#"{"eq": ["a", 1, 2]}"#, "filter.eq"), (#"{"eq": "a"}"#, "filter.eq"),
        (#"{"in": ["a", 1]}"#, "filter.in"), (#"{"in": ["a", 1, 2]}"#, "filter.in"),
        (#"{"between": ["a", 1]}"#, "filter.between"),
        (#"{"between": [1, 1, 2]}"#, "filter.between"),
        (#"{"like": ["a", 1]}"#, "filter.like"), (#"{"prefix": ["a", null]}"#, "filter.prefix"),
        (#"{"null": ["a"]}"#, "filter.null"), (#"{"null": null}"#, "filter.null"),
        (#"{"eq": ["a", 1], "eq": ["a", 1]}"#, "filter"),
        (#"{"inside": ["a", "b", {"eq": 1}]}"#, "filter.inside"),
        (#"{"inside": ["a", [], {"eq": 1, "gt": 2}]}"#, "filter.inside"),
        (#"{"inside": ["a", [], {"in": 1}]}"#, "filter.inside"),
        (#"{"inside": ["a", [], {"part": "x"}]}"#, "filter.inside"),
        (#"{"inside": ["a", [], {"part": {"text": "x", "atstart": true}}]}"#, "filter.inside"),
        (#"{"inside": ["a", [], {"part": {"text": "x", "atStart": 1}}]}"#, "filter.inside"),
    ])
    func filterThatIsNoneIsNamedWithItsPlace(text: String, path: String) throws {
        let fault = try #require(throws: QueryFault.self) { try FindRequest.Filter(text) }
        #expect(fault.code == .filterIllegal && fault.path == path, "\(fault)")
        #expect(!fault.message.isEmpty && !fault.help.isEmpty)
    }

    /// The depth limit of JSON applies, so deep nesting does not exhaust the stack.
    @Test func noFilterIsTooDeepToBeRead() throws {
        let deep = String(repeating: #"{"not":"#, count: 100_000)
        let fault = try #require(throws: QueryFault.self) { try FindRequest.Filter(deep) }
        #expect(fault.help.contains("nest at most 32 deep"), "\(fault)")
    }

    @Test func spellingsOfOneFilterAreOne() throws {
        let plain = try FindRequest.Filter(#"{"eq":["a","é/"]}"#)
        let other = try FindRequest.Filter(" { \"eq\" : [\"\\u0061\", \"\\u00e9\\/\" ] } ")
        #expect(plain == other)
        #expect(try plain != FindRequest.Filter(#"{"eq":["a","e\u0301/"]}"#))
    }
}
