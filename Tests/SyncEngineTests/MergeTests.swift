import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SyncProtocol
import Testing

@Suite("Mode MERGE merges changes of different fields")
struct MergeTests {
    /// A change of several fields is applied as a whole or set aside as a whole.
    @Test func editIsMergedAsAWholeOrNotAtAll() async throws {
        let bench = try await TestBench(Documents.notes(.merge))
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": "old"]))
        _ = try await a.push(update(1, id: "a1", base: 1, ["score": 2]))
        let both: [String: JSONValue] = ["score": 3, "title": "b"]
        #expect(try await b.push(update(1, id: "b1", base: 1, both))[0].outcome == .conflicted)
        let record = try #require(try await a.record(guid(1)))
        #expect(record.fields?["title"] == "old" && record.fields?["score"] == 2)
        #expect(record.conflicts?.first?.mine.fields == both)
    }

    @Test func allThatOthersDidSinceBaseCounts() async throws {
        let bench = try await TestBench(Documents.notes(.merge))
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": "old"]))
        _ = try await a.push(update(1, id: "a1", base: 1, ["score": 2]))
        _ = try await a.push(update(1, id: "a2", base: 2, ["title": "new"]))
        let late = try await b.push(update(1, id: "b1", base: 1, ["score": 3]))
        #expect(late.map(\.outcome) == [.conflicted])
        let later = try await b.push(update(1, id: "b2", base: 2, ["score": 3]))
        #expect(later.map(\.outcome) == [.merged])
    }

    /// Merged values were unseen, and stay unseen for later changes in the batch.
    @Test func mergeDoesNotAdvanceBase() async throws {
        let bench = try await TestBench(Documents.notes(.merge))
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": "old"]))
        _ = try await a.push(update(1, id: "a1", base: 1, ["score": 2]))
        let outcomes = try await b.push(
            update(1, id: "b1", base: 1, ["title": "b"]),
            update(1, id: "b2", base: nil, ["title": "c"]),
            update(1, id: "b3", base: nil, ["score": 5]))
        #expect(outcomes.map(\.outcome) == [.merged, .merged, .conflicted])
        #expect(outcomes.map(\.revision) == [3, 4, 5])
        let conflict = try await a.record(guid(1))?.conflicts?.first
        #expect(conflict?.theirs.login == "a" && conflict?.base.fields == ["score": 1])
    }

    /// The restoration knew of the deletion; the update was based on an earlier state.
    @Test func deletionThatWasUndoneCountsAsWell() async throws {
        let bench = try await TestBench(Documents.notes(.merge))
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": "old"]))
        _ = try await a.push(update(1, id: "a1", base: 1, ["score": 2]))
        _ = try await b.push(update(1, id: "b1", base: 1, ["score": 3]))
        _ = try await a.push(delete(1, id: "a2", base: 3))
        let settled = try await b.push(resolve(1, id: "b2", base: 4, ["score": 3]))
        #expect(settled.map(\.outcome) == [.accepted])
        let late = try await b.push(update(1, id: "b3", base: 3, ["title": "b"]))
        #expect(late.map(\.outcome) == [.conflicted])
    }

    @Test(arguments: [
        ("MANUAL", OutcomeMessage.Kind.conflicted), ("OVERWRITE", .accepted),
        ("DISCARD", .discarded), ("MERGE", .merged),
    ])
    func modelMayHaveModeOfItsOwn(model: String, outcome: OutcomeMessage.Kind) async throws {
        let bench = try await TestBench(Documents.everyMode)
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, model: model, ["title": "old"]))
        _ = try await a.push(update(1, id: "a1", base: 1, model: model, ["score": 2]))
        let second = update(1, id: "b1", base: 1, model: model, ["title": "b"])
        #expect(try await b.push(second).map(\.outcome) == [outcome])
    }
}
