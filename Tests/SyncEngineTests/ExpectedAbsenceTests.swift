import MemoryStore
import Synchronization
import TestKit
import Testing

@testable import SyncEngine

/// The record "stored" and the outcome "sent" are stored, and the record "gone" was purged.
@Suite("What calls expect to be absent")
struct ExpectedAbsenceTests {
    private let memory = MemoryDatabase()

    private func environment() async throws -> EnvironmentID {
        let environment = try await memory.environment()
        var writes = WriteSet(records: [.test("stored"), .test("gone", deleted: true)])
        writes.outcomes = [StoredOutcome(changeID: "sent", text: "{}")]
        try await memory.write(writes, in: environment)
        let sweep = SweepRequest(
            environment: environment, before: Instant(milliseconds: .max), limit: 10)
        #expect(try memory.sweep(sweep).records == 1)
        return environment
    }

    /// Decides calls in one transaction that presumes, and returns what it read, and whether all it
    /// presumed was right.
    private func presume(
        _ calls: [ExpectingCall], in environment: EnvironmentID, mayBePurged: Bool = true
    ) throws -> (reads: [BatchRead], facts: [Facts], isRight: Bool) {
        let (reads, facts) = (CallValue<[BatchRead]>(), ToldFacts())
        do throws(StoreError) {
            _ = try memory.commit(in: environment) { transaction in
                let noting = ReadingTransaction(transaction)
                let presuming = PresumingTransaction(noting, mayBePurged: mayBePurged)
                defer { reads.set(noting.reads) }
                var round = try CommitRound(
                    of: calls.map { $0.call(in: environment, telling: facts) }, presuming,
                    CommitLimits())
                let decided = try round.decide()
                try presuming.check(decided)
                return decided
            }
            return (try reads.get(), facts.all, true)
        } catch .failed {
            return (try reads.get(), facts.all, false)
        }
    }

    /// Nothing was purged before.
    @Test func noRecordIsPurgedWithoutASweep() async throws {
        let environment = try await memory.environment()
        let call = ExpectingCall(guids: ["a"], created: ["a"])
        let presumed = try presume([call], in: environment, mayBePurged: false)
        #expect(presumed.reads.allSatisfy(\.purgedGuids.isEmpty) && presumed.isRight)
    }

    @Test(
        arguments: [
            ([], false, ["a", "b"], ["sent"], []), (["a"], false, ["b"], ["sent"], ["a"]),
            ([], true, ["a", "b"], [], []), (["a", "b"], true, [], [], ["a", "b"]),
        ] as [([String], Bool, [String], [String], [String])])
    func isNotLookedFor(
        created: [String], isNew: Bool, records: [String], outcomes: [String], purged: [String]
    ) async throws {
        let call = ExpectingCall(
            guids: ["a", "b"], created: created, changes: ["sent"], isNew: isNew)
        let read = try presume([call], in: await environment()).reads[0]
        #expect(read.records == records && read.purgedGuids == purged)
        #expect(read.outcomes.map(\.changeID) == outcomes)
    }

    @Test(arguments: [(true, [["a", "gone"]]), (false, [[], ["a", "gone"]])])
    func purgedRecordIsKnown(mayBePurged: Bool, asked: [[String]]) async throws {
        let call = ExpectingCall(guids: ["a", "gone", "stored"], created: ["a", "gone"])
        let presumed = try presume([call], in: await environment(), mayBePurged: mayBePurged)
        #expect(presumed.reads.prefix(asked.count).map(\.purgedGuids) == asked)
        #expect(presumed.facts.map(\.purgedGuids) == [["gone"]])
        #expect(presumed.facts.map { Array($0.records.keys) } == [["stored"]])
    }

    /// After the first call was written, since it acknowledges what the second one asks for.
    @Test func isLookedForAfterAWrite() async throws {
        let first = ExpectingCall(
            guids: ["a"], created: ["a"], writing: ["a"], acknowledging: ["next"])
        let second = ExpectingCall(guids: ["b"], created: ["b"], changes: ["next"], isNew: true)
        let reads = try presume([first, second], in: await environment()).reads
        #expect(reads.map(\.records) == [[], ["b"], []] || reads.map(\.records) == [[], ["b"]])
        #expect(reads[1].outcomes.map(\.changeID) == ["next"])
    }

