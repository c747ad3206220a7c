import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SyncEngine
import SyncProtocol
import Testing

/// Regression tests for attacks that once succeeded.
@Suite("Attacks")
struct AttackTests {
    @Test(arguments: ConflictMode.allCases)
    func emptyUpdateBringsNothingBack(mode: ConflictMode) async throws {
        let bench = try await TestBench(Documents.notes(mode))
        let (a, b) = (bench.person("a"), bench.person("b"))
        let start = try await a.sync([create(1, ["title": "t"])])
        _ = try await a.push(delete(1, id: "1", base: 1))
        let outcome = try await b.push(update(1, id: "1", base: 1, [:]))[0]
        #expect(outcome.outcome == .accepted && outcome.revision == 2)
        let record = try #require(try await a.sync(cursor: start.cursor).records.first)
        #expect(record.deleted && !record.conflicted)
    }

    /// If setting the stored value were allowed without the right, the record would come back
    /// without one.
    @Test func restoringNeedsRightsOnNamedFields() async throws {
        let bench = try await TestBench(Documents.notes(.overwrite, titleUpdate: "OWN"))
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": "t"]))
        _ = try await a.push(delete(1, id: "1", base: 1))
        let outcome = try await b.push(update(1, id: "1", base: 1, ["title": "t"]))[0]
        #expect(outcome.outcome == .refused)
    }

    @Test func nullIsNoWayRoundDefault() async throws {
        let bench = try await TestBench(Documents.notes(scoreCreate: "NONE"))
        _ = try await bench.person("a").push(create(1, ["title": "t", "score": .null]))
        #expect(try await bench.person("a").record(guid(1))?.fields?["score"] == 1)
    }

    @Test func guidCreatedAThousandTimesIsDecidedQuickly() async throws {
        let bench = try await TestBench(Documents.folders)
        let batch = (0..<200).map { number in
            create(1, id: "c\(number)", model: "Sheet", ["folder": .string(guid(999))])
        }
        let outcomes = try await bench.person("a").sync(batch).outcomes
        #expect(outcomes.allSatisfy { $0.outcome == .refused })
        #expect(outcomes.filter { $0.causes?.first?.code == "tooEntangled" }.count > 150)
    }

    @Test func recordHasOnlySoManyOpenConflicts() async throws {
        var limits = Limits()
        limits.openConflicts = 3
        let bench = try await TestBench(Documents.notes(), limits: limits)
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": "t"]))
        _ = try await a.push(update(1, id: "1", base: 1, ["score": 2]))
        var outcomes = try await b.push(
            update(1, id: "1", base: 1, ["score": 3]), update(1, id: "2", base: 1, ["score": 3]))
        outcomes += try await b.push(
            update(1, id: "3", base: 1, ["score": 3]), update(1, id: "4", base: 1, ["score": 3]))
        #expect(outcomes.map(\.outcome) == [.conflicted, .conflicted, .conflicted, .refused])
        #expect(outcomes[3].causes?.map(\.code) == ["tooManyConflicts"])
        _ = try await a.push(resolve(1, id: "2", base: 5))
        let again = try await b.push(update(1, id: "5", base: 1, ["score": 3]))
        #expect(again.map(\.outcome) == [.conflicted])
    }

    @Test func namesFromClientsAreShortenedInErrors() async throws {
        let bench = try await TestBench(Documents.notes())
        let long = String(repeating: "x", count: 100_000)
        let names = Dictionary(uniqueKeysWithValues: (0..<1000).map { ("f\($0)", JSONValue.null) })
        var unknown = create(1, id: "1", model: long, [:])
        unknown.guid = long
        let outcomes = try await bench.person("a").push(
            unknown, create(2, id: "2", [long: 1]), create(3, id: "3", names))
        #expect(outcomes[0].model.utf8.count < 200 && outcomes[0].guid.utf8.count < 200)
        for cause in outcomes.flatMap({ $0.causes ?? [] }) {
            #expect((cause.field ?? "").utf8.count < 200)
            #expect(cause.message.utf8.count < 400 && (cause.argument ?? "").utf8.count < 200)
        }
        #expect(outcomes[2].causes?.count == 100)
    }

    /// Old values of a removed field are in the conflict, and nobody may see them any more.
    @Test func fieldThatIsGoneComesOutNoWay() async throws {
        let bench = try await TestBench(Documents.notes())
        let a = bench.person("a")
        _ = try await a.push(create(1, ["title": "t", "sealed": "canary"]))
        _ = try await a.push(update(1, id: "1", base: 1, ["sealed": "canary 2", "title": "u"]))
        _ = try await bench.person("a", device: "tablet").push(
            update(1, id: "2", base: 1, ["sealed": "canary 3", "title": "v"]))
        let next = try await bench.deploying(Documents.notes(withSealed: false))
        let answer = try await a.sync(with: next)
        let conflict = try #require(answer.records.first?.conflicts?.first)
        for side in [conflict.base, conflict.mine, conflict.theirs] {
            #expect(Set(side.fields.keys) == ["title"])
        }
    }
}
