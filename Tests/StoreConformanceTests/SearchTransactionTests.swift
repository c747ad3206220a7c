import DefinitionModel
import SyncEngine
import TestKit
import Testing

/// Notes of several owners and groups. Guids descend, so their order differs from that of creation.
private struct SearchBench {
    let bench: StoreBench
    let environment: EnvironmentID

    /// Owner and group, in the order of creation. `E\u{301}` is equal to `\u{C9}` only to Swift.
    static let ownerships = [
        ("b", "y"), ("a", "x"), ("b", "x"), ("", "x"), ("a", "x"), ("\u{C9}", "x"), ("c", ""),
        ("E\u{301}", "x"), ("b", "x"), ("a", "y"), ("b", "x"), ("", "x"),
    ]
    static let target = "target"

    init(_ kind: StoreKind) async throws {
        bench = try await kind.open()
        environment = try await bench.store.environment()
        let other = try await bench.store.environment("other")
        for environment in [other, environment] { try await fill(environment) }
        try await bench.store.write(
            WriteSet(records: [.test("one too many")]), in: other)
    }

    private func fill(_ environment: EnvironmentID) async throws {
        var records = Self.ownerships.enumerated().map { number, ownership in
            Self.note(number, of: ownership)
        }
        for number in 0..<3 {
            var page = Self.note(50 + number, of: ("a", "x"))
            page.model = "Page"
            records.append(page)
        }
        for number in 20..<28 {
            var tombstone = Self.note(number, of: ("a", "x"))
            tombstone.isDeleted = true
            tombstone.isConflicted = number % 2 == 0
            records.append(tombstone)
        }
        var writes = WriteSet(records: records)
        writes.links = (0..<7).map { RecordLink(source: Self.guid($0), target: Self.target) }
        writes.formerLinks = [RecordLink(source: Self.guid(20), target: Self.target)]
        writes.openedConflicts = [5, 3].map {
            StoredConflict(guid: Self.guid(20), revision: $0, device: .test, text: "{}")
        }
        writes.takenValues = [
            UniqueHolding(
                value: UniqueValue(model: "Note", field: "code", text: "1\u{0}"), guid: "holder")
        ]
        try await bench.store.write(writes, in: environment)
    }

    static func guid(_ number: Int) -> String { "\(99 - number)" }

    private static func note(_ number: Int, of ownership: (String, String)) -> StoredRecord {
        StoredRecord(
            guid: guid(number), model: "Note", owner: ownership.0, group: ownership.1,
            revision: 1, isDeleted: false, isConflicted: false, fieldsText: "{}")
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any SearchTransaction) throws -> Value
    ) async throws -> Value {
        try await bench.store.search(in: environment, readingNames: true, body)
    }

    /// The guids of the first records of a run.
    func texts(of run: RecordRun, upTo count: Int) async throws -> [String] {
        try await read { transaction in
            var guids: [String] = []
            try transaction.forEachText(in: run) { text in
                guids.append(String(decoding: text.guid, as: UTF8.self))
                return guids.count < count
            }
            return guids
        }
    }

    /// The guids of a list that is read in batches. Each record has two bytes of fields.
    func guids(
        inBatchesOf limit: ReadLimit,
        _ next: @escaping @Sendable (any SearchTransaction, FoundRecord?) throws -> [FoundRecord]
    ) async throws -> [String] {
        try await read { transaction in
            var guids: [String] = []
            var last: FoundRecord?
            while true {
                let found = try next(transaction, last)
                guids += found.map(\.record.guid)
                #expect(found.count <= min(limit.rows, (limit.bytes + 1) / 2))
                guard limit.isReached(by: found) else { return guids }
                last = found.last
            }
        }
    }
}

private let limits = [
    ReadLimit(rows: 1, bytes: 99), ReadLimit(rows: 2, bytes: 99), ReadLimit(rows: 5, bytes: 99),
    ReadLimit(rows: 100, bytes: 99), ReadLimit(rows: 100, bytes: 1), ReadLimit(rows: 100, bytes: 3),
    ReadLimit(rows: 2, bytes: 5), ReadLimit(rows: 100, bytes: 4),
]

