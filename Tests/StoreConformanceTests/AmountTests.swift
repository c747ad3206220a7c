import DefinitionModel
import Notifications
import SyncEngine
import TestKit
import Testing
import UserAccounts

extension StoredAmount {
    static let plenty = StoredAmount(rows: 1000, bytes: 1 << 20)
}

/// Data that one user makes grow is counted in rows and bytes.
@Suite("Amounts")
struct AmountTests {
    private let ann = DeviceKey(login: "ann", deviceIdentifier: "phone")
    private let annsTablet = DeviceKey(login: "ann", deviceIdentifier: "tablet")
    private let ben = DeviceKey(login: "ben", deviceIdentifier: "phone")

    private func amounts(
        _ bench: StoreBench, _ environment: EnvironmentID, of device: DeviceKey,
        upTo rows: Int? = 100, includingExpiring: Bool = false, reading guid: String? = nil
    ) async throws -> Facts {
        var need = ReadSet(
            environment: environment, device: device, changeIDs: [],
            guids: guid.map { [$0] } ?? [], baseRevisions: guid.map { [$0: 1] } ?? [:])
        need.countsOutcomesUpTo = rows
        need.countsExpiringOutcomes = includingExpiring
        need.countsDisputesUpTo = rows
        return try await bench.store.commit(need) { _ in
            []
        } deciding: { facts throws(StoreError) in
            (WriteSet(), facts)
        }
    }

