import ChangeRules
import DefinitionModel
import JSON
import MemoryStore
import TestKit
import Testing

@testable import SyncEngine

/// A transaction reads 40 bytes of records. The one of "large" has 62.
@Suite("Calls of one transaction")
struct CommitRoundTests {
    private static let text = String(repeating: "x", count: 50)
    private static let large = #"{"title":"\#(text)"}"#

    private let memory = MemoryDatabase()

    private func environment() async throws -> EnvironmentID {
        let environment = try await memory.environment()
        try await memory.write(
            WriteSet(records: [.test("large", fieldsText: Self.large)]), in: environment)
        return environment
    }

    private func decide(
        _ calls: [CommitCall], adding later: [CommitCall] = [], in environment: EnvironmentID
    ) throws -> DecidedCalls {
        var limits = CommitLimits()
        limits.recordBytes = 40
        return try memory.commit(in: environment) { [limits] transaction in
            var round = try CommitRound(of: calls, transaction, limits)
            try round.add(calls + later)
            return try round.decide()
        }.calls
    }

    /// Those that come while the first ones are read are added.
    @Test(
        arguments: [
            (["one", "two"], [], 2), (["one", "large"], [], 1), (["large", "one"], [], 1),
            (["one"], ["two"], 2), (["one"], ["large"], 1), (["one"], ["two", "large"], 2),
            (["large"], ["one"], 1),
        ] as [([String], [String], Int)])
    func largeCallIsAlone(first: [String], later: [String], decided: Int) async throws {
        let environment = try await environment()
        let call = { CommitCall.test($0, in: environment) { WriteSet() } }
        let found = try decide(first.map(call), adding: later.map(call), in: environment)
        #expect(found.answers.count == decided)
    }

    /// To find the records that name a file takes long, and each call of a transaction waits for
    /// it.
    @Test(
        arguments: [
            (["theirs", "theirs"], [], 1), (["theirs", "own", "theirs"], [], 2),
            (["own", "own", "unknown"], [], 3), (["own", "theirs"], ["theirs"], 3),
            (["own", "theirs"], ["theirs", "own", "theirs"], 4),
        ] as [([String], [String], Int)])
    func filesOfOthersAreNamedOnce(first: [String], later: [String], decided: Int) async throws {
        let environment = try await environment()
        var claims = WriteSet()
        claims.namedFiles = ["own"]
        try await memory.write(claims, in: environment)
        claims.namedFiles = ["theirs"]
        try await memory.write(
            claims, in: environment, device: DeviceKey(login: "b", deviceIdentifier: "phone"))
        let call = { CommitCall.test("one", naming: [$0], in: environment) { WriteSet() } }
        let found = try decide(first.map(call), adding: later.map(call), in: environment)
        #expect(found.answers.count == decided)
    }

    /// The first call is written before the second one is read again, since it acknowledges what
    /// the second one asks for.
    @Test(arguments: [("{}", 2), (large, 1)])
    func callThatHasBecomeLargeIsLeft(text: String, decided: Int) async throws {
        let environment = try await environment()
        let first = CommitCall.test("one", in: environment) {
            var writes = WriteSet(records: [.test("one", fieldsText: text)])
            writes.acknowledged = ["change"]
            return writes
        }
        let second = CommitCall.test("one", changing: ["change"], in: environment) { WriteSet() }
        let found = try decide([first, second], in: environment)
        #expect(found.answers.count == decided)
        #expect(found.hasWritten)
        #expect(try await memory.page(in: environment).records.contains { $0.guid == "one" })
    }

    /// A batch forgets outcomes before it writes any, so one that is forgotten is written before.
    @Test(arguments: [("one", 2), ("earlier", 1)])
    func outcomesOfOneDeviceShareABatch(acknowledged: String, batches: Int) async throws {
        let environment = try await environment()
        let call = { (id: String, acknowledged: String) in
            CommitCall.test(id, changing: [id], in: environment) {
                var writes = WriteSet()
                writes.outcomes = [StoredOutcome(changeID: id, text: "{}")]
                writes.acknowledged = [acknowledged]
                return writes
            }
        }
        let found = try decide(
            [call("one", "none"), call("two", acknowledged)], in: environment)
        #expect(found.writes.count == batches)
        let facts = try await memory.facts(in: environment, changeIDs: ["one", "two"], guids: [])
        #expect(Set(facts.outcomes.keys) == Set(["one", "two"]).subtracting([acknowledged]))
    }

    /// The last records are written with the commit.
    @Test(arguments: [(1, [1, 1, 1, 1], 1), (2, [2, 2], 1), (3, [3], 2), (5, [], 5)])
    func manyRecordsAreWrittenMeanwhile(perWrite: Int, early: [Int], atEnd: Int) async throws {
        let environment = try await environment()
        let calls = (1...5).map { number in
            CommitCall.test("\(number)", in: environment) {
                WriteSet(records: [.test("\(number)")])
            }
        }
        var limits = CommitLimits()
        limits.recordsPerWrite = perWrite
        let written = CallValue<[Int]>()
        let found = try memory.commit(in: environment) { [limits] transaction in
            let noting = NotingTransaction(transaction)
            var round = try CommitRound(of: calls, noting, limits)
            let decided = try round.decide()
            written.set(noting.written)
            return decided
        }.calls
        #expect(try written.get() == early)
        #expect(found.writes.map(\.records.count) == [atEnd])
        #expect(found.hasWritten && found.lastChange.sequence == 6)
        let guids = try await memory.page(in: environment).records.map(\.guid)
        #expect(guids == ["large", "1", "2", "3", "4", "5"])
    }

    @Test(arguments: [
        (GivenValue.value(.text(text)), 50), (.null, 1),
        (.edited([JSONEdit(path: [], .append([.string(text), .string(text)]))]), 100),
    ])
    func changeBringsItsValues(value: GivenValue, bytes: Int) {
        let change = Change(
            id: "1", action: .update, model: "Note", guid: "one", baseRevision: nil,
            fields: ["text": value])
        #expect(change.leastBytes == bytes)
    }
}

/// Notes the number of records of each batch that is written before the end.
private final class NotingTransaction: CommitTransaction {
    private let transaction: any CommitTransaction
    private(set) var written: [Int] = []

    init(_ transaction: any CommitTransaction) { self.transaction = transaction }

    var elapsedMilliseconds: Int64 { transaction.elapsedMilliseconds }

    func read(_ request: BatchRead) throws -> BatchRows { try transaction.read(request) }

    func write(_ batch: WriteBatch) throws {
        written.append(batch.records.count)
        try transaction.write(batch)
    }
}

extension CommitCall {
    fileprivate static func test(
        _ guid: String, changing changeIDs: [String] = [], naming files: [String] = [],
        in environment: EnvironmentID, writing writes: @escaping @Sendable () -> WriteSet
    ) -> CommitCall {
        let need = ReadSet(
            environment: environment, device: .test, changeIDs: changeIDs, guids: [guid],
            baseRevisions: [:], files: FileNeed(guids: files, group: "", limit: .none))
        return CommitCall(need, nil, WaitingCaller()) { _ in
            []
        } deciding: { _ in
            (writes(), { _, _ in })
        }
    }
}
