import SyncEngine
import TestKit
import Testing

@Suite("A store keeps changes of ownership")
struct OwnershipTests {
    private func record(_ owner: String, _ group: String, revision: Int64) -> StoredRecord {
        StoredRecord(
            guid: "g", model: "Note", owner: owner, group: group, revision: revision,
            isDeleted: false, isConflicted: false, fieldsText: "{}")
    }

    /// Created with sequence 2, changed by 3 to 6: the owner by 4, the group by 6.
    private func filled(_ kind: StoreKind) async throws -> (StoreBench, EnvironmentID) {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        try await bench.store.write(WriteSet(records: [.test("first")]), in: environment)
        for (index, (owner, group)) in [
            ("a", "x"), ("a", "x"), ("b", "x"), ("b", "x"), ("b", "y"),
        ].enumerated() {
            try await bench.store.write(
                WriteSet(records: [record(owner, group, revision: Int64(index + 1))]),
                in: environment)
        }
        return (bench, environment)
    }

    private static let ownershipChanges = [
        OwnershipChange(sequence: 4, revision: 3, owner: "a", group: "x"),
        OwnershipChange(sequence: 6, revision: 5, owner: "b", group: "x"),
    ]

    /// The record is among the read ones, or is not.
    @Test(arguments: stores, [["g"], []])
    func recordWrittenTwiceAtOnceMovesTwice(
        _ kind: StoreKind, reading guids: [String]
    ) async throws {
        let (bench, environment) = try await filled(kind)
        try await bench.store.write(
            WriteSet(records: [
                record("a", "y", revision: 6), record("a", "y", revision: 7),
                record("b", "y", revision: 8),
            ]),
            in: environment, reading: guids)
        let request = HistoryRequest(
            environment: environment, guid: "g", before: nil, limit: 9, maxBytes: 999)
        let history = try #require(try await bench.store.history(request))
        #expect(
            history.ownershipChanges == Self.ownershipChanges + [
                OwnershipChange(sequence: 7, revision: 6, owner: "b", group: "y"),
                OwnershipChange(sequence: 9, revision: 8, owner: "a", group: "y"),
            ])
    }

    @Test(arguments: stores, [(0, 2), (3, 2), (4, 1), (5, 1), (6, 0)] as [(Int64, Int)])
    func pageTellsMovesSince(
        _ kind: StoreKind, known: (sequence: Int64, ownershipChanges: Int)
    ) async throws {
        let (bench, environment) = try await filled(kind)
        let page = try await bench.store.page(
            PageRequest(
                environment: environment, afterSequence: 0, limit: 9, maxScanned: 9, maxBytes: 999,
                skipsDeleted: false, knownSequence: known.sequence))
        #expect(page.records.map(\.guid) == ["first", "g"])
        #expect(page.pasts[0] == RecordPast(created: 1, lastChanged: 1, ownershipChanges: []))
        #expect(
            page.pasts[1]
                == RecordPast(
                    created: 2, lastChanged: 6,
                    ownershipChanges: Self.ownershipChanges.suffix(known.ownershipChanges)))
    }

    @Test(arguments: stores) func historyTellsAllOfThem(_ kind: StoreKind) async throws {
        let (bench, environment) = try await filled(kind)
        let request = HistoryRequest(
            environment: environment, guid: "g", before: nil, limit: 9, maxBytes: 999)
        let history = try #require(try await bench.store.history(request))
        #expect(history.ownershipChanges == Self.ownershipChanges && history.record.owner == "b")
    }

    /// Canonically equivalent logins are two owners.
    @Test(arguments: stores) func ownersAreTheirBytes(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        for (index, owner) in ["\u{E9}", "e\u{301}"].enumerated() {
            try await bench.store.write(
                WriteSet(records: [record(owner, "x", revision: Int64(index + 1))]),
                in: environment)
        }
        let ownershipChanges = try await bench.store.page(in: environment).pasts.first?
            .ownershipChanges
        #expect(ownershipChanges?.count == 1)
        #expect(ownershipChanges?.first?.owner.utf8.elementsEqual("\u{E9}".utf8) == true)
    }
}
