import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SyncEngine
import SyncProtocol
import Testing

@Suite("A conflict has a base and two sides")
struct ConflictSidesTests {
    private func conflict(
        _ bench: TestBench, _ changes: [(login: String, change: ChangeMessage)]
    ) async throws -> ConflictMessage {
        for (number, (login, change)) in changes.enumerated() {
            _ = try await bench.person(login).sync([change], at: Int64(number + 1) * 1000)
        }
        return try #require(try await bench.person("a").record(guid(1))?.conflicts?.last)
    }

    @Test func baseIsStateThatTheLaterClientHadSeen() async throws {
        let conflict = try await conflict(
            try await TestBench(Documents.notes()),
            [
                ("a", create(1, ["title": "one"])),
                ("a", update(1, id: "1", base: 1, ["title": "two"])),
                ("a", update(1, id: "2", base: 2, ["title": "three", "score": 3])),
                ("a", update(1, id: "3", base: 3, ["title": "four"])),
                ("b", update(1, id: "1", base: 2, ["title": "b", "secret": "b"])),
            ])
        #expect(conflict.baseRevision == 2)
        #expect(conflict.base.fields == ["title": "two", "secret": .null])
        #expect(conflict.theirs.fields == ["title": "four", "secret": .null])
    }

    /// A losing change did not change the record, so the next conflict is with the change before
    /// it.
    @Test func changeThatLostIsNobodysSide() async throws {
        let conflict = try await conflict(
            try await TestBench(Documents.notes()),
            [
                ("a", create(1, ["title": "old"])),
                ("a", update(1, id: "1", base: 1, ["title": "new"])),
                ("b", update(1, id: "1", base: 1, ["score": 3])),
                ("c", delete(1, id: "1", base: 1)),
            ])
        #expect(conflict.revision == 4)
        #expect(conflict.mine.login == "c")
        #expect(conflict.theirs.login == "a" && conflict.theirs.at == 2000)
        #expect(conflict.base.fields == ["title": "old"])
    }

    /// The conflict is with `b` only: earlier changes from the same device were known.
    @Test func changesOfTheSameDeviceArePartOfBase() async throws {
        let conflict = try await conflict(
            try await TestBench(Documents.notes()),
            [
                ("a", create(1, ["title": "old"])),
                ("a", update(1, id: "1", base: 1, ["title": "own"])),
                ("b", update(1, id: "1", base: 2, ["score": 2])),
                ("a", update(1, id: "2", base: 1, ["title": "new", "score": 3])),
            ])
        #expect(conflict.base.fields == ["title": "own", "score": 1])
        #expect(conflict.theirs.fields == ["title": "own", "score": 2])
        #expect(conflict.theirs.login == "b")
    }

