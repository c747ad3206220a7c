import ChangeRules
import SyncEngine
import TestKit
import Testing
import UserAccounts
import WholeRecordSync

private let phone = DeviceKey(login: "a", deviceIdentifier: "phone")
private let tablet = DeviceKey(login: "a", deviceIdentifier: "tablet")

@Suite("A store keeps the progress of devices")
struct TicketStoreTests {
    private func filled(_ kind: StoreKind) async throws -> (StoreBench, EnvironmentID) {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        try await change(.write(user("a"), endingSessions: false), in: environment, bench)
        return (bench, environment)
    }

    private func user(_ login: String) -> User {
        User(login: login, group: "users", mail: "", isAdmin: false, passwordHash: "h")
    }

    private func change(
        _ change: UserChange, in environment: EnvironmentID, _ bench: StoreBench
    ) async throws {
        let refusal: AccountError? = try await bench.store.changeUser("a", in: environment) { _ in
            .success(change)
        }
        #expect(refusal == nil)
    }

    private func progress(
        of device: DeviceKey, in environment: EnvironmentID, _ bench: StoreBench,
        writing next: DeviceProgress? = nil
    ) async throws -> DeviceProgress? {
        try await bench.store.changeProgress(of: device, in: environment) { (next, $0) }
    }

    private static let full = SyncRejection.listFull(
        records: 3, count: 2,
        first: [UnkeptRefusal(model: "Note", guid: "g\u{0}", causes: [Cause(.empty)])])

    private static let samples = [
        DeviceProgress(),
        DeviceProgress(confirmed: "c", holdsRecords: true),
        DeviceProgress(
            confirmed: "c",
            ticket: SyncTicket(text: "t", startsOver: true, rejection: nil, deliveries: 3)),
        DeviceProgress(
            holdsRecords: true,
            ticket: SyncTicket(
                text: "t", startsOver: false, rejection: full, deliveries: 1, delivered: "d")),
        DeviceProgress(
            ticket: SyncTicket(text: "t", startsOver: false, rejection: nil),
            formerTicket: SyncTicket(
                text: "s", startsOver: true, rejection: .recorded("no\u{0}"), deliveries: 2,
                delivered: "d"),
            owedRecords: ["g": "", "h": "s"]),
    ]

    @Test(arguments: stores, samples)
    func writtenProgressIsReadBack(_ kind: StoreKind, sample: DeviceProgress) async throws {
        let (bench, environment) = try await filled(kind)
        let other = try await bench.store.environment("other")
        #expect(try await progress(of: phone, in: environment, bench, writing: sample) == nil)
        #expect(try await progress(of: phone, in: environment, bench) == sample)
        #expect(try await progress(of: tablet, in: environment, bench) == nil)
        #expect(try await progress(of: phone, in: other, bench) == nil)
        let next = Self.samples[0]
        #expect(try await progress(of: phone, in: environment, bench, writing: next) == sample)
        #expect(try await progress(of: phone, in: environment, bench) == next)
    }

    @Test(arguments: stores) func ticketIsRemovedWithItsUser(_ kind: StoreKind) async throws {
        let (bench, environment) = try await filled(kind)
        _ = try await progress(of: phone, in: environment, bench, writing: Self.samples[1])
        try await change(.write(user("a"), endingSessions: true), in: environment, bench)
        #expect(try await progress(of: phone, in: environment, bench) == Self.samples[1])
        try await change(.remove, in: environment, bench)
        try await change(.write(user("a"), endingSessions: false), in: environment, bench)
        #expect(try await progress(of: phone, in: environment, bench) == nil)
    }

    @Test(arguments: stores) func unknownUsersHaveNoProgress(_ kind: StoreKind) async throws {
        let (bench, environment) = try await filled(kind)
        let nobody = DeviceKey(login: "b", deviceIdentifier: "phone")
        _ = try await progress(of: nobody, in: environment, bench, writing: Self.samples[1])
        #expect(try await progress(of: nobody, in: environment, bench) == nil)
    }
}

@Suite("A store reads the history of records after a sequence")
struct UnconfirmedTests {
    private func facts(
        since sequence: Int64, for device: DeviceKey = phone, in environment: EnvironmentID,
        _ bench: StoreBench
    ) async throws -> Facts {
        let need = ReadSet(
            environment: environment, device: device, changeIDs: [], guids: ["g", "none"],
            baseRevisions: [:], historySince: sequence)
        return try await bench.store.commit(need) { _ in
            []
        } deciding: { facts throws(StoreError) in
            (WriteSet(), facts)
        }
    }

    /// Created with sequence 1, updated with 2; then an edit is discarded, which changes nothing.
    @Test(
        arguments: stores,
        [
            (0, [.created, .updated, .discarded]), (1, [.updated, .discarded]), (2, []),
        ] as [(Int64, [HistoryEntry.Kind])])
    func discardedEditBelongsToTheLastChange(
        _ kind: StoreKind, since: (sequence: Int64, kinds: [HistoryEntry.Kind])
    ) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        for (revision, kind) in [(1, .created), (2, .updated)] as [(Int64, HistoryEntry.Kind)] {
            var writes = WriteSet(records: [.test("g", revision: revision)])
            writes.history = [.test("g", revision: revision, kind: kind)]
            try await bench.store.write(writes, in: environment)
        }
        var aside = WriteSet()
        aside.history = [.test("g", revision: 2, kind: .discarded)]
        try await bench.store.write(aside, in: environment)
        let facts = try await facts(since: since.sequence, in: environment, bench)
        #expect((facts.history["g"] ?? []).map(\.kind) == since.kinds)
        #expect(
            facts.unconfirmed == [
                "g": Unconfirmed(
                    entries: since.kinds.count, firstOwnershipChange: nil, disputes: [])
            ])
        try await bench.store.write(WriteSet(records: [.test("other")]), in: environment)
        let later = try await self.facts(since: 3, in: environment, bench)
        #expect(later.history == [:])
    }

    @Test(arguments: stores) func conflictedRecordsHaveFullHistory(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        var writes = WriteSet(records: [.test("g", conflicted: true)])
        writes.history = [.test("g", revision: 1, kind: .created)]
        let conflicts = [(2, phone), (3, tablet), (4, phone)].map { revision, device in
            StoredConflict(guid: "g", revision: revision, device: device, text: "{}")
        }
        writes.openedConflicts = conflicts
        try await bench.store.write(writes, in: environment)
        let facts = try await facts(since: 1, in: environment, bench)
        #expect(facts.history["g"]?.count == 1)
        #expect(
            facts.unconfirmed["g"]
                == Unconfirmed(
                    entries: 0, firstOwnershipChange: nil, disputes: [conflicts[0], conflicts[2]]))
    }

    @Test(arguments: stores, [(1, "a"), (2, "b"), (3, nil)] as [(Int64, String?)])
    func firstMoveIsThatAfterIt(
        _ kind: StoreKind, since: (sequence: Int64, owner: String?)
    ) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        for (revision, owner) in [(1, "a"), (2, "b"), (3, "c")] as [(Int64, String)] {
            var record = StoredRecord.test("g", revision: revision)
            record.owner = owner
            try await bench.store.write(WriteSet(records: [record]), in: environment)
        }
        let facts = try await facts(since: since.sequence, in: environment, bench)
        #expect(facts.unconfirmed["g"]?.firstOwnershipChange?.owner == since.owner)
    }

    @Test(arguments: stores) func historyIsReadOnlyOnRequest(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        try await bench.store.write(WriteSet(records: [.test("g")]), in: environment)
        #expect(try await bench.store.facts(in: environment, guids: ["g"]).unconfirmed == [:])
    }
}
