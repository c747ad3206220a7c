import JSON
import Testing

@testable import ParseWire

@Suite("Parameters of a find")
struct ParseParametersTests {
    @Test func standard() throws {
        let parameters = try ParseParameters([:])
        #expect(parameters.limit == 100 && parameters.skip == 0 && !parameters.counts)
        #expect(parameters.keys == nil && parameters.shows("a"))
    }

    @Test func namesAreTextOrList() throws {
        for value in [JSONValue.string("a, -b"), .array(["a", "-b"])] {
            #expect(try ParseParameters(["order": value]).order == ["a", "-b"])
        }
    }

    @Test func limitIsLoweredAndSkipIsNot() throws {
        #expect(try ParseParameters(["limit": 5000]).limit == 1000)
        #expect(try ParseParameters(["limit": 0, "count": 1]).counts)
        #expect(try ParseParameters(["skip": 100_000]).skip == 100_000)
        #expect(throws: ParseFailure.self) { try ParseParameters(["skip": 100_001]) }
    }

    @Test func keysAreShown() throws {
        let parameters = try ParseParameters(
            ["keys": "a,b.c,d", "excludeKeys": "d", "include": "e"])
        #expect(["a", "b", "c", "d", "e"].filter(parameters.shows) == ["a", "b", "e"])
    }

    /// Keys that lead into objects include these; what is excluded there stays in the outer object.
    @Test func innerKeysInclude() throws {
        let parameters = try ParseParameters(
            ["keys": "a.b.c,d", "excludeKeys": "e.f,d", "include": "g"])
        #expect(["a", "d", "e", "g"].filter(parameters.shows) == ["a", "g"])
        #expect(parameters.includes == [["g"]])
        #expect(parameters.innerKeys.includes == [["a", "b"], ["e"]])
    }

    /// Plain keys have no limit of their own.
    @Test(arguments: ["include", "keys", "excludeKeys"])
    func pathsAreLimited(name: String) throws {
        func read(_ count: Int, _ more: String) throws {
            let paths = (0..<count).map { JSONValue.string("a\($0)\(more)") }
            _ = try ParseParameters([name: .array(paths + paths)])
        }
        try read(ParseParameters.mostPaths, ".b")
        #expect(throws: ParseFailure.self) { try read(ParseParameters.mostPaths + 1, ".b") }
        if name != "include" { try read(ParseParameters.mostPaths + 1, "") }
    }

    private static let object = """
        {"a":{"__type":"Object","className":"A","objectId":"1","b":{"c":1,"d":2},"c":3},
        "b":[{"__type":"Object","objectId":"2","c":1,"d":[{"__type":"Object","c":1,"d":2}]},
        {"__type":"Pointer","className":"A","objectId":"3"},{"c":1,"d":2}],"c":1}
        """

    /// The keys, the excluded keys, and what is left of the object.
    @Test(arguments: [
        ("", "", object), ("a,b", "c", object), ("a.b", "", object.replacing(#","c":3"#, with: "")),
        ("a.b.c", "", object.replacing(#","c":3"#, with: "")),
        ("", "a.b", object.replacing(#""b":{"c":1,"d":2},"#, with: "")),
        ("", "a.b.c,a.objectId", object),
        (
            "", "b.c",
            object.replacing(#""objectId":"2","c":1"#, with: #""objectId":"2""#)
        ),
        (
            "b.d.d", "",
            object.replacing(#""objectId":"2","c":1"#, with: #""objectId":"2""#)
                .replacing(#"{"__type":"Object","c":1,"d":2}"#, with: #"{"__type":"Object","d":2}"#)
        ),
        (
            "b.c,b.d", "b.d",
            object.replacing(#","d":[{"__type":"Object","c":1,"d":2}]"#, with: "")
        ),
    ])
    func innerKeysOfIncludedObjects(keys: String, excluded: String, left: String) throws {
        let given: [String: JSONValue] = [
            "keys": .string(keys), "excludeKeys": .string(excluded),
        ]
        let parameters = try ParseParameters(given.filter { $0.value != "" })
        guard case .object(let members) = try parseJSON(Array(Self.object.utf8)) else { return }
        let expected = try parseJSON(Array(left.utf8))
        #expect(JSONValue.object(parameters.innerKeys.applied(to: members)) == expected)
    }

    @Test(
        arguments: [
            ["keys": "a.b.c.d.e"], ["excludeKeys": "a.b.c.d.e"], ["limit": "many"], ["limit": -1],
            ["where": "text"], ["where": 1], ["order": 1],
            ["other": 1], ["include": "a.b.c.d"],
        ] as [[String: JSONValue]])
    func isRefused(parameters: [String: JSONValue]) {
        #expect(throws: ParseFailure.self) { try ParseParameters(parameters) }
    }
}
