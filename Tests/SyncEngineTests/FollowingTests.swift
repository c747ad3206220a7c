import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SQLiteStore
import SyncEngine
import SyncProtocol
import Testing

@Suite("Changes of one record in a batch follow each other")
struct FollowingTests {
    private func codes(_ outcomes: [OutcomeMessage]) -> [[String]] {
        outcomes.map { outcome in
            outcome.causes?.map { "\($0.code) \($0.argument ?? "-")" } ?? ["\(outcome.outcome)"]
        }
    }

    @Test func changesAfterRefusedCreationNameIt() async throws {
        let bench = try await TestBench(Documents.notes())
        let outcomes = try await bench.person("a").push(
            create(1, id: "c7", [:]), update(1, id: "2", base: nil, ["score": 2]),
            delete(1, id: "3", base: nil))
        #expect(
            codes(outcomes) == [["empty -"], ["dependsOnRefused c7"], ["dependsOnRefused c7"]])
    }

    /// `dependsOnRefused` is for missing creations only.
    @Test func changesAfterAnotherRefusalHaveTheirOwnReason() async throws {
        let bench = try await TestBench(Documents.notes())
        let outcomes = try await bench.person("a").push(
            update(1, id: "1", base: 1, ["score": 2]), update(1, id: "2", base: 1, ["score": 2]))
        #expect(codes(outcomes) == [["recordUnknown -"], ["recordUnknown -"]])
    }

    /// The first change sets stored values, so it is accepted although it is stale.
    @Test(arguments: [ConflictMode.manual, .merge])
    func changeWithoutEffectDoesNotAdvanceBase(mode: ConflictMode) async throws {
        let bench = try await TestBench(Documents.notes(mode))
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": "t"]))
        _ = try await a.push(update(1, id: "1", base: 1, ["score": 2]))
        let outcomes = try await b.push(
            update(1, id: "1", base: 1, ["title": "t"]), update(1, id: "2", base: nil, ["score": 3])
        )
        #expect(codes(outcomes) == [["accepted"], ["conflicted"]])
    }

    /// Also if the first change was sent before and its answer was lost.
    @Test func laterChangesBuildOnAppliedOnes() async throws {
        let bench = try await TestBench(Documents.notes())
        let a = bench.person("a")
        _ = try await a.push(create(1, ["title": "t"]))
        let first = update(1, id: "1", base: 1, ["score": 2])
        _ = try await a.push(first)
        let outcomes = try await a.push(first, update(1, id: "2", base: nil, ["score": 3]))
        #expect(codes(outcomes) == [["accepted"], ["accepted"]])
        #expect(outcomes.map(\.revision) == [2, 3])
    }

    /// A device knows its own changes before it has pulled them.
    @Test func nobodyIsInConflictWithThemselves() async throws {
        let bench = try await TestBench(Documents.notes())
        let a = bench.person("a")
        let outcomes = [
            try await a.push(create(1, ["title": "t"])),
            try await a.push(update(1, id: "1", base: 1, ["score": 2])),
            try await a.push(update(1, id: "2", base: 1, ["score": 3])),
            try await a.push(delete(1, id: "3", base: 1)),
            try await a.push(update(1, id: "4", base: 1, ["score": 4])),
        ].flatMap(\.self)
        #expect(
            codes(outcomes) == [
                ["accepted"], ["accepted"], ["accepted"], ["accepted"], ["recordDeleted -"],
            ])
    }

    /// Another device of the same user, and another user on a device with the same name, do not.
    @Test(arguments: [("a", "a-tablet"), ("b", "a-phone")])
    func changesOfOtherDevicesAreUnseen(login: String, device: String) async throws {
        let bench = try await TestBench(Documents.notes())
        _ = try await bench.person("a").push(create(1, ["title": "t"]))
        _ = try await bench.person(login, device: device).push(
            update(1, id: "1", base: 1, ["score": 2]))
        let outcomes = try await bench.person("a").push(update(1, id: "2", base: 1, ["score": 3]))
        #expect(codes(outcomes) == [["conflicted"]])
    }

    /// The update is based on what its author knew; they have never seen the conflict.
    @Test func resolutionThatFollowsHasToHaveSeenConflict() async throws {
        let bench = try await TestBench(Documents.notes())
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": "t"]))
        _ = try await a.push(update(1, id: "1", base: 1, ["score": 2]))
        _ = try await b.push(update(1, id: "1", base: 1, ["score": 3]))
        let outcomes = try await a.push(
            update(1, id: "2", base: 2, ["score": 4]), resolve(1, id: "3", base: nil))
        #expect(codes(outcomes) == [["accepted"], ["resolutionStale -"]])
        let later = try await a.push(
            update(1, id: "4", base: 4, ["score": 5]), resolve(1, id: "5", base: nil))
        #expect(codes(later) == [["accepted"], ["accepted"]])
    }

    @Test func refusedUpdateDoesNotAdvanceBase() async throws {
        let bench = try await TestBench(Documents.notes())
        let a = bench.person("a")
        _ = try await a.push(create(1, ["title": "t"]))
        let outcomes = try await a.push(
            update(1, id: "1", base: 1, ["score": 9]), update(1, id: "2", base: nil, ["score": 2]))
        #expect(codes(outcomes) == [["lessThanOrEqualTo 5"], ["accepted"]])
    }

    @Test func relationToRecordDeletedInBatchIsNotFound() async throws {
        let bench = try await TestBench(Documents.folders)
        let outcomes = try await bench.person("a").push(
            create(1, model: "Folder", ["name": "f"]),
            delete(1, id: "gone", base: nil, model: "Folder"),
            create(2, model: "Sheet", ["folder": .string(guid(1))]))
        #expect(codes(outcomes) == [["accepted"], ["accepted"], ["notFound \(guid(1))"]])
    }

    /// The update is refused for its relation; the record itself stays.
    @Test func relationToRecordWithRefusedUpdateHolds() async throws {
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

    /// Two relations have no target: one from the start, one because of another refusal.
    @Test func everyDanglingReferenceOfChangeIsNamed() async throws {
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

    @Test func danglingRelationsAreNamedInFieldOrder() async throws {
        let bench = try await TestBench(Documents.folders)
        let outcome = try await bench.person("a").push(
            create(
                1, model: "Sheet", ["follows": .string(guid(8)), "folder": .string(guid(9))]))[0]
        #expect(outcome.causes?.map(\.field) == ["folder", "follows"])
    }

    @Test func referenceThatUpdateSetsIsLookedAtToo() async throws {
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

    /// A record gets one sequence per batch, however often the batch changes it.
    @Test func recordTakesOneSequenceBatch() async throws {
        let bench = try await TestBench(Documents.notes())
        _ = try await bench.person("a").push(
            create(1, ["title": "t"]), update(1, id: "2", base: nil, ["score": 2]),
            create(2, ["title": "t"]), update(1, id: "3", base: nil, ["score": 3]))
        #expect(try await bench.store.environment(named: "test")?.sequence == 2)
        #expect(try await bench.person("b").everything().map(\.guid) == [guid(1), guid(2)])
    }

    @Test func nullsAreNotStored() async throws {
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
    func tooLongIdsAreRefusedWithLimit(id: String) async throws {
        let bench = try await TestBench(Documents.notes())
        let outcomes = try await bench.person("a").push(create(1, id: id, ["title": "t"]))
        #expect(codes(outcomes) == [["illegalChangeID 128"]])
    }

    @Test func updateThatKnowsOfDeletionIsRefused() async throws {
        let bench = try await TestBench(Documents.notes())
        let outcomes = try await bench.person("a").push(
            create(1, ["title": "t"]), delete(1, id: "2", base: nil),
            update(1, id: "3", base: nil, ["score": 2]), update(1, id: "4", base: 2, ["score": 1]))
        #expect(
            codes(outcomes) == [
                ["accepted"], ["accepted"], ["recordDeleted -"], ["recordDeleted -"],
            ])
    }

    @Test func staleBaseIsRefusedWithoutRevision() async throws {
        let bench = try await TestBench(Documents.notes())
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": "t"]))
        _ = try await a.push(update(1, id: "1", base: 1, ["score": 2]))
        let outcomes = try await b.push(
            update(1, id: "1", base: 7, ["score": 3]), update(1, id: "2", base: 1, ["score": 3]),
            resolve(1, id: "3", base: 1))
        #expect(codes(outcomes) == [["baseUnknown -"], ["conflicted"], ["resolutionStale -"]])
    }

    @Test func everyOutcomeOfBatchIsRepeated() async throws {
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

    /// A change that is acknowledged before it is sent is still applied once.
    @Test func changeAcknowledgedTooEarlyIsAppliedOnce() async throws {
        let bench = try await TestBench(Documents.notes())
        let a = bench.person("a")
        let change = create(1, ["title": "t"])
        let first = try await a.sync([change], acknowledging: [change.id]).outcomes
        #expect(first.map(\.outcome) == [.accepted])
        #expect(try await a.push(change) == first)
    }
}
