import ChangeRules
import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SyncProtocol
import Synchronization
import TestKit
import Testing

@testable import SyncEngine

/// Each test opens databases, so that all at once would open too many files.
@Suite("A push with a long history holds up nobody", .serialized)
struct LongHistoryTests {
    private static func limits(_ change: (inout Limits) -> Void) -> Limits {
        var limits = Limits()
        change(&limits)
        return limits
    }

    /// Random changes of three devices, from old and from new bases. One engine reads histories in
    /// its transactions, the other one before them.
    @Test(arguments: ConflictMode.allCases, seeds(12))
    func longHistoriesDecideLikeShortOnes(mode: ConflictMode, seed: UInt64) async throws {
        let document = Documents.notes(mode)
        let reference = try await TestBench(document)
        let bench = try await TestBench(
            document, limits: Self.limits { $0.pushHistoryEntries = 1 })
        var random = SplitMix64(seed: seed)
        let notes = [create(1, ["title": "0"]), create(2, ["title": "0"])]
        for bench in [reference, bench] { _ = try await bench.person("a").sync(notes) }
        for number in 0..<25 {
            let login = random.one(of: ["a", "b", "c"]) ?? "a"
            let top = try await reference.stored(guid(1))?.revision ?? 1
            let batch = (0..<random.number(in: 1...4)).map { place in
                change("\(number)-\(place)", isFirst: place == 0, upTo: top, &random)
            }
            let outcomes = try await bench.person(login).sync(batch).outcomes
            let expected = try await reference.person(login).sync(batch).outcomes
            try #require(outcomes == expected, "\(login) pushed \(batch)")
        }
        for number in 1...2 {
            #expect(
                try await bench.stored(guid(number)) == reference.stored(guid(number)))
            #expect(
                try await bench.history(of: guid(number)) == reference.history(of: guid(number)))
        }
    }

    private func change(
        _ id: String, isFirst: Bool, upTo top: Int64, _ random: inout SplitMix64
    ) -> ChangeMessage {
        let base: Int64? =
            isFirst || random.flip() ? Int64(random.number(in: 1...Int(max(top, 1)))) : nil
        let number = isFirst || random.flip() ? 1 : 2
        switch random.number(in: 0...8) {
        case 0: return delete(number, id: id, base: base)
        case 1: return resolve(number, id: id, base: base, ["score": 2])
        case 2...4: return update(number, id: id, base: base, ["title": .string(id)])
        case 5: return update(number, id: id, base: base, ["title": .string(id), "score": 4])
        default: return update(number, id: id, base: base, ["score": 3])
        }
    }

    /// Counts what is read for stale changes of a record. Revisions are counted without reading.
    @Test(arguments: [
        (revisions: 700, discarded: 0, entries: nil, questions: 0),
        (400, 0, 399, 1), (2, 900, nil, 1), (2, 9, 10, 1),
    ])
    func pushReadsNoMoreThanItsBudget(
        revisions: Int, discarded: Int, entries: Int?, questions: Int
    ) async throws {
        let bench = try await TestBench(Documents.notes(.discard))
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": "0"]))
        _ = try await a.sync(
            (1..<revisions).map {
                update(1, id: "a\($0)", base: $0 == 1 ? 1 : nil, ["title": .string("\($0)")])
            })
        _ = try await b.sync(
            (0..<discarded).map { update(1, id: "\($0)", base: 1, ["score": 2]) })
        let store = CountingStore(bench.store)
        let facts = try await bench.engine.facts(
            of: (0..<1000).map { update(1, id: "x\($0)", base: 1, ["score": 3]) }, by: b, on: store)
        #expect(facts.shortage == (entries == nil ? .history : nil))
        #expect(store.questions == questions && store.entries == entries ?? 0)
    }

    /// Two changes of different devices that are far behind.
    @Test func pushOfOneIsDecidedWhateverItHasToRead() async throws {
        let limits = Self.limits {
            $0.pushHistoryEntries = 3
            $0.scannedHistoryEntries = 5
        }
        let bench = try await TestBench(Documents.notes(), limits: limits)
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": "0"]))
        for number in 1...9 {
            _ = try await a.push(
                update(1, id: "\(number)", base: Int64(number), ["title": .string("\(number)")]))
        }
        await #expect(throws: SyncError.tooMuchToRead) {
            try await b.push(
                update(1, id: "1", base: 1, ["score": 2]), update(1, id: "2", base: 1, ["score": 3])
            )
        }
        #expect(try await bench.stored(guid(1))?.revision == 10)
        let outcomes = try await b.push(update(1, id: "1", base: 1, ["title": "b"]))
        #expect(outcomes.map(\.outcome) == [.conflicted])
        let conflict = try await a.record(guid(1))?.conflicts?.first
        #expect(conflict?.base.fields == ["title": "0"])
    }

    /// The large value is the one that the record had at the base.
    @Test(arguments: [(200, true), (20, false)])
    func changeWhoseHistoryIsTooLargeIsStale(limit: Int, isDecided: Bool) async throws {
        let limits = Self.limits {
            $0.pushHistoryEntries = 1
            $0.keptHistoryBytesOfOne = limit
        }
        let bench = try await TestBench(Documents.notes(), limits: limits)
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": .string(String(repeating: "x", count: 100))]))
        for number in 1...3 {
            _ = try await a.push(
                update(1, id: "\(number)", base: Int64(number), ["title": .string("\(number)")]))
        }
        let stale = try await b.push(update(1, id: "1", base: 1, ["title": "b"]))
        #expect(stale.map(\.outcome) == [isDecided ? .conflicted : .refused])
        #expect(stale.first?.causes?.map(\.code) == (isDecided ? nil : ["stale"]))
        let deletion = try await b.push(delete(1, id: "2", base: 1))
        #expect(deletion.map(\.outcome) == [isDecided ? .conflicted : .refused])
        let fresh = try await bench.stored(guid(1))?.revision
        let outcomes = try await b.push(update(1, id: "3", base: fresh, ["title": "c"]))
        #expect(outcomes.map(\.outcome) == [.accepted])
    }

    /// Records of 1 MB each: all of them exceed 16 MiB.
    @Test func largeRecordsAreChangedAFewAtOnce() async throws {
        let bench = try await TestBench(
            Documents.document(
                .manual,
                models: """
                    <model name="Note">
                      <fields>
                        \(Documents.field("title", "TEXT", read: "ALL", options: """
                            <option name="maxLength">1000000</option>
                            """))
                        \(Documents.field("score", "INTEGER", read: "ALL"))
                      </fields>
                      \(Documents.credentials(read: "ALL"))
                    </model>
                    """))
        let a = bench.person("a")
        let text = String(repeating: "x", count: 1_000_000)
        for number in 1...20 {
            _ = try await a.sync([create(number, ["title": .string(text)])], limit: 1)
        }
        let changes = (1...20).map { update($0, id: "\($0)", base: 1, ["score": 2]) }
        await #expect(throws: SyncError.tooMuchToRead) {
            try await a.sync(changes, limit: 1)
        }
        for half in [changes.prefix(10), changes.suffix(10)] {
            let outcomes = try await a.sync(Array(half), limit: 1).outcomes
            #expect(outcomes.map(\.outcome) == Array(repeating: .accepted, count: 10))
        }
    }

    @Test func decisionEndsWhenItsCallerIsGone() async throws {
        let bench = try await TestBench(Documents.notes())
        let asked = Mutex(0)
        let request = SyncRequest(
            changes: (1...9).map { create($0, ["title": "t"]) })
        let caller = try await bench.person("a").caller()
        await #expect(throws: SyncError.store(.cancelled)) {
            _ = try await bench.engine.answer(
                request, from: caller, at: Instant(milliseconds: 1)
            ) {
                asked.withLock { asked in
                    asked += 1
                    return asked < 5
                }
            }
        }
        #expect(asked.withLock { $0 } == 5)
        #expect(try await bench.person("b").everything().isEmpty)
        #expect(try await bench.person("a").sync(request.changes).outcomes.count == 9)
    }
}