    @Test(arguments: stores)
    func outcomesAreCountedOfDeviceAndItsUser(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        let other = try await bench.store.environment("other")
        for (device, environment, count) in [
            (ann, environment, 2), (annsTablet, environment, 3), (ben, environment, 4),
            (ann, other, 5),
        ] {
            var writes = WriteSet()
            // Seven bytes, in six characters.
            writes.outcomes = (0..<count).map { StoredOutcome(changeID: "\($0)", text: "{ö: 1}") }
            try await bench.store.write(writes, in: environment, device: device)
        }
        let none = try await amounts(bench, environment, of: ann, upTo: nil)
        #expect(none.outcomeAmounts == nil)
        let all = try await amounts(bench, environment, of: ann).outcomeAmounts
        #expect(
            all
                == OutcomeAmounts(ofDevices: [
                    ByteKey("phone"): StoredAmount(rows: 2, bytes: 14),
                    ByteKey("tablet"): StoredAmount(rows: 3, bytes: 21),
                ]))
        #expect(all?.ofUser == StoredAmount(rows: 5, bytes: 35))
        let few = try await amounts(bench, environment, of: ann, upTo: 4).outcomeAmounts
        #expect(few?.ofUser == StoredAmount(rows: 4, bytes: 28))
        let unknown = DeviceKey(login: "nobody", deviceIdentifier: "phone")
        #expect(
            try await amounts(bench, environment, of: unknown).outcomeAmounts
                == OutcomeAmounts())
    }

    /// A transaction carries pushes of several devices, of one user or of several.
    @Test(arguments: stores)
    func outcomesOfManyDevicesAreCountedAtOnce(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        for (device, count) in [(ann, 2), (annsTablet, 3), (ben, 4)] {
            var writes = WriteSet()
            writes.outcomes = (0..<count).map { StoredOutcome(changeID: "\($0)", text: "{}") }
            try await bench.store.write(writes, in: environment, device: device)
        }
        let unknown = DeviceKey(login: "nobody", deviceIdentifier: "phone")
        let annsNew = DeviceKey(login: "ann", deviceIdentifier: "watch")
        let asked = [
            (ann, 100), (ben, 100), (annsTablet, 100), (unknown, 100), (annsNew, 100), (ben, 3),
        ]
        let counted = CallValue<[OutcomeAmounts]>()
        _ = try await bench.store.commit(in: environment) { transaction in
            var read = BatchRead()
            read.outcomeAmounts = asked.map {
                OutcomeQuestion(of: $0.0.login, upTo: $0.1, includingExpiring: false)
            }
            counted.set(try transaction.read(read).outcomeAmounts)
            return DecidedCalls()
        }
        let rows = try zip(asked, counted.get()).map { [$1.ofDevice($0.0).rows, $1.ofUser.rows] }
        #expect(rows == [[2, 5], [4, 4], [3, 5], [0, 0], [0, 5], [3, 3]])
    }

    /// Clients that acknowledge nothing take no room of those that do.
    @Test(arguments: stores)
    func expiringOutcomesCountOnlyWhereAskedFor(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        for (device, ids, time) in [
            (ann, ["a"], nil), (annsTablet, ["b", "c"], Instant(milliseconds: 1000)),
        ] {
            var writes = WriteSet()
            writes.outcomes = ids.map { StoredOutcome(changeID: $0, text: "{}") }
            writes.outcomesExpireAt = time
            try await bench.store.write(writes, in: environment, device: device)
        }
        let waiting = try await amounts(bench, environment, of: ann)
        #expect(waiting.outcomeAmounts?.ofUser == StoredAmount(rows: 1, bytes: 2))
        let all = try await amounts(bench, environment, of: ann, includingExpiring: true)
        #expect(all.outcomeAmounts?.ofUser == StoredAmount(rows: 3, bytes: 6))
        // A transaction carries pushes of both kinds.
        let counted = CallValue<[OutcomeAmounts]>()
        _ = try await bench.store.commit(in: environment) { transaction in
            var read = BatchRead()
            read.outcomeAmounts = [false, true, false].map {
                OutcomeQuestion(of: "ann", upTo: 100, includingExpiring: $0)
            }
            counted.set(try transaction.read(read).outcomeAmounts)
            return DecidedCalls()
        }
        #expect(try counted.get().map(\.ofUser.rows) == [1, 3, 1])
    }

    /// The outcome of a change without a history entry is kept for a while.
    @Test(arguments: stores)
    func acknowledgedOutcomesDoNotCount(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        var writes = WriteSet()
        writes.outcomes = ["a", "b"].map {
            StoredOutcome(changeID: $0, text: "{}", isTraceless: true)
        }
        try await bench.store.write(writes, in: environment, device: ann)
        var acknowledging = WriteSet()
        acknowledging.acknowledged = ["a"]
        acknowledging.tracelessExpireAt = Instant(milliseconds: 1000)
        try await bench.store.write(acknowledging, in: environment, device: ann)
        let stored = try await amounts(bench, environment, of: ann).outcomeAmounts
        #expect(stored?.ofDevice(ann) == StoredAmount(rows: 1, bytes: 2))
    }

    @Test(arguments: stores)
    func openConflictsAreCountedOfTheirAuthor(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        var writes = WriteSet(records: [
            .test("g", revision: 2, conflicted: true), .test("h", revision: 2),
        ])
        writes.history = [.test("g", revision: 2), .test("h", revision: 2)]
        try await bench.store.write(writes, in: environment)
        for (guid, revision, device) in [
            ("g", 2, ann), ("g", 3, annsTablet), ("g", 4, ben), ("h", 2, ann),
        ] as [(String, Int64, DeviceKey)] {
            var writes = WriteSet()
            writes.openedConflicts = [
                StoredConflict(guid: guid, revision: revision, device: device, text: "ö")
            ]
            try await bench.store.write(writes, in: environment, device: device)
        }
        var closing = WriteSet()
        closing.closedConflicts = ["h"]
        try await bench.store.write(closing, in: environment)
        let stale = try await amounts(bench, environment, of: ann, reading: "h")
        #expect(stale.disputes == StoredAmount(rows: 2, bytes: 4))
        let few = try await amounts(bench, environment, of: ann, upTo: 1, reading: "h")
        #expect(few.disputes == StoredAmount(rows: 1, bytes: 2))
        let disputed = try await amounts(bench, environment, of: ann, reading: "g")
        #expect(disputed.openConflicts == ["g": StoredAmount(rows: 3, bytes: 6)])
        // Nothing that the device does not know: no conflict can be opened.
        #expect(try await amounts(bench, environment, of: ann).disputes == nil)
    }

    @Test(arguments: stores)
    func senderLeavesOnlySoManyNotifications(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        func add(_ id: String, of sender: String, _ max: StoredAmount) async throws -> Bool {
            let notification = NewNotification(
                id: id, sender: sender, at: Instant(milliseconds: 1), audience: .everyone,
                body: "{ö: 1}")
            let admission = try await bench.store.add(
                notification, in: environment, windowSeconds: 60, keeping: max
            ) { _ in 0 }
            return admission != .full
        }
        let three = StoredAmount(rows: 3, bytes: 1000)
        for id in ["1", "2", "3"] { #expect(try await add(id, of: "ann", three)) }
        #expect(try await !add("4", of: "ann", three))
        // A repeated one is recognised.
        #expect(try await add("3", of: "ann", three))
        #expect(try await add("4", of: "ben", three))
        #expect(try await !add("4", of: "ann", StoredAmount(rows: 9, bytes: 21)))
        #expect(try await add("4", of: "ann", StoredAmount(rows: 9, bytes: 22)))
    }
}