    @Test func deletedRecordDisputesFieldsOfBothSides() async throws {
        let conflict = try await conflict(
            try await TestBench(Documents.notes()),
            [
                ("a", create(1, ["title": "old"])),
                ("a", update(1, id: "1", base: 1, ["score": 2])),
                ("a", delete(1, id: "2", base: 2)),
                ("b", update(1, id: "1", base: 1, ["title": "new"])),
            ])
        #expect(
            conflict.base == ConflictSide(deleted: false, fields: ["title": "old", "score": 1]))
        #expect(
            conflict.mine
                == ConflictSide(
                    deleted: false, fields: ["title": "new"], login: "b", deviceCategory: "mobile",
                    at: 4000))
        #expect(
            conflict.theirs
                == ConflictSide(
                    deleted: true, fields: ["title": "old", "score": 2], login: "a",
                    deviceCategory: "mobile", at: 3000))
    }

    /// Deleted at revision 2, restored at revision 4. The base is deleted for an author who saw the
    /// deletion only, and not for one who saw neither.
    @Test(arguments: [(Int64(1), false), (2, true), (3, true)])
    func baseIsDeletedIfItWasThen(base: Int64, isDeleted: Bool) async throws {
        let conflict = try await conflict(
            try await TestBench(Documents.notes()),
            [
                ("a", create(1, ["title": "old"])),
                ("a", delete(1, id: "1", base: 1)),
                ("b", update(1, id: "1", base: 1, ["score": 3])),
                ("a", resolve(1, id: "2", base: 3, ["score": 3])),
                ("c", update(1, id: "1", base: base, ["score": 5])),
            ])
        #expect(conflict.base.deleted == isDeleted)
        #expect(!conflict.theirs.deleted)
        #expect(conflict.base.fields == ["score": 1])
    }

    /// The same field, another field, both, and a deletion. 'secret' is visible to the owner only.
    @Test(
        arguments: [
            (["title": "b"], nil), (["score": 3], true), (["title": "b", "score": 3], nil),
            ([:], nil),
            (["secret": "b"], true),
        ] as [([String: JSONValue], Bool?)])
    func parallelChangesAreDistinguishedFromClashingOnes(
        fields: [String: JSONValue], isParallel: Bool?
    ) async throws {
        let bench = try await TestBench(Documents.notes())
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(
            create(1, ["title": "t"]), update(1, id: "a", base: nil, ["title": "a"]))
        _ = try await b.push(
            fields.isEmpty
                ? delete(1, id: "b", base: 1) : update(1, id: "b", base: 1, fields))
        let conflict = try #require(try await a.record(guid(1))?.conflicts?.first)
        #expect(conflict.parallel == isParallel)
        let others = try #require(try await bench.person("c").record(guid(1))?.conflicts?.first)
        #expect(others.parallel == (fields["secret"] == nil ? isParallel : nil))
    }

    @Test func conflictsAreListedOldestFirst() async throws {
        let bench = try await TestBench(Documents.notes())
        _ = try await bench.person("a").push(create(1, ["title": "old"]))
        _ = try await bench.person("a").push(update(1, id: "1", base: 1, ["score": 2]))
        for (number, login) in ["d", "c", "b"].enumerated() {
            _ = try await bench.person(login).push(
                update(1, id: "1", base: 1, ["score": .integer(Int64(number) + 3)]))
        }
        let record = try #require(try await bench.person("a").record(guid(1)))
        #expect(record.conflicts?.map(\.mine.login) == ["d", "c", "b"])
        #expect(record.conflicts?.map(\.revision) == [3, 4, 5])
    }

    @Test func resolvedConflictIsNotPartOfTheNext() async throws {
        let bench = try await TestBench(Documents.notes())
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": "old"]))
        _ = try await a.push(update(1, id: "1", base: 1, ["score": 2]))
        _ = try await b.push(update(1, id: "1", base: 1, ["score": 3]))
        _ = try await a.push(resolve(1, id: "2", base: 3))
        _ = try await b.push(update(1, id: "2", base: 3, ["score": 4]))
        #expect(try await a.record(guid(1))?.conflicts?.map(\.revision) == [5])
    }

    /// Each change has its own base, in either order.
    @Test(arguments: [[Int64(2), 1], [1, 2]])
    func eachOfBatchIsMadeFromItsOwnBase(bases: [Int64]) async throws {
        let bench = try await TestBench(Documents.notes())
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": "1"]))
        _ = try await a.push(update(1, id: "1", base: 1, ["title": "2"]))
        _ = try await a.push(update(1, id: "2", base: 2, ["title": "3"]))
        _ = try await b.sync(bases.map { update(1, id: "b\($0)", base: $0, ["title": "b"]) })
        let conflicts = try await a.record(guid(1))?.conflicts
        #expect(conflicts?.map(\.baseRevision) == bases)
        #expect(conflicts?.map(\.base.fields["title"]) == bases.map { .string("\($0)") })
    }

    /// The values to choose from are included although the record is deleted.
    @Test func deletedRecordInConflictStillHasItsFields() async throws {
        let bench = try await TestBench(Documents.notes())
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": "old"]))
        _ = try await a.push(delete(1, id: "1", base: 1))
        _ = try await b.push(update(1, id: "1", base: 1, ["score": 3]))
        let record = try #require(try await b.record(guid(1)))
        #expect(record.deleted && record.conflicted)
        #expect(record.fields == ["title": "old", "score": 1])
    }

    /// The mode belongs to the definition; another definition may have another mode.
    @Test func editsDiscardedUnderAnotherModeAreNoSide() async throws {
        let bench = try await TestBench(Documents.notes(.discard))
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": "old"]))
        _ = try await a.push(update(1, id: "1", base: 1, ["title": "new"]))
        _ = try await a.push(update(1, id: "2", base: 2, ["title": "newer"]))
        _ = try await b.push(update(1, id: "1", base: 2, ["title": "lost", "score": 3]))
        let manual = try await bench.deploying(Documents.notes(.manual))
        let answer = try await b.sync([delete(1, id: "2", base: 1)], with: manual, at: 9000)
        let conflict = try #require(answer.records.first?.conflicts?.first)
        #expect(conflict.base.fields == ["title": "old"])
        #expect(conflict.theirs.fields == ["title": "newer"] && conflict.theirs.login == "a")
    }

    /// The resolution names a revision that the batch has yet to create. A client cannot know it,
    /// but may guess it.
    @Test func conflictCanBeResolvedInItsOwnBatch() async throws {
        let bench = try await TestBench(Documents.notes())
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": "old"]), create(2, ["title": "old"]))
        _ = try await a.push(
            update(1, id: "1", base: 1, ["score": 2]), update(2, id: "2", base: 1, ["score": 2]))
        let outcomes = try await b.push(
            update(2, id: "0", base: 1, ["score": 3]), update(1, id: "1", base: 1, ["score": 3]),
            resolve(1, id: "2", base: 3), update(1, id: "3", base: 1, ["score": 4]))
        #expect(outcomes.map(\.outcome) == [.conflicted, .conflicted, .accepted, .conflicted])
        #expect(try await a.record(guid(1))?.conflicts?.map(\.revision) == [5])
        #expect(try await a.record(guid(2))?.conflicts?.map(\.revision) == [3])
    }
}
