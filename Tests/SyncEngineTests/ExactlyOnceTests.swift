import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SyncEngine
import SyncProtocol
import TestKit
import Testing

@Suite("A change takes effect once, however often it is sent")
struct ExactlyOnceTests {
    /// One change for each outcome, on a record that has reached revision 2.
    private static let changes: [(ConflictMode, ChangeMessage, OutcomeMessage.Kind)] = [
        (.manual, create(2, id: "x", ["title": "t"]), .accepted),
        (.manual, update(1, id: "x", base: 2, ["score": 4]), .accepted),
        (.manual, update(1, id: "x", base: 1, ["score": 4]), .conflicted),
        (.discard, update(1, id: "x", base: 1, ["score": 4]), .discarded),
        (.manual, update(1, id: "x", base: 2, ["score": 9]), .refused),
    ]

    @Test(arguments: changes)
    func repeatGetsStoredOutcome(
        mode: ConflictMode, change: ChangeMessage, kind: OutcomeMessage.Kind
    ) async throws {
        let bench = try await TestBench(Documents.notes(mode))
        let a = bench.person("a")
        _ = try await a.push(create(1, ["title": "old"]))
        _ = try await bench.person("b").push(update(1, id: "1", base: 1, ["score": 2]))
        let first = try await a.push(change)
        let state = try await a.sync()
        #expect(first.map(\.outcome) == [kind])
        #expect(try await a.push(change) == first)
        #expect(try await a.push(change, change) == first + first)
        #expect(try await a.sync() == state)
    }

    @Test func twiceInOneBatchIsOnce() async throws {
        let bench = try await TestBench(Documents.notes())
        let a = bench.person("a")
        let change = create(1, ["title": "t"])
        let outcomes = try await a.push(change, change)
        #expect(outcomes.map(\.outcome) == [.accepted, .accepted])
        #expect(try await a.record(guid(1))?.revision == 1)
    }

    @Test func idsOfOtherUsersAndDevicesAreOthers() async throws {
        let bench = try await TestBench(Documents.notes())
        let people = [
            bench.person("a"), bench.person("b", device: "a-phone"),
            bench.person("a", device: "tablet"),
        ]
        for (number, person) in people.enumerated() {
            let outcome = try await person.push(create(number, id: "same", ["title": "t"]))[0]
            #expect(outcome.outcome == .accepted)
            #expect(outcome.guid == guid(number))
        }
    }

    @Test func idUsedAgainForAnotherRecordIsRefused() async throws {
        let bench = try await TestBench(Documents.notes())
        let a = bench.person("a")
        _ = try await a.push(create(1, id: "same", ["title": "t"]))
        let outcome = try await a.push(create(2, id: "same", ["title": "t"]))[0]
        #expect(outcome.causes?.map(\.code) == ["changeIDReused"])
        #expect(try await a.everything().map(\.guid) == [guid(1)])
    }

    /// The outcome is deleted; the history still has the change.
    @Test func repeatAfterAcknowledgementGetsOutcomeOfHistory() async throws {
        let bench = try await TestBench(Documents.notes())
        let a = bench.person("a")
        let first = try await a.push(create(1, ["title": "t"]))
        _ = try await a.sync(acknowledging: ["create-1"])
        let facts = try await bench.store.facts(
            in: bench.engine.environment, device: try await a.caller().device,
            changeIDs: ["create-1"])
        #expect(facts.outcomes.isEmpty)
        #expect(try await a.push(create(1, ["title": "u"])) == first)
        #expect(try await a.record(guid(1))?.fields?["title"] == "t")
    }

    /// A client without an answer repeats its change together with later ones.
    @Test func changeAfterRepeatedOneBuildsOnItsOutcome() async throws {
        let bench = try await TestBench(Documents.notes())
        let a = bench.person("a")
        _ = try await a.push(create(1, ["title": "t"]))
        let first = update(1, id: "1", base: 1, ["score": 2])
        _ = try await a.push(first)
        let outcomes = try await a.push(first, update(1, id: "2", base: nil, ["title": "u"]))
        #expect(outcomes.map(\.outcome) == [.accepted, .accepted])
        #expect(outcomes.map(\.revision) == [2, 3])
    }

    @Test(arguments: ["", "a b", "é", "\u{212A}", "a\0", String(repeating: "x", count: 129)])
    func idMustBeVisibleASCII(id: String) async throws {
        let bench = try await TestBench(Documents.notes())
        let outcome = try await bench.person("a").push(create(1, id: id, ["title": "t"]))[0]
        #expect(outcome.causes?.map(\.code) == ["illegalChangeID"])
        #expect(try await bench.person("a").everything().isEmpty)
    }
}
