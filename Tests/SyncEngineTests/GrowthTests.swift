import ChangeRules
import DefinitionModel
import EngineKit
import JSON
import SQLiteStore
import SyncEngine
import SyncProtocol
import Testing
import UserAccounts

/// Data that one user can make grow has a limit.
@Suite("Growth")
struct GrowthTests {
    private func bench(
        _ mode: ConflictMode = .manual, _ change: (inout Limits) -> Void
    ) async throws -> TestBench {
        var limits = Limits()
        change(&limits)
        return try await TestBench(Documents.notes(mode), limits: limits)
    }

    private func creations(_ numbers: ClosedRange<Int>) -> [ChangeMessage] {
        numbers.map { create($0, ["title": "t"]) }
    }

    private func expectRefusal(
        max: Int, maxBytes: Int = 8 << 20, _ body: () async throws -> Void
    ) async {
        await #expect(throws: SyncError.tooManyUnacknowledged(max: max, maxBytes: maxBytes)) {
            try await body()
        }
    }

    @Test func deviceThatNeverAcknowledgesIsRefusedUntilItDoes() async throws {
        let bench = try await bench { $0.outcomesOfDevice = 5 }
        let ann = bench.person("ann")
        _ = try await ann.sync(creations(1...3))
        // An answer that was lost is sent again.
        #expect(try await ann.sync(creations(1...5)).outcomes.count == 5)
        #expect(try await ann.sync(creations(1...5)).outcomes.count == 5)
        await expectRefusal(max: 5) { _ = try await ann.sync(creations(6...6)) }
        // Its other devices, and other users, are not.
        _ = try await bench.person("ann", device: "tablet").sync(creations(7...7))
        _ = try await bench.person("ben").sync(creations(8...8))
        // Changes and acknowledgements of one request: the latter take effect.
        let acknowledged = ["create-1", "create-2"]
        await expectRefusal(max: 5) {
            _ = try await ann.sync(creations(6...6), acknowledging: acknowledged)
        }
        #expect(try await ann.record(guid(6)) == nil)
        let outcomes = try await ann.sync(creations(6...6), acknowledging: acknowledged).outcomes
        #expect(outcomes.map(\.outcome) == [.accepted])
        _ = try await ann.sync(acknowledging: ["create-3"])
    }

    /// Outcomes are counted when a device has written two.
    @Test func deviceIsRefusedThoughAnotherCounts() async throws {
        let bench = try await bench { $0.outcomesOfDevice = 20 }
        let (phone, tablet) = (bench.person("ann"), bench.person("ann", device: "tablet"))
        var acknowledged: [String] = []
        for number in 1...20 {
            _ = try await phone.sync(creations(number...number))
            let numbers = (2 * number + 98)...(2 * number + 99)
            _ = try await tablet.sync(creations(numbers), acknowledging: acknowledged)
            acknowledged = numbers.map { "create-\($0)" }
        }
        await expectRefusal(max: 20) { _ = try await phone.sync(creations(21...21)) }
    }

    @Test func userHasOnlySoManyOutcomesOnAllDevices() async throws {
        let bench = try await bench {
            $0.outcomesOfUser = 4
            $0.outcomesOfDevice = 3
        }
        for number in 1...4 {
            _ = try await bench.person("ann", device: "\(number)").sync(creations(number...number))
        }
        await expectRefusal(max: 4, maxBytes: 32 << 20) {
            _ = try await bench.person("ann", device: "5").sync(creations(5...5))
        }
    }

    @Test func bytesOfOutcomesAreLimitedToo() async throws {
        let bench = try await bench {
            $0.outcomesOfDevice = 10
            $0.outcomeBytesOfDevice = 300
        }
        let ann = bench.person("ann")
        for number in 1...3 { _ = try await ann.sync(creations(number...number)) }
        await expectRefusal(max: 10, maxBytes: 300) { _ = try await ann.sync(creations(4...4)) }
    }

    /// The answer has all causes; what is stored of them, and repeated, is bounded.
    @Test func refusedChangeLeavesLittle() async throws {
        let bench = try await bench { _ in }
        let ann = bench.person("ann")
        let fields = (0..<1000).map { ("unknown field number \($0)", JSONValue.null) }
        let change = create(1, Dictionary(uniqueKeysWithValues: fields))
        let first = try await ann.push(change)[0]
        let again = try await ann.push(change)[0]
        #expect(first.causes?.count == 100)
        #expect((1..<100).contains(again.causes?.count ?? 0))
        #expect(again.causes == first.causes.map { Array($0.prefix(again.causes?.count ?? 0)) })
        let device = try await ann.caller().device
        var need = ReadSet(
            environment: bench.engine.environment, device: device,
            changeIDs: [], guids: [], baseRevisions: [:])
        need.countsOutcomesUpTo = 9
        let amounts = try await bench.store.commit(need) { _ in
            []
        } deciding: { facts throws(StoreError) in
            (WriteSet(), facts.outcomeAmounts)
        }
        #expect((1..<4500).contains(amounts?.ofDevice(device).bytes ?? 0))
    }

    @Test(arguments: [(2, 64 << 20), (100, 400)])
    func userOpensOnlySoManyConflicts(rows: Int, bytes: Int) async throws {
        let bench = try await bench {
            $0.openConflictsOfUser = rows
            $0.openConflictBytesOfUser = bytes
        }
        let (ann, ben) = (bench.person("ann"), bench.person("ben"))
        _ = try await ann.sync(creations(1...4))
        for number in 1...4 {
            _ = try await ann.push(update(number, id: "a\(number)", base: 1, ["score": 2]))
        }
        let outcomes = try await ben.push(
            update(1, id: "b1", base: 1, ["score": 3]), update(2, id: "b2", base: 1, ["score": 3]),
            update(3, id: "b3", base: 1, ["score": 3]))
        #expect(outcomes.map(\.outcome) == [.conflicted, .conflicted, .refused])
        #expect(outcomes[2].causes?.map(\.code) == ["tooManyOwnConflicts"])
        let later = try await ben.push(update(4, id: "b4", base: 1, ["score": 3]))
        #expect(later[0].causes?.map(\.code) == ["tooManyOwnConflicts"])
        // Another user may still; and so may this one when a conflict is resolved.
        let other = try await bench.person("eve").push(
            update(4, id: "e4", base: 1, ["score": 3]))
        #expect(other.map(\.outcome) == [.conflicted])
        _ = try await ann.push(resolve(1, id: "r", base: 3))
        let again = try await ben.push(update(3, id: "b5", base: 1, ["score": 3]))
        #expect(again.map(\.outcome) == [.conflicted])
    }

    /// Each conflict has 200 to 400 bytes. It does not matter who has opened it.
    @Test func openConflictsOfRecordHaveSoManyBytes() async throws {
        let bench = try await bench { ($0.openConflictBytes, $0.smallConflictBytes) = (400, 0) }
        let (ann, ben, eve) = (bench.person("ann"), bench.person("ben"), bench.person("eve"))
        _ = try await ann.sync(creations(1...2))
        for number in 1...2 {
            _ = try await ann.push(update(number, id: "a\(number)", base: 1, ["score": 2]))
        }
        let outcomes = try await ben.push(
            update(1, id: "b1", base: 1, ["score": 3]), update(1, id: "b2", base: 1, ["score": 4]),
            update(1, id: "b3", base: 1, ["score": 5]))
        #expect(outcomes.map(\.outcome) == [.conflicted, .conflicted, .refused])
        let later = try await eve.push(
            update(1, id: "e1", base: 1, ["score": 3]), update(2, id: "e2", base: 1, ["score": 3]))
        #expect(later.map(\.outcome) == [.refused, .conflicted])
        #expect(later[0].causes?.map(\.code) == ["tooManyConflicts"])
        _ = try await ann.push(resolve(1, id: "r", base: 4))
        let again = try await eve.push(update(1, id: "e3", base: 1, ["score": 3]))
        #expect(again.map(\.outcome) == [.conflicted])
    }

    /// A conflict about `score` has 200 to 400 bytes, wherever the title is long.
    @Test func smallConflictsAreOpenedBesideLargeOnes() async throws {
        let bench = try await bench {
            ($0.openConflicts, $0.openConflictBytes, $0.smallConflictBytes) = (3, 500, 430)
        }
        let (ann, ben, eve) = (bench.person("ann"), bench.person("ben"), bench.person("eve"))
        func long(_ letter: String) -> JSONValue { .string(String(repeating: letter, count: 250)) }
        _ = try await ann.sync(creations(1...1))
        _ = try await ann.push(update(1, id: "a", base: 1, ["title": long("a"), "score": 2]))
        let large = try await ben.push(update(1, id: "b", base: 1, ["title": long("b")]))
        #expect(large.map(\.outcome) == [.conflicted])
        // The other sides of a short title are as long as the present one.
        let outcomes = try await eve.push(
            update(1, id: "e1", base: 1, ["title": "short"]),
            update(1, id: "e2", base: 1, ["score": 3]), update(1, id: "e3", base: 1, ["score": 4]),
            update(1, id: "e4", base: 1, ["score": 5]))
        #expect(outcomes.map(\.outcome) == [.refused, .conflicted, .conflicted, .refused])
        for refused in [outcomes[0], outcomes[3]] {
            #expect(refused.causes?.map(\.code) == ["tooManyConflicts"])
        }
    }

    /// Ben may write the secret and not read it, and may do neither with `sealed`.
    @Test func smallConflictTellsNothingOfHiddenValues() async throws {
        var worlds: [[OutcomeMessage.Kind]] = []
        for hidden in [10, 200] {
            let bench = try await bench { ($0.openConflictBytes, $0.smallConflictBytes) = (1, 400) }
            let (ann, ben) = (bench.person("ann"), bench.person("ben"))
            let text = { JSONValue.string(String(repeating: "x", count: $0)) }
            _ = try await ann.sync(creations(1...1))
            _ = try await ann.push(
                update(1, id: "a", base: 1, ["secret": text(hidden), "sealed": text(hidden)]))
            _ = try await ann.push(update(1, id: "b", base: 2, ["score": 2]))
            _ = try await ben.push(update(1, id: "first", base: 2, ["score": 3]))
            let edits = stride(from: 0, through: 250, by: 25).map {
                update(1, id: "b\($0)", base: 1, ["secret": text($0)])
            }
            let shown = update(1, id: "shown", base: 2, ["score": 4])
            let outcomes = try await ben.sync(edits + [delete(1, id: "d", base: 1), shown]).outcomes
            worlds.append(outcomes.map(\.outcome))
        }
        #expect(worlds[0] == worlds[1])
        #expect(worlds[0].last == .conflicted)
    }

    @Test func recordThatChangedTooOftenCanOnlyBeDeleted() async throws {
        let bench = try await bench { $0.revisions = 2 }
        let ann = bench.person("ann")
        _ = try await ann.push(create(1, ["title": "t"]))
        let outcomes = try await ann.push(
            update(1, id: "1", base: 1, ["score": 2]), update(1, id: "2", base: nil, ["score": 3]))
        #expect(outcomes.map(\.outcome) == [.accepted, .refused])
        #expect(outcomes[1].causes?.map(\.code) == ["tooManyRevisions"])
        #expect(try await ann.push(delete(1, id: "3", base: 2)).map(\.outcome) == [.accepted])
    }

    /// Whether the edits take effect or not. Each entry counts with 200 bytes and its values.
    @Test(arguments: [true, false])
    func recordWithTooMuchHistoryCanOnlyBeDeleted(isStale: Bool) async throws {
        let bench = try await bench(.discard) {
            ($0.historyBytes, $0.historyStepBytes) = (8000, 1000)
        }
        let (ann, ben) = (bench.person("ann"), bench.person("ben"))
        _ = try await ann.sync(creations(1...2))
        _ = try await ann.push(update(1, id: "a", base: 1, ["score": 2]))
        var (revision, count): (Int64, Int) = (2, 0)
        var codes: [String]?
        while codes == nil, count < 200 {
            count += 1
            let edit = update(
                1, id: "b\(count)", base: isStale ? 1 : revision,
                ["score": .integer(Int64(count % 2 + 3))])
            let outcome = try await ben.push(edit)[0]
            codes = outcome.causes?.map(\.code)
            revision = outcome.revision ?? revision
        }
        #expect(codes == ["tooMuchHistory"])
        #expect((30...60).contains(count))
        for (person, id) in [(ann, "a2"), (ben, "b")] {
            let fresh = try await person.push(update(1, id: id, base: revision, ["title": "u"]))
            #expect(fresh[0].causes?.map(\.code) == ["tooMuchHistory"])
        }
        let other = try await ben.push(update(2, id: "o", base: 1, ["score": 2]))
        #expect(other.map(\.outcome) == [.accepted])
        #expect(
            try await ann.push(delete(1, id: "d", base: revision)).map(\.outcome) == [.accepted])
    }

    /// Texts of twenty characters, each of six bytes as JSON, in two of which there is room.
    @Test func recordThatIsTooLargeCannotGrow() async throws {
        let bench = try await bench { ($0.recordBytes, $0.smallChangeBytes) = (200, 0) }
        let ann = bench.person("ann")
        let text = JSONValue.string(String(repeating: "\u{1}", count: 20))
        let long = JSONValue.string(String(repeating: "\u{1}", count: 40))
        let first = try await ann.push(create(1, ["title": text]), create(2, ["title": long]))
        #expect(first.map(\.outcome) == [.accepted, .refused])
        #expect(first[1].causes?.map(\.code) == ["recordTooLarge"])
        #expect(first[1].causes?.map(\.argument) == ["200"])
        #expect(first[1].causes?.map(\.field) == ["title"])
        let grown = try await ann.push(
            update(1, id: "a", base: 1, ["title": long]),
            update(1, id: "b", base: 1, ["score": 2]))
        #expect(grown.map(\.outcome) == [.refused, .accepted])
        #expect(grown[0].causes?.map(\.code) == ["recordTooLarge"])
        #expect(grown[0].causes?.map(\.field) == ["title"])
    }

    @Test func recordOfEarlierVersionsMayBecomeSmaller() async throws {
        let bench = try await bench { _ in }
        let ann = bench.person("ann")
        _ = try await ann.push(create(1, ["title": .string(String(repeating: "a", count: 100))]))
        var limits = Limits()
        (limits.recordBytes, limits.smallChangeBytes) = (50, 0)
        let state = try #require(try await bench.store.environment(named: "test"))
        let small = Engine(
            rules: bench.engine.rules, formerly: [], environment: state, store: bench.store,
            seal: bench.engine.seal, limits: limits)
        let changes = [101, 99].map { count in
            update(
                1, id: "\(count)", base: 1,
                ["title": .string(String(repeating: "a", count: count))])
        }
        let outcomes = try await ann.sync(changes, with: small).outcomes
        #expect(outcomes.map(\.outcome) == [.refused, .accepted])
    }

    @Test func oldDevicesAreForgotten() async throws {
        let bench = try await bench { $0.deviceSeconds = 100 }
        try await bench.accounts.add(
            login: "anna", group: "users", mail: "", isAdmin: false, passwordHash: "right")
        let token = NewToken(text: "", hash: [1])
        _ = try await bench.accountEngine.signIn(
            Credentials(
                login: "anna", password: "right", deviceCategory: "mobile",
                deviceIdentifier: "phone"),
            token: token, at: Instant(milliseconds: 0), verify: { $0 == $1 })
        try await bench.accountEngine.signOut(tokenHash: token.hash)
        let end = Instant(milliseconds: 100_000)
        #expect(try await bench.accountEngine.forgetDevices(at: end) == 0)
        #expect(try await bench.accountEngine.forgetDevices(at: end.adding(seconds: 1)) == 1)
    }
}
