import MemoryStore
import SyncEngine
import TestKit
import Testing

@Suite("Calls that share a transaction", .timeLimit(.minutes(10)))
struct SharedTransactionTests {
    /// The answers and the database are those of the same calls one at a time. The store may get
    /// the writes of each call before the next one is decided.
    @Test(arguments: stores.dropFirst(), seeds(24))
    func areAnsweredAsIfEachHadItsOwn(kind: StoreKind, seed: UInt64) async throws {
        var limits = CommitLimits()
        limits.recordsPerWrite = [1, 3, 200][Int(seed % 3)]
        var random = RandomCalls(seed: seed)
        let version = random.firstVersion(of: 0)
        let shared = try await Subject(kind.open(commits: limits), version)
        let single = try await Subject(StoreBench(MemoryDatabase()), version)
        for batch in 0..<6 {
            let calls = (0..<(batch.isMultiple(of: 2) ? 5 : 20)).map { _ in random.bareCommit() }
                .inTurns
            let answers = try await shared.answersAtOnce(to: calls)
            for (number, call) in calls.enumerated() {
                let expected = await single.answer(to: .commit(call))
                try #require(
                    answers[number] == expected, "batch \(batch), call \(number): \(call)")
            }
            for question in StoreCall.everything(about: random.guids) {
                let expected = await single.answer(to: question)
                try #require(
                    await shared.answer(to: question) == expected, "batch \(batch): \(question)")
            }
        }
    }

    /// Each call gets the page that it has requested, which `answer(to:)` expects.
    @Test(arguments: stores.dropFirst())
    func getsItsOwnPage(kind: StoreKind) async throws {
        var random = RandomCalls(seed: 1)
        let shared = try await Subject(kind.open(), random.firstVersion(of: 0))
        try await shared.bench.store.write(
            WriteSet(records: (1...20).map { .test("\($0)") }), in: shared.environment)
        let calls = (0..<15).map { number in
            Commit(
                device: .test, changeIDs: [], guids: [], bases: [:], wanted: [], files: .none,
                writes: WriteSet(),
                page: Excerpt(
                    after: number, limit: 3, maxScanned: 100, maxBytes: 1_000_000,
                    skipsDeleted: false, knownSequence: 0))
        }
        let answers = try await shared.answersAtOnce(to: calls)
        #expect(!answers.contains(.failed))
    }

    /// A later call is told of an earlier one's change of the same record.
    @Test(arguments: stores.dropFirst())
    func seesHistoryOfEarlierCall(kind: StoreKind) async throws {
        var random = RandomCalls(seed: 1)
        let shared = try await Subject(kind.open(), random.firstVersion(of: 0))
        try await shared.bench.store.write(
            WriteSet(records: [.test("g", revision: 5)]), in: shared.environment)
        let seen = try await shared.historySeen(byUpdatesOf: "g", from: 5, count: 3)
        #expect(seen == [[], [6], [6, 7]])
    }
}

extension [Commit] {
    /// In the order in which they are carried out, in one transaction or in several: users take
    /// turns, each time in the same order.
    fileprivate var inTurns: [Commit] {
        var counts: [[UInt8]: Int] = [:]
        var ranks: [[UInt8]: Int] = [:]
        let places = map { call in
            let user = [UInt8](call.device.login.utf8)
            counts[user, default: 0] += 1
            let rank = ranks[user] ?? ranks.count
            ranks[user] = rank
            return (counts[user] ?? 0, rank)
        }
        return indices.sorted { places[$0] < places[$1] }.map { self[$0] }
    }
}

private struct Subject {
    let bench: StoreBench
    let environment: EnvironmentID

    init(_ bench: StoreBench, _ version: NewVersion) async throws {
        self.bench = bench
        let deployed = try await bench.store.deploy(to: "0") { _ in .success(version) }
        environment = try deployed.get().state.id
    }

    func answer(to call: StoreCall) async -> StoreAnswer {
        await call.answer(
            of: bench.store, in: environment, named: "0", at: Instant(milliseconds: 0))
    }

    /// The calls wait, in this order, until an earlier one has been decided.
    func answersAtOnce(to calls: [Commit]) async throws -> [StoreAnswer] {
        let stall = Gate()
        async let earlier: Void = occupy(until: stall)
        await stall.isReached()
        var answers: [Task<StoreAnswer, Never>] = []
        for call in calls {
            answers.append(Task { await answer(to: .commit(call)) })
            while bench.store.commits.waitingCalls < answers.count { await Task.yield() }
        }
        stall.open()
        try await earlier
        var found: [StoreAnswer] = []
        for answer in answers { found.append(await answer.value) }
        return found
    }

    /// The revisions that each of some updates, which share a transaction, is told of.
    func historySeen(
        byUpdatesOf guid: String, from base: Int64, count: Int
    ) async throws -> [[Int64]] {
        let stall = Gate()
        async let earlier: Void = occupy(until: stall)
        await stall.isReached()
        var updates: [Task<[Int64], any Error>] = []
        for _ in 0..<count {
            updates.append(Task { try await update(guid, from: base) })
            while bench.store.commits.waitingCalls < updates.count { await Task.yield() }
        }
        stall.open()
        try await earlier
        var seen: [[Int64]] = []
        for update in updates { seen.append(try await update.value) }
        return seen
    }

    private func update(_ guid: String, from base: Int64) async throws -> [Int64] {
        let need = ReadSet(
            environment: environment, device: .test, changeIDs: [], guids: [guid],
            baseRevisions: [guid: base])
        return try await bench.store.commit(need) { _ in
            []
        } deciding: { facts throws(StoreError) in
            let next = (facts.records[guid]?.revision ?? 0) + 1
            var writes = WriteSet(records: [.test(guid, revision: next)])
            writes.history = [.test(guid, revision: next, kind: .updated)]
            return (writes, (facts.history[guid] ?? []).map(\.revision))
        }
    }

    /// Writes nothing.
    private func occupy(until stall: Gate) async throws {
        let need = ReadSet(
            environment: environment,
            device: DeviceKey(login: "nobody", deviceIdentifier: "none"), changeIDs: [],
            guids: [], baseRevisions: [:])
        _ = try await bench.store.commit(need, reading: nil) { _ in
            []
        } deciding: { _ in
            stall.pass()
            return (WriteSet(), true)
        }
    }
}

extension RandomCalls {
    /// Without a page, which may show what later calls of the transaction have written, and without
    /// base revisions: the history of random calls does not match their records.
    fileprivate mutating func bareCommit() -> Commit {
        var call = commit()
        call.page = nil
        call.bases = [:]
        return call
    }
}

extension StoreCall {
    /// All records in their order, and the history of each.
    fileprivate static func everything(about guids: [String]) -> [StoreCall] {
        [
            .page(
                Excerpt(
                    after: 0, limit: 100, maxScanned: 100, maxBytes: 1_000_000,
                    skipsDeleted: false, knownSequence: 0)),
            .more(.conflicted(model: nil, guids: nil, after: nil, limit: 100)),
        ] + guids.map { .more(.history($0, limit: 100)) }
    }
}