    static let cases: [(calls: [ExpectingCall], isRight: Bool)] = [
        ([ExpectingCall(guids: ["a"], created: ["a"])], true),
        ([ExpectingCall(guids: ["a"], created: ["a"], writing: ["a"])], true),
        ([ExpectingCall(guids: ["stored"], created: ["stored"])], false),
        ([ExpectingCall(guids: ["stored"], created: ["stored"], writing: ["stored"])], false),
        ([ExpectingCall(guids: ["stored"], created: ["stored"], isFailing: true)], false),
        ([ExpectingCall(guids: ["stored"], writing: ["stored"])], true),
        ([ExpectingCall(changes: ["new"], isNew: true)], true),
        ([ExpectingCall(changes: ["new"], isNew: true, deciding: ["new"])], true),
        ([ExpectingCall(changes: ["sent"], isNew: true)], false),
        ([ExpectingCall(changes: ["new", "sent"], isNew: true, deciding: ["new"])], false),
        ([ExpectingCall(changes: ["sent"], isNew: true, deciding: ["sent"])], false),
        ([ExpectingCall(changes: ["sent"], isNew: true, isFailing: true)], false),
        ([ExpectingCall(changes: ["sent"])], true),
        // The first call writes what the second one expects to be absent.
        (
            [
                ExpectingCall(guids: ["a"], created: ["a"], writing: ["a"]),
                ExpectingCall(guids: ["a"], created: ["a"]),
            ], true
        ),
        (
            [
                ExpectingCall(changes: ["new"], isNew: true, deciding: ["new"]),
                ExpectingCall(changes: ["new"], isNew: true),
            ], true
        ),
        // The last call writes again what the second one forgets.
        (
            [
                ExpectingCall(changes: ["sent"], isNew: true),
                ExpectingCall(acknowledging: ["sent"]),
                ExpectingCall(changes: ["sent"], isNew: true, deciding: ["sent"]),
            ], false
        ),
        // The first call has looked for it.
        (
            [
                ExpectingCall(changes: ["sent"]),
                ExpectingCall(guids: ["a"], created: ["a"], writing: ["a"]),
            ], true
        ),
        // The second call forgets what the first one did not see.
        (
            [
                ExpectingCall(changes: ["sent"], isNew: true),
                ExpectingCall(acknowledging: ["sent"]),
            ], false
        ),
    ]

    @Test(arguments: cases)
    func wrongPresumptionIsFound(calls: [ExpectingCall], isRight: Bool) async throws {
        #expect(try presume(calls, in: await environment()).isRight == isRight)
    }
}

/// A call, by what it expects and writes.
struct ExpectingCall: Sendable {
    var guids: [String] = []
    var created: [String] = []
    var changes: [String] = []
    var isNew = false
    /// Guids of the records that it writes.
    var writing: [String] = []
    /// Ids of the changes whose outcomes it writes.
    var deciding: [String] = []
    var acknowledging: [String] = []
    var isFailing = false

    fileprivate func call(
        in environment: EnvironmentID, telling told: ToldFacts
    ) -> CommitCall {
        var need = ReadSet(
            environment: environment, device: .test, changeIDs: changes, guids: guids,
            baseRevisions: [:])
        (need.createdGuids, need.areChangesNew) = (Set(created), isNew)
        var writes = WriteSet(records: writing.map { .test($0) })
        writes.outcomes = deciding.map { StoredOutcome(changeID: $0, text: "{}") }
        writes.acknowledged = acknowledging
        return CommitCall(need, nil, WaitingCaller()) { _ in
            []
        } deciding: { [writes] facts throws(StoreError) in
            told.add(facts)
            guard !isFailing else { throw .unreadable("no") }
            return (writes, { _, _ in })
        }
    }
}

/// Notes what is read.
private final class ReadingTransaction: CommitTransaction {
    private let transaction: any CommitTransaction
    private(set) var reads: [BatchRead] = []

    init(_ transaction: any CommitTransaction) { self.transaction = transaction }

    var elapsedMilliseconds: Int64 { transaction.elapsedMilliseconds }

    func read(_ request: BatchRead) throws -> BatchRows {
        reads.append(request)
        return try transaction.read(request)
    }

    func write(_ batch: WriteBatch) throws { try transaction.write(batch) }
}

/// The facts that calls were decided with.
private final class ToldFacts: Sendable {
    private let facts = Mutex<[Facts]>([])

    var all: [Facts] { facts.withLock { $0 } }

    func add(_ told: Facts) { facts.withLock { $0.append(told) } }
}