@Suite("Every store reads in batches for a search")
struct SearchTransactionTests {
    @Test(arguments: stores)
    func groupsComeInOrder(_ kind: StoreKind) async throws {
        let bench = try await SearchBench(kind)
        let groups = try await bench.read { transaction in
            var groups = [try transaction.nextGroup(of: "Note", after: nil)]
            while let last = groups[groups.count - 1] {
                groups.append(try transaction.nextGroup(of: "Note", after: last))
            }
            return groups
        }
        #expect(groups == ["", "x", "y", nil])
        #expect(try await bench.read { try $0.nextGroup(of: "Page", after: "w") } == "x")
        #expect(try await bench.read { try $0.nextGroup(of: "note", after: nil) } == nil)
    }

    @Test(arguments: stores)
    func modelsAndNamesAreReadTogether(_ kind: StoreKind) async throws {
        let bench = try await SearchBench(kind)
        var writes = WriteSet()
        writes.names = [RecordName(guid: SearchBench.guid(0), name: "first")]
        try await bench.bench.store.write(writes, in: bench.environment)
        let guids = [SearchBench.guid(0), SearchBench.guid(50), "none"]
        let (models, names) = try await bench.read { transaction in
            (try transaction.models(guids), try transaction.names(guids))
        }
        #expect(models == ["Note", "Page", nil])
        #expect(names == ["first", nil, nil])
    }

    /// Owners are those of group `x`; numbers are the expected notes. Those from 20 are deleted.
    @Test(
        arguments: stores,
        [
            (.everybody, [3, 11, 7, 1, 4, 20, 22, 24, 26, 2, 8, 10, 5]),
            (.allBut("a"), [3, 11, 7, 2, 8, 10, 5]), (.only("b"), [2, 8, 10]),
            (.only("\u{C9}"), [5]), (.only("nobody"), []),
        ] as [(RecordRun.Owners, [Int])])
    func runComesByOwnerAndCreation(
        _ kind: StoreKind, run: (owners: RecordRun.Owners, numbers: [Int])
    ) async throws {
        let bench = try await SearchBench(kind)
        let owner = if case .only(let login) = run.owners { login } else { "" }
        let start = RecordRun.Start(owner: owner, created: 0, guid: "")
        let whole = RecordRun(model: "Note", group: "x", owners: run.owners, start: start)
        for limit in limits {
            let guids = try await bench.guids(inBatchesOf: limit) { transaction, last in
                var rest = whole
                if let last { rest.start = RecordRun.Start(after: last) }
                return try transaction.records(in: rest, atMost: limit)
            }
            #expect(guids == run.numbers.map(SearchBench.guid))
            let counted = try await bench.read { try $0.recordCount(in: whole, upTo: limit.rows) }
            #expect(counted == min(limit.rows, run.numbers.count))
            let first = Array(run.numbers.map(SearchBench.guid).prefix(limit.rows))
            #expect(try await bench.texts(of: whole, upTo: limit.rows) == first)
            let (places, found) = try await bench.read { transaction in
                let places = try transaction.places(in: [(whole, limit.rows), (whole, 1)])
                return (places, try transaction.records(in: whole, atMost: .none))
            }
            #expect(places[0] == found.prefix(limit.rows).map(RecordRun.Start.init(after:)))
            #expect(places[1] == Array(places[0].prefix(1)))
        }
    }

    @Test(arguments: stores)
    func ownersComeOnce(_ kind: StoreKind) async throws {
        let bench = try await SearchBench(kind)
        let owners = ["", "a", "b", "E\u{301}", "\u{C9}"].sorted { ByteKey($0) < ByteKey($1) }
        for count in [1, 3, 5, 9] {
            for (group, run, expected) in [
                ("x", .everybody, owners), ("x", .allBut("a"), owners.filter { $0 != "a" }),
                ("z", .everybody, []),
            ] as [(String, RecordRun.Owners, [String])] {
                let run = RecordRun(model: "Note", group: group, owners: run, start: .beginning())
                let found = try await bench.read { try $0.owners(in: run, atMost: count) }
                #expect(found.map(ByteKey.init) == expected.prefix(count).map(ByteKey.init))
            }
        }
    }

