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

    @Test(
        arguments: [
            ["limit": "many"], ["limit": -1], ["where": "text"], ["where": 1], ["order": 1],
            ["other": 1], ["include": "a.b.c.d"],
        ] as [[String: JSONValue]])
    func isRefused(parameters: [String: JSONValue]) {
        #expect(throws: ParseFailure.self) { try ParseParameters(parameters) }
    }
}
