import EngineKit
import JSON
import SyncProtocol
import Testing

@Suite("A creation needs the right to create, for the record and for what it sets")
struct CreationRightsTests {
    /// A new record belongs to its creator and the creator's group.
    @Test(arguments: [("OWN", true), ("GROUP", true), ("ALL", true), ("NONE", false)])
    func creationRightIsAskedOfCreatorsOwnRecord(right: String, isAllowed: Bool) async throws {
        let document = Documents.diaries.replacing(
            "createAllowed=\"ALL\"", with: "createAllowed=\"\(right)\"")
        let bench = try await TestBench(document)
        let outcome = try await bench.person("a").push(create(1, ["title": "t"]))[0]
        #expect(outcome.outcome == (isAllowed ? .accepted : .refused))
        #expect(outcome.causes?.map(\.argument) == (isAllowed ? nil : ["create"]))
    }

    @Test func everyDeniedFieldIsNamedInOrder() async throws {
        let bench = try await TestBench(
            Documents.notes().replacing(
                "createAllowed=\"ALL\" readAllowed=\"OWN\"",
                with: "createAllowed=\"NONE\" readAllowed=\"OWN\""))
        let outcome = try await bench.person("a").push(
            create(1, ["title": "t", "secret": "s", "sealed": "z"]))[0]
        #expect(outcome.causes?.map(\.field) == ["sealed", "secret"])
        for cause in outcome.causes ?? [] {
            #expect(cause.message.hasSuffix("its right is NONE"), "\(cause.message)")
        }
    }

    @Test(arguments: [(JSONValue.integer(1), true), (.null, true), (.integer(2), false)])
    func fieldsDefaultNeedsNoRight(score: JSONValue, isAllowed: Bool) async throws {
        let parts = Documents.notes().split(separator: "name=\"score\"", maxSplits: 1)
        let bench = try await TestBench(
            parts[0] + "name=\"score\""
                + parts[1].replacing(
                    "createAllowed=\"ALL\"", with: "createAllowed=\"NONE\"", maxReplacements: 1))
        let outcome = try await bench.person("a").push(
            create(1, ["title": "t", "score": score]))[0]
        #expect(outcome.outcome == (isAllowed ? .accepted : .refused))
    }

    @Test func givenValuesPrecedeDefaults() async throws {
        let bench = try await TestBench(Documents.notes())
        let a = bench.person("a")
        _ = try await a.push(
            create(1, ["title": "t"]), create(2, ["title": "t", "score": 4]),
            create(3, ["title": "t", "score": .null]))
        #expect(try await a.everything().map { $0.fields?["score"] } == [1, 4, .null])
    }
}
