import Foundation
import JSON
import SyncProtocol
import Testing

/// A change that is refused in a request that succeeds.
private struct BadChange {
    let name: String
    /// The JSON of the change. `ID`, `NEW` and `OLD` stand for a fresh change id, the guid of no
    /// record, and the guid of a record at revision 2.
    let json: String
    let code: String
    let field: String?

    init(_ name: String, _ json: String, _ code: String, field: String? = nil) {
        (self.name, self.json, self.code, self.field) = (name, json, code, field)
    }

    /// A creation with the given title and score.
    init(_ name: String, title: String = #""x""#, score: String = "1", _ code: String) {
        self.init(
            name, create(#"{"title": \#(title), "score": \#(score)}"#), code,
            field: score == "1" ? "title" : "score")
    }
}

private func create(
    _ fields: String, guid: String = "NEW", model: String = "ConflictsEntity"
)
    -> String
{
    #"{"id": "ID", "action": "create", "model": "\#(model)", "guid": "\#(guid)", "#
        + #""fields": \#(fields)}"#
}

private func change(_ action: String, guid: String = "OLD", _ rest: String) -> String {
    #"{"id": "ID", "action": "\#(action)", "model": "ConflictsEntity", "guid": "\#(guid)"\#(rest)}"#
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct BadChangeTests {
    private static let values: [BadChange] = [
        BadChange("a whole number beyond 64 bits", score: "99999999999999999999", "wrongType"),
        BadChange("a number beyond all", score: "1e400", "wrongType"),
        BadChange("a fraction", score: "2.5", "wrongType"),
        BadChange("a number in quotes", score: #""2""#, "wrongType"),
        BadChange("true", score: "true", "wrongType"),
        BadChange("a list", score: "[2]", "wrongType"),
        BadChange("an object", score: #"{"value": 2}"#, "wrongType"),
        BadChange("nothing where something is required", title: "null", "empty"),
        BadChange("a number for a text", title: "7", "wrongType"),
        BadChange("U+0000", title: #""a\u0000b""#, "illegalCharacter"),
        BadChange("half of a surrogate pair", title: #""\ud800""#, "wrongType"),
        BadChange("the other half", title: #""\udc00""#, "wrongType"),
        BadChange("256 characters", title: #""\#(String(repeating: "x", count: 256))""#, "tooLong"),
        BadChange(
            "256 halves of characters",
            title: #""\#(String(repeating: "🐝", count: 127))xx""#, "tooLong"),
        BadChange("less than the least", score: "0", "greaterThanOrEqualTo"),
        BadChange("more than the most", score: "6", "lessThanOrEqualTo"),
    ]

    private static let records: [BadChange] = [
        BadChange("an unknown model", create("{}", model: "Conflicts"), "unknownModel"),
        BadChange("a model in capitals", create("{}", model: "CONFLICTSENTITY"), "unknownModel"),
        BadChange(
            "an unknown field", create(#"{"title": "x", "scroe": 1}"#), "unknownField",
            field: "scroe"),
        BadChange(
            "a field of a letter alike", create(#"{"title": "x", "tıtle": "y"}"#), "unknownField",
            field: #"t\u{0131}tle"#),
        BadChange("no guid", create(#"{"title": "x"}"#, guid: ""), "illegalGuid"),
        BadChange("a guid of words", create(#"{"title": "x"}"#, guid: "film-1"), "illegalGuid"),
        BadChange(
            "a guid in braces", create(#"{"title": "x"}"#, guid: "{NEW}"), "illegalGuid"),
        BadChange("a guid that is taken", create(#"{"title": "x"}"#, guid: "OLD"), "guidTaken"),
        BadChange(
            "an update of nothing", change("update", guid: "NEW", #", "base": 1"#),
            "recordUnknown"),
        BadChange(
            "a deletion of nothing", change("delete", guid: "NEW", #", "base": 1"#),
            "recordUnknown"),
        BadChange("no base", change("update", #", "fields": {"score": 2}"#), "baseMissing"),
        BadChange("a base of 0", change("update", #", "base": 0"#), "baseUnknown"),
        BadChange("a negative base", change("delete", #", "base": -1"#), "baseUnknown"),
        BadChange("a base of the future", change("update", #", "base": 3"#), "baseUnknown"),
        BadChange(
            "the largest base", change("update", #", "base": 9223372036854775807"#),
            "baseUnknown"),
        BadChange(
            "the lowest base",
            change("update", #", "base": -9223372036854775808, "fields": {}"#), "baseUnknown"),
        BadChange(
            "one more than the lowest base", change("delete", #", "base": -9223372036854775807"#),
            "baseUnknown"),
        BadChange(
            "a deletion with fields", change("delete", #", "base": 2, "fields": {"score": 2}"#),
            "unexpectedFields"),
        BadChange(
            "a resolution of no conflict", change("resolve", #", "base": 2"#),
            "notConflicted"),
    ]

    private static let ids: [BadChange] = [
        ("an empty id", ""), ("an id of 129 bytes", String(repeating: "i", count: 129)),
        ("a space in an id", "a b"), ("an id beyond ASCII", "é"), ("U+0000 in an id", #"\u0000"#),
    ].map { name, id in
        BadChange(
            name, create(#"{"title": "x"}"#).replacing("ID", with: id), "illegalChangeID")
    }

    @Test func badChangeIsRefusedForItsCauseAndChangesNothing() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let a = try server.client("a")
        let old = fresh()
        try await a.push(.create(old, of: "ConflictsEntity", ["title": "there"]))
        try await a.push(.update(old, of: "ConflictsEntity", from: 1, ["score": 2]))
        let before = try await a.sync()

        for bad in Self.values + Self.records + Self.ids {
            let json = bad.json.replacing("ID", with: fresh()).replacing("NEW", with: fresh())
                .replacing("OLD", with: old)
            let answer = try await a.ask(Data(#"{"changes": [\#(json)]}"#.utf8))
            try #require(answer.status == 200, "\(bad.name): \(answer.text)")
            let outcome = try answer.message(as: SyncResponse.self).outcomes.first
            #expect(outcome?.outcome == .refused, "\(bad.name): \(answer.text)")
            #expect(outcome?.revision == nil, "\(bad.name)")
            #expect(outcome?.causes?.map(\.code) == [bad.code], "\(bad.name): \(answer.text)")
            #expect(outcome?.causes?.first?.field == bad.field, "\(bad.name): \(answer.text)")
        }
        #expect(try await a.sync() == before)
    }

    /// Neither a difference nor a sum of bases has room in 64 bits.
    @Test func lowBasesOfManyRecordsAreRefused() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let a = try server.client("a")
        let guids = (0..<4).map { _ in fresh() }
        for guid in guids { try await a.push(.create(guid, of: "ConflictsEntity", ["title": "x"])) }
        for base in [-1 << 62, Int64.min, .max] {
            let changes = guids.map {
                change("update", guid: $0, #", "base": \#(base), "fields": {"score": 2}"#)
                    .replacing("ID", with: fresh())
            }
            let answer = try await a.ask(
                Data(#"{"changes": [\#(changes.joined(separator: ","))]}"#.utf8))
            try #require(answer.status == 200, "\(base): \(answer.text)")
            let outcomes = try answer.message(as: SyncResponse.self).outcomes
            let codes = outcomes.flatMap { $0.causes ?? [] }.map(\.code)
            #expect(codes == guids.map { _ in "baseUnknown" })
        }
    }

    @Test func bytesThatAreNoTextAreRefusedToo() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let a = try server.client("a")
        let json = create(#"{"title": "?"}"#).replacing("ID", with: fresh())
            .replacing("NEW", with: fresh())
        for bytes: [UInt8] in [
            [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
        ] {
            var body = Data(#"{"changes": [\#(json)]}"#.utf8)
            let place = try #require(body.firstIndex(of: UInt8(ascii: "?")))
            body.replaceSubrange(place...place, with: bytes)
            let answer = try await a.ask(body)
            if answer.status == 200 {
                let outcome = try answer.message(as: SyncResponse.self).outcomes.first
                #expect(outcome?.outcome == .refused, "\(bytes)")
            } else {
                #expect(try answer.status == 400 && answer.error().code == "notJSON")
            }
        }
        #expect(try await a.records() == [])
    }

    @Test(arguments: [0, 1, 10, 18, 19])
    func badChangeDelaysNoOther(place: Int) async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let a = try server.client("a")
        let changes = (0..<20).map { index in
            ChangeMessage.create(
                fresh(), of: "ConflictsEntity",
                ["title": .string("film \(index)"), "score": index == place ? 9 : 3])
        }
        let outcomes = try await a.sync(changes).outcomes
        #expect(outcomes.map(\.id) == changes.map(\.id))
        for (index, outcome) in outcomes.enumerated() {
            #expect(outcome.outcome == (index == place ? .refused : .accepted))
        }
        let stored = Set(try await a.records().map(\.guid))
        #expect(stored == Set(changes.map(\.guid)).subtracting([changes[place].guid]))
    }
}