extension Engine {
    fileprivate func facts(
        of messages: [ChangeMessage], by person: Person, on store: CountingStore
    ) async throws -> Facts {
        let book = rules.book
        let caller = try await person.caller()
        let author = Author(
            asker: caller.asker, deviceIdentifier: caller.deviceIdentifier,
            now: Instant(milliseconds: 0), limits: limits)
        let need = need(
            of: messages.map { Change($0, by: book) }, by: author, under: rules,
            environment: environment, seenSequence: 0)
        return try await self.store.commits.commit(need, reading: nil, on: store) { _ in
            []
        } deciding: { facts in
            (WriteSet(), facts)
        }.result
    }
}

/// Counts the entries of history that transactions read.
private final class CountingStore: CommitStore {
    private struct Counts {
        var questions = 0
        var entries = 0
    }

    private let store: any Store
    private let counts = Mutex(Counts())

    init(_ store: any Store) { self.store = store }

    var questions: Int { counts.withLock { $0.questions } }
    var entries: Int { counts.withLock { $0.entries } }

    func commit(
        in environment: EnvironmentID,
        deciding: @escaping @Sendable (any CommitTransaction) throws -> DecidedCalls
    ) async throws(StoreError) -> CommittedCalls {
        try await store.commit(in: environment) { transaction in
            try deciding(CountingTransaction(transaction: transaction, store: self))
        }
    }

    fileprivate func note(_ request: BatchRead, _ rows: BatchRows) {
        counts.withLock { counts in
            counts.questions += request.history.count
            for histories in rows.history.compactMap(\.self) {
                counts.entries += histories.reduce(0) { $0 + $1.count }
            }
        }
    }
}

private struct CountingTransaction: CommitTransaction {
    let transaction: any CommitTransaction
    let store: CountingStore

    var elapsedMilliseconds: Int64 { transaction.elapsedMilliseconds }

    func read(_ request: BatchRead) throws -> BatchRows {
        let rows = try transaction.read(request)
        store.note(request, rows)
        return rows
    }

    func write(_ batch: WriteBatch) throws { try transaction.write(batch) }
}