    /// More than a store reads at once, with what the records have.
    @Test(arguments: stores)
    func textsAreThoseOfRecords(_ kind: StoreKind) async throws {
        let bench = try await SearchBench(kind)
        let records = (0..<5000).map { number in
            StoredRecord(
                guid: "\(100_000 - number)", model: "Leaf", owner: number % 2 == 0 ? "a" : "b\u{1}",
                group: "x", revision: 1, isDeleted: number % 3 == 0, isConflicted: number % 3 == 0,
                fieldsText: #"{"number":\#(number)}"#)
        }
        try await bench.bench.store.write(WriteSet(records: records), in: bench.environment)
        let run = RecordRun(model: "Leaf", group: "x", owners: .everybody, start: .beginning())
        let (texts, found) = try await bench.read { transaction in
            var texts: [String] = []
            try transaction.forEachText(in: run) { text in
                let parts = [text.guid, text.fields].map { String(decoding: $0, as: UTF8.self) }
                texts.append("\(parts) \(text.created) \(text.isDeleted)")
                return true
            }
            return (texts, try transaction.records(in: run, atMost: .none))
        }
        #expect(texts.count == records.count)
        #expect(
            texts
                == found.map {
                    "\([$0.record.guid, $0.record.fieldsText]) \($0.created) \($0.record.isDeleted)"
                })
    }

    @Test(arguments: stores, limits)
    func listsAreReadToTheEnd(_ kind: StoreKind, limit: ReadLimit) async throws {
        let bench = try await SearchBench(kind)
        let sources = try await bench.guids(inBatchesOf: limit) {
            try $0.records(naming: SearchBench.target, after: $1?.record.guid, atMost: limit)
        }
        #expect(sources.sorted() == [20, 6, 5, 4, 3, 2, 1, 0].map(SearchBench.guid))
        let links = try await bench.read {
            try $0.linkCount(to: SearchBench.target, upTo: limit.rows)
        }
        #expect(links == min(limit.rows, 8))
        let disputed = try await bench.guids(inBatchesOf: limit) {
            try $0.disputedTombstones(of: "Note", after: $1?.record.guid, atMost: limit)
        }
        #expect(disputed.sorted() == [26, 24, 22, 20].map(SearchBench.guid))
        let changed = try await bench.guids(inBatchesOf: limit) {
            try $0.records(
                of: "Page", changedAfter: $1?.change.sequence ?? 0, atMost: limit)
        }
        #expect(changed.sorted() == [52, 51, 50].map(SearchBench.guid))
    }

    @Test(arguments: stores)
    func listHasOneElementForEachGuid(_ kind: StoreKind) async throws {
        let bench = try await SearchBench(kind)
        let guids = [20, 70, 0, 20, 51].map(SearchBench.guid)
        let found = try await bench.read { try $0.records(guids) }
        #expect(found.map { $0?.record.guid } == [guids[0], nil, guids[2], guids[0], guids[4]])
        #expect(found[0]?.record.isConflicted == true)
        for (maxBytes, count) in [(1, 1), (2, 1), (3, 3), (4, 3), (5, 4), (7, 5), (99, 5)] {
            let first = try await bench.read { try $0.records(guids, maxBytes: maxBytes) }
            #expect(first.map { $0?.record.guid } == found.prefix(count).map { $0?.record.guid })
        }
        let conflicts = try await bench.read { try $0.openConflicts(of: guids) }
        #expect(conflicts.map { $0.map(\.revision) } == [[3, 5], [], [], [3, 5], []])
        let values = ["2", "1\u{0}", "1"].map {
            UniqueValue(model: "Note", field: "code", text: $0)
        }
        #expect(try await bench.read { try $0.holders(of: values) } == ["holder"])
    }
}
