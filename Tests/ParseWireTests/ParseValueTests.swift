import ChangeRules
import DefinitionModel
import ForeignValues
import JSON
import RecordSearch
import SyncEngine
import Testing

@testable import ParseWire

@Suite("Values are those of fields")
struct ParseValueTests {
    private func value(_ json: String, of name: String) throws -> GivenValue {
        let field = try #require(Model.note.field(name))
        return try GivenValue(
            parse: try parseJSON(Array(json.utf8)), for: field, in: .test)
    }

    private static let file = FileValue(guid: knownGuid, filename: "a_b.png")

    private static let cases: [(String, String, GivenValue)] = [
        ("text", #""a""#, .value(.text("a"))), ("text", "null", .null),
        ("text", #"{"__op":"Delete"}"#, .null), ("text", "1", .unreadable),
        ("count", "11", .value(.integer(11))), ("count", "11.0", .value(.integer(11))),
        ("count", "1.5", .unreadable), ("count", #""1""#, .unreadable),
        ("count", #"{"__op":"Increment","amount":-2}"#, .added(.integer(-2))),
        ("count", #"{"__op":"Increment","amount":1.5}"#, .unreadable),
        ("text", #"{"__op":"Increment","amount":1}"#, .unreadable),
        ("count", #"{"__op":"AddUnique","objects":[1]}"#, .unreadable),
        ("price", "15e-1", .value(.decimal(DecimalNumber("1.5") ?? DecimalNumber(0)))),
        ("price", #""1.5""#, .unreadable),
        ("price", #"{"__op":"Increment","amount":1}"#, .added(.decimal(DecimalNumber(1)))),
        ("done", "true", .value(.boolean(true))), ("done", "1", .unreadable),
        (
            "when", #"{"__type":"Date","iso":"1970-01-01T00:00:01.500Z"}"#,
            .value(.date(milliseconds: 1500))
        ),
        ("when", #"{"__type":"Date","iso":"yesterday"}"#, .unreadable),
        (
            "parent", #"{"__type":"Pointer","className":"Note","objectId":"known"}"#,
            .value(.reference(guid: knownGuid))
        ),
        (
            "parent", #"{"__type":"Object","className":"Note","objectId":"known","text":"a"}"#,
            .value(.reference(guid: knownGuid))
        ),
        ("parent", #"{"__type":"Pointer","className":"Other","objectId":"known"}"#, .unreadable),
        (
            "picture", "{\"__type\":\"File\",\"name\":\"\(knownGuid)_a_b.png\",\"url\":\"x\"}",
            .value(.file(file))
        ),
        ("picture", #"{"__type":"File","name":"a.png"}"#, .unreadable),
        ("meta", #"{"b":[1.0],"a":2}"#, .value(.text(#"{"a":2,"b":[1]}"#))),
        ("meta", #"["a",null]"#, .value(.text(#"["a",null]"#))),
        ("meta", #""[]""#, .unreadable), ("meta", "1", .unreadable),
        ("meta", "[1e400]", .unreadable),
        ("meta", #"{"__type":"Pointer","className":"Note","objectId":"known"}"#, .unreadable),
        ("meta", #"{"__op":"Delete"}"#, .null),
        (
            "meta", #"{"__op":"Add","objects":[1,{"a":2}]}"#,
            .edited([JSONEdit(path: [], .append([1, .object(["a": 2])]))])
        ),
        (
            "meta", #"{"__op":"AddUnique","objects":["a"]}"#,
            .edited([JSONEdit(path: [], .appendMissing(["a"]))])
        ),
        (
            "meta", #"{"__op":"Remove","objects":["a"]}"#,
            .edited([JSONEdit(path: [], .removeElements(["a"]))])
        ),
        ("meta", #"{"__op":"Add","objects":1}"#, .unreadable),
        ("meta", #"{"__op":"Add","objects":[1e400]}"#, .unreadable),
        ("meta", #"{"__op":"Increment","amount":1}"#, .unreadable),
        ("key", #"{"__type":"Bytes","base64":"AAAA"}"#, .value(.text("AAAA"))),
        (
            "place", #"{"__type":"GeoPoint","latitude":52.50,"longitude":-13.4}"#,
            .value(.text("52.5,-13.4"))
        ),
        ("place", #"{"__type":"GeoPoint","latitude":91,"longitude":0}"#, .unreadable),
        ("place", #"{"latitude":1,"longitude":0}"#, .unreadable),
        ("place", #""52.5,-13.4""#, .unreadable), ("key", #""AAAA""#, .unreadable),
        ("key", #"{"__type":"Bytes"}"#, .unreadable),
    ]

    @Test(arguments: cases.indices) func given(index: Int) throws {
        let (name, json, expected) = Self.cases[index]
        #expect(try value(json, of: name) == expected, "\(name) \(json)")
    }

    /// Nil where the body says nothing of the field.
    private static let bodies: [(String, ParseVerb, String, GivenValue?)] = [
        (#"{"meta.a":1}"#, .put, "meta", .edited([JSONEdit(path: ["a"], .set(1))])),
        (
            #"{"meta.a.b":{"__op":"Increment","amount":2},"meta.c":{"__op":"Delete"}}"#, .put,
            "meta",
            .edited([
                JSONEdit(path: ["a", "b"], .increment(2)), JSONEdit(path: ["c"], .removeMember),
            ])
        ),
        (
            #"{"meta.a":{"__op":"AddUnique","objects":[1]}}"#, .put, "meta",
            .edited([JSONEdit(path: ["a"], .appendMissing([1]))])
        ),
        (#"{"meta":{"a":1},"meta.b":2}"#, .put, "meta", .unreadable),
        (#"{"text.a":1}"#, .put, "text", .unreadable),
        (#"{"meta.a":1,"meta.b":2}"#, .post, "meta", .value(.text(#"{"a":1,"b":2}"#))),
        (#"{"meta":{"__op":"Add","objects":[1]}}"#, .post, "meta", .value(.text("[1]"))),
        (#"{"meta.a":{"__op":"Delete"}}"#, .post, "meta", nil),
        (
            #"{"count":{"__op":"SetOnInsert","amount":3}}"#, .post, "count", .value(.integer(3))
        ),
        (
            #"{"meta.a":{"__op":"SetOnInsert","amount":3}}"#, .post, "meta",
            .value(.text(#"{"a":3}"#))
        ),
        (#"{"count":{"__op":"SetOnInsert"}}"#, .post, "count", .null),
        (
            #"{"count":{"__op":"SetOnInsert","amount":3},"text":"a"}"#, .put, "text",
            .value(.text("a"))
        ),
        (
            #"{"count":{"__op":"SetOnInsert","amount":{"__op":"Delete"}}}"#, .post, "count",
            .unreadable
        ),
    ]

    @Test(arguments: bodies.indices) func body(index: Int) throws {
        let (body, verb, field, expected) = Self.bodies[index]
        guard case .object(let members) = try parseJSON(Array(body.utf8)) else { return }
        let operation = ParseOperation(
            verb: verb, className: "Note", objectID: verb == .post ? nil : "known", body: members)
        let fields = try operation.fields(of: ModelRules(.note), in: .test)
        #expect(fields == (expected.map { [field: $0] } ?? [:]), "\(body)")
    }

    @Test(arguments: ["meta.", ".meta", "meta..a", "_meta.a"])
    func keyThatNoObjectCanHaveIs105(key: String) {
        let operation = ParseOperation(
            verb: .put, className: "Note", objectID: "known", body: [key: 1])
        #expect(throws: ParseFailure(105, "Invalid field name: \(key).")) {
            try operation.fields(of: ModelRules(.note), in: .test)
        }
    }

    /// As deep as a value may be nested; the name is not told in full.
    @Test(arguments: [(24, true), (25, false), (33, false), (200_000, false)])
    func keyIsAsDeepAsValue(steps: Int, isRead: Bool) throws {
        let key = "meta" + String(repeating: ".a", count: steps)
        for (verb, id) in [(ParseVerb.put, "known"), (.post, nil)] {
            let operation = ParseOperation(
                verb: verb, className: "Note", objectID: id, body: [key: 1])
            guard !isRead else {
                #expect(try operation.fields(of: ModelRules(.note), in: .test).count == 1)
                continue
            }
            let failure = #expect(throws: ParseFailure.self) {
                try operation.fields(of: ModelRules(.note), in: .test)
            }
            #expect(failure?.code == 105 && failure?.message.utf8.count ?? .max < 200)
        }
    }

    @Test(arguments: [(1000, true), (1001, false), (100_000, false)])
    func changeMakesSoManyEdits(count: Int, isRead: Bool) throws {
        let keys = (0..<count).map { "meta.k\($0)" }
        let body = Dictionary(uniqueKeysWithValues: keys.map { ($0, JSONValue.integer(1)) })
        for (verb, id) in [(ParseVerb.put, "known"), (.post, nil)] {
            let operation = ParseOperation(
                verb: verb, className: "Note", objectID: id, body: body)
            guard !isRead else {
                let fields = try operation.fields(of: ModelRules(.note), in: .test)
                #expect(fields["meta"] != nil && fields["meta"] != .unreadable)
                continue
            }
            let failure = #expect(throws: ParseFailure.self) {
                try operation.fields(of: ModelRules(.note), in: .test)
            }
            #expect(failure?.code == 116)
        }
    }

    @Test func operatorThatThereIsNotIs108() {
        #expect(throws: ParseFailure(108, "the operator X is not supported")) {
            try value(#"{"__op":"X"}"#, of: "text")
        }
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (1_314_000_000_249, "2011-08-22T08:00:00.249Z"),
    ])
    func timesHaveThreeDigits(milliseconds: Int64, text: String) {
        #expect(preciseInstant(milliseconds: milliseconds) == text)
        #expect(parseDateMilliseconds(text) == milliseconds)
    }

    private static let times: [(String, Int64?)] = [
        ("1970-01-01T00:00:01Z", 1000), ("1970-01-01T00:00Z", 0), ("1970-01-01T00:00:01.5Z", 1500),
        // as the clients for Python and Dart write them
        ("1970-01-01T00:00:01.234567", 1234), ("1970-01-01T00:00:01.234567Z", 1234),
        ("1970-01-01T00:00:01", 1000), ("1970-01-01T01:00:01.5+01:00", 1500),
        ("1969-12-31T20:30:00-0330", 0), ("1970-01-01T02:00:00+02", 0),
        ("1970-01-01", nil), ("0", nil), ("1970-01-01T", nil), ("1970-01-01T00:00:01.Z", nil),
        ("1970-01-01T00:00:01.+5Z", nil), ("1970-01-01T00:00:01+24:00", nil),
        ("1970-01-01T00:00:01+1", nil), ("1970-01-01T00:00:01+01:60", nil),
        ("1970-01-01T00:00:01ZZ", nil), ("1970-02-30T00:00:01Z", nil), ("T", nil), ("", nil),
    ]

    @Test(arguments: times) func time(text: String, milliseconds: Int64?) {
        #expect(parseDateMilliseconds(text) == milliseconds)
    }

    @Test(arguments: [
        #"{"meta":[{"__type":"File","name":"\#(knownGuid)_a.png"}]}"#,
        #"{"meta":{"a":{"__type":"File"}}}"#,
        #"{"meta":{"__op":"Add","objects":[{"__type":"File"}]}}"#,
        #"{"meta.a":{"__type":"File"}}"#,
    ])
    func fileInsideJSONIs111(body: String) throws {
        guard case .object(let members) = try parseJSON(Array(body.utf8)) else { return }
        let operation = ParseOperation(
            verb: .put, className: "Note", objectID: "known", body: members)
        let failure = #expect(throws: ParseFailure.self) {
            try operation.fields(of: ModelRules(.note), in: .test)
        }
        #expect(failure?.code == 111)
    }

    /// An import keeps it, and clients that save all fields send it back.
    @Test(arguments: [
        #"{"meta":[{"__type":"File","name":"0a1b_a.png","url":"http://old/a.png"}]}"#,
        #"{"meta":{"__op":"Remove","objects":[{"__type":"File","name":"a.png"}]}}"#,
    ])
    func fileOfOtherServerInsideJSONIsKept(body: String) throws {
        guard case .object(let members) = try parseJSON(Array(body.utf8)) else { return }
        let operation = ParseOperation(
            verb: .put, className: "Note", objectID: "known", body: members)
        let given = try operation.fields(of: ModelRules(.note), in: .test)["meta"]
        #expect(given != nil && given != .unreadable)
    }

    @Test func idHasTenLettersAndDigits() throws {
        let naming = RecordNaming(key: Array("key".utf8))
        let id = try #require(naming.parseID(of: "anna", in: "_User"))
        #expect(id.wholeMatch(of: /[A-Za-z0-9]{10}/) != nil)
        #expect(id == naming.parseID(of: "anna", in: "_User"))
        #expect(id != naming.parseID(of: "bert", in: "_User"))
        #expect(id != RecordNaming(key: Array("other".utf8)).parseID(of: "anna", in: "_User"))
    }
}
