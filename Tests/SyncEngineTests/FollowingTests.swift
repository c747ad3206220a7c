import SQLiteStore
import SyncEngine
import SyncProtocol
import Testing

@Suite("The changes of a batch that concern one record follow each other")
struct FollowingTests {
    private func codes(_ outcomes: [OutcomeMessage]) -> [[String]] {
        outcomes.map { outcome in
            outcome.causes?.map { "\($0.code) \($0.argument ?? "-")" } ?? ["\(outcome.outcome)"]
        }
    }

    @Test func whatFollowsARefusedCreationNamesIt() async throws {
        let bench = try await TestBench(Documents.notes())
        let outcomes = try await bench.person("a").push(
            create(1, id: "c7", [:]), update(1, id: "2", base: nil, ["score": 2]),
            delete(1, id: "3", base: nil))
        #expect(
            codes(outcomes) == [["empty -"], ["dependsOnRefused c7"], ["dependsOnRefused c7"]])
    }

    /// Only a creation can be what is missing.
    @Test func whatFollowsAnotherRefusalIsRefusedForItsOwnReason() async throws {
        let bench = try await TestBench(Documents.notes())
        let outcomes = try await bench.person("a").push(
            update(1, id: "1", base: 1, ["score": 2]), update(1, id: "2", base: 1, ["score": 2]))
        #expect(codes(outcomes) == [["recordUnknown -"], ["recordUnknown -"]])
    }

    @Test func whatFollowsARefusedUpdateIsMadeFromTheSameBase() async throws {
        let bench = try await TestBench(Documents.notes())
        let a = bench.person("a")
        _ = try await a.push(create(1, ["title": "t"]))
        let outcomes = try await a.push(
            update(1, id: "1", base: 1, ["score": 9]), update(1, id: "2", base: nil, ["score": 2]))
        #expect(codes(outcomes) == [["lessThanOrEqualTo 5"], ["accepted"]])
    }

    @Test func whatRefersToARecordThatTheBatchDeletesMissesItNotItsCreation() async throws {
        let bench = try await TestBench(Documents.folders)
        let outcomes = try await bench.person("a").push(
            create(1, model: "Folder", ["name": "f"]),
            delete(1, id: "gone", base: nil, model: "Folder"),
            create(2, model: "Sheet", ["folder": .string(guid(1))]))
        #expect(codes(outcomes) == [["accepted"], ["accepted"], ["notFound \(guid(1))"]])
    }

    /// The update falls for its reference, the record that it would have changed stays.
    @Test func whatRefersToARecordWhoseUpdateFallsStays() async throws {
        let bench = try await TestBench(Documents.folders)
        let a = bench.person("a")
        _ = try await a.push(
            create(1, model: "Folder", ["name": "f"]),
            create(2, model: "Sheet", ["folder": .string(guid(1))]))
        let outcomes = try await a.push(
            update(2, id: "1", base: 1, model: "Sheet", ["follows": .string(guid(9))]),
            create(3, model: "Sheet", ["folder": .string(guid(1)), "follows": .string(guid(2))]))
        #expect(codes(outcomes) == [["notFound \(guid(9))"], ["accepted"]])
    }

    /// Two of its references dangle: one from the start, one because of what else falls.
    @Test func everyDanglingReferenceOfAChangeIsNamed() async throws {
        let bench = try await TestBench(Documents.folders)
        let outcomes = try await bench.person("a").push(
            create(2, id: "s2", model: "Sheet", ["folder": .string(guid(8))]),
            create(
                3, id: "s3", model: "Sheet",
                ["folder": .string(guid(9)), "follows": .string(guid(2))]))
        #expect(
            codes(outcomes) == [
                ["notFound \(guid(8))"], ["notFound \(guid(9))", "dependsOnRefused s2"],
            ])
        #expect(outcomes[1].causes?.map(\.field) == ["folder", "follows"])
    }

    @Test func whatDanglesFromTheStartIsNamedInTheOrderOfTheFields() async throws {
        let bench = try await TestBench(Documents.folders)
        let outcome = try await bench.person("a").push(
            create(
                1, model: "Sheet", ["follows": .string(guid(8)), "folder": .string(guid(9))]))[0]
        #expect(outcome.causes?.map(\.field) == ["folder", "follows"])
    }

    @Test func aReferenceThatAnUpdateSetsIsLookedAtToo() async throws {
        let bench = try await TestBench(Documents.folders)
        let a = bench.person("a")
        _ = try await a.push(
            create(1, model: "Folder", ["name": "f"]),
            create(2, model: "Sheet", ["folder": .string(guid(1))]))
        let outcomes = try await a.push(
            update(2, id: "1", base: 1, model: "Sheet", ["follows": .string(guid(1))]),
            update(2, id: "2", base: 1, model: "Sheet", ["follows": .string(guid(2))]))
        #expect(codes(outcomes) == [["notFound \(guid(1))"], ["accepted"]])
    }

    /// However often a batch changes it, the record stands in the sequence once.
    @Test func aRecordTakesOneSequenceABatch() async throws {
        let bench = try await TestBench(Documents.notes())
        _ = try await bench.person("a").push(
            create(1, ["title": "t"]), update(1, id: "2", base: nil, ["score": 2]),
            create(2, ["title": "t"]), update(1, id: "3", base: nil, ["score": 3]))
        #expect(try await bench.store.environment(named: "test")?.sequence == 2)
        #expect(try await bench.person("b").everything().map(\.guid) == [guid(1), guid(2)])
    }

    @Test func whatIsNullIsNotStored() async throws {
        let bench = try await TestBench(Documents.notes())
        let a = bench.person("a")
        _ = try await a.push(
            create(1, ["title": "t", "secret": .null]),
            update(1, id: "2", base: nil, ["score": .null]))
        #expect(try await bench.stored(guid(1))?.fieldsText == "{\"title\":\"t\"}")
    }

    @Test(arguments: ["!", "~", "a-1", String(repeating: "x", count: 128)])
    func anyVisibleIdWillDo(id: String) async throws {
        let bench = try await TestBench(Documents.notes())
        let outcome = try await bench.person("a").push(create(1, id: id, ["title": "t"]))[0]
        #expect(outcome.outcome == .accepted)
    }

    @Test(arguments: ["", "a\u{7F}", " "])
    func theLongestIdIsTold(id: String) async throws {
        let bench = try await TestBench(Documents.notes())
        let outcomes = try await bench.person("a").push(create(1, id: id, ["title": "t"]))
        #expect(codes(outcomes) == [["illegalChangeID 128"]])
    }

    @Test func anUpdateThatKnowsOfTheDeletionIsRefused() async throws {
        let bench = try await TestBench(Documents.notes())
        let outcomes = try await bench.person("a").push(
            create(1, ["title": "t"]), delete(1, id: "2", base: nil),
            update(1, id: "3", base: nil, ["score": 2]), update(1, id: "4", base: 2, ["score": 1]))
        #expect(
            codes(outcomes) == [
                ["accepted"], ["accepted"], ["recordDeleted -"], ["recordDeleted -"],
            ])
    }

    @Test func whoIsBehindIsToldSoAndNoRevision() async throws {
        let bench = try await TestBench(Documents.notes())
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": "t"]))
        _ = try await a.push(update(1, id: "1", base: 1, ["score": 2]))
        let outcomes = try await b.push(
            update(1, id: "1", base: 7, ["score": 3]), update(1, id: "2", base: 1, ["score": 3]),
            resolve(1, id: "3", base: 1))
        #expect(codes(outcomes) == [["baseUnknown -"], ["conflicted"], ["resolutionStale -"]])
    }

    @Test func everyOutcomeOfABatchIsRepeated() async throws {
        let bench = try await TestBench(Documents.notes())
        let a = bench.person("a")
        let batch = [
            create(1, ["title": "t"]), create(2, [:]), update(1, id: "3", base: nil, ["score": 2]),
            create(4, ["title": "t"]),
        ]
        let first = try await a.sync(batch).outcomes
        #expect(first.map(\.outcome) == [.accepted, .refused, .accepted, .accepted])
        #expect(try await a.sync(batch).outcomes == first)
    }

    /// A client that acknowledges what it is only about to send still has it done once.
    @Test func whatIsAcknowledgedTooEarlyIsStillDoneOnce() async throws {
        let bench = try await TestBench(Documents.notes())
        let a = bench.person("a")
        let change = create(1, ["title": "t"])
        let first = try await a.sync([change], acknowledging: [change.id]).outcomes
        #expect(first.map(\.outcome) == [.accepted])
        #expect(try await a.push(change) == first)
    }
}
