import ChangeRules
import EngineKit
import JSON
import NativeCalls
import SyncProtocol
import Testing

@testable import SyncEngine

@Suite("Filters look into JSON")
struct JSONFilterTests {
    /// `note` of a thing is JSON.
    private static let document = Documents.things.replacing(
        #"name="note" type="TEXT""#, with: #"name="note" type="TEXT" w:format="json""#)

    private func person(_ limits: Limits = Limits()) async throws -> Person {
        let bench = try await TestBench(Self.document, limits: limits)
        let person = bench.person("a")
        let outcomes = try await person.push(
            create(1, model: "Thing", ["note": #"{"size": {"w": 3}, "tags": ["red", "new"]}"#]),
            create(
                2, model: "Thing", ["note": #"{"size":{"w":2.5}}"#, "follows": .string(guid(1))]),
            create(3, model: "Thing", [:]), create(4, model: "Thing", ["note": #"["red"]"#]))
        #expect(outcomes.allSatisfy { $0.outcome == .accepted }, "\(outcomes)")
        return person
    }

    @Test(arguments: [
        (#"{"inside": ["note", ["size", "w"], {"gt": 2.5}]}"#, [1]),
        (#"{"inside": ["note", ["size", "w"], {"le": 3}]}"#, [1, 2]),
        (#"{"not": {"inside": ["note", ["size"], {"exists": true}]}}"#, [3, 4]),
        (#"{"inside": ["note", ["tags"], {"all": ["new", "red"]}]}"#, [1]),
        (#"{"inside": ["note", [], {"only": ["red"]}]}"#, [4]),
        (#"{"inside": ["note", [], {"eq": {"size": {"w": 2.5}}}]}"#, [2]),
        (#"{"inside": ["note", ["0"], {"in": ["red", "blue"]}]}"#, [4]),
        (#"{"inside": ["follows.note", ["tags"], {"eq": "new"}]}"#, [2]),
        (#"{"inside": ["note", ["tags"], {"part": {"text": "ne", "atStart": true}}]}"#, [1]),
        (#"{"inside": ["note", [], {"part": {"text": "E", "anyCase": true}}]}"#, [4]),
        // To every other operator it is its text.
        (#"{"eq": ["note", "[\"red\"]"]}"#, [4]), (#"{"prefix": ["note", "{\"size\""]}"#, [1, 2]),
    ])
    func finds(filter: String, numbers: [Int]) async throws {
        let found = try await person().find(filter)
        #expect(found.records.map(\.guid) == numbers.map { guid($0) })
    }

    @Test(arguments: [
        (#"{"inside": ["name", [], {"eq": 1}]}"#, "filter.inside[0]"),
        (#"{"inside": ["none", [], {"eq": 1}]}"#, "filter.inside[0]"),
        (#"{"inside": ["$owner", [], {"eq": 1}]}"#, "filter.inside[0]"),
        (#"{"inside": ["note", [], {"like": "a"}]}"#, "filter.inside"),
        (#"{"inside": ["note", [1], {"eq": 1}]}"#, "filter.inside"),
        (#"{"inside": ["note", [], {"exists": false}]}"#, "filter.inside"),
        (#"{"inside": ["note", {"eq": 1}]}"#, "filter.inside"),
    ])
    func mistakeIsNamedWithItsPlace(filter: String, path: String) async throws {
        #expect(try await fault(filter)?.path == path)
    }

    @Test func filterIsOnlySoLarge() async throws {
        var limits = Limits()
        limits.filterConditions = 21
        limits.filterValues = 2
        let inside = { (test: String) in #"{"inside": ["note", ["a"], \#(test)]}"# }
        let exists = inside(#"{"exists": true}"#)
        let deep = (0..<25).map { _ in #""a""# }.joined(separator: ", ")
        for (filter, path) in [
            (#"{"and": [\#(exists), \#(exists)]}"#, nil),
            (#"{"and": [\#(exists), {"null": "name"}, \#(exists)]}"#, "filter.and[2].inside"),
            (inside(#"{"all": [1, 2]}"#), nil),
            (inside(#"{"all": [1, 2, 3]}"#), "filter.inside[2]"),
            (#"{"inside": ["note", [\#(deep)], {"eq": 1}]}"#, "filter.inside[1]"),
        ] {
            let fault = try await fault(filter, limits)
            #expect(fault?.path == path && fault.map { $0.code == .filterTooLarge } != false)
        }
    }

    private func fault(_ filter: String, _ limits: Limits = Limits()) async throws -> QueryFault? {
        do {
            _ = try await person(limits).find(filter)
            return nil
        } catch SyncError.find(.query(let fault)) {
            return fault
        } catch let fault as QueryFault {
            return fault
        }
    }
}
