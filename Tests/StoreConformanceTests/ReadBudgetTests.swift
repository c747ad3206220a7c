import SyncEngine
import TestKit
import Testing

@Suite("A store reads no more than it is asked to")
struct ReadBudgetTests {
    /// Reads in a transaction that writes nothing.
    private func rows(
        of read: BatchRead, in bench: StoreBench, _ environment: EnvironmentID
    ) async throws -> BatchRows {
        let found = CallValue<BatchRows>()
        _ = try await bench.store.commit(in: environment) { transaction in
            found.set(try transaction.read(read))
            return DecidedCalls()
        }
        return try found.get()
    }

    /// Two records with histories of 3 and 2 entries, of 7 bytes each.
    private func filled(_ kind: StoreKind) async throws -> (StoreBench, EnvironmentID) {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        var writes = WriteSet(records: [.test("g", revision: 4), .test("h", revision: 3)])
        writes.history = [
            .test("g", revision: 2), .test("g", revision: 3), .test("g", revision: 4),
            .test("h", revision: 2), .test("h", revision: 2, kind: .discarded),
        ]
        try await bench.store.write(writes, in: environment)
        return (bench, environment)
    }

    @Test(
        arguments: stores,
        [
            (5, 35, true), (6, 36, true), (4, 35, false), (5, 34, false), (0, 0, false),
        ])
    func historyIsReadAsAWholeOrNotAtAll(
        _ kind: StoreKind, limit: (rows: Int, bytes: Int, isRead: Bool)
    ) async throws {
        let (bench, environment) = try await filled(kind)
        let question = HistoryQuestion(
            [HistoryStart("g", after: .revision(1)), HistoryStart("h", after: .revision(0))],
            limit: ReadLimit(rows: limit.rows, bytes: limit.bytes))
        var read = BatchRead()
        read.history = [question]
        let found = try await rows(of: read, in: bench, environment).history
        let revisions: [[[Int64]]?] = found.map { $0?.map { $0.map(\.revision) } }
        let expected: [[Int64]]? = limit.isRead ? [[2, 3, 4], [2, 2]] : nil
        #expect(revisions == [expected])
    }

    /// Each call has a limit of its own, also in a joined read.
    @Test(arguments: stores)
    func eachQuestionHasItsOwnLimit(_ kind: StoreKind) async throws {
        let (bench, environment) = try await filled(kind)
        var read = BatchRead()
        read.history = [2, 3].map {
            HistoryQuestion(
                [HistoryStart("g", after: .sequence(0))], limit: ReadLimit(rows: $0, bytes: 99))
        }
        let found = try await rows(of: read, in: bench, environment).history
        #expect(found.map { $0?.first?.count } == [nil, 3])
    }

    /// Also in a joined read, and whatever the place.
    @Test(arguments: stores)
    func entriesAreCountedUpToLimit(_ kind: StoreKind) async throws {
        let (bench, environment) = try await filled(kind)
        var read = BatchRead()
        read.historyCounts = [
            HistoryCountQuestion(HistoryStart("g", after: .sequence(0)), upTo: 2),
            HistoryCountQuestion(HistoryStart("g", after: .sequence(0)), upTo: 9),
            HistoryCountQuestion(HistoryStart("g", after: .revision(3)), upTo: 2),
            HistoryCountQuestion(HistoryStart("h", after: .revision(0)), upTo: 1),
        ]
        let found = try await rows(of: read, in: bench, environment).historyCounts
        #expect(found == [2, 3, 1, 1])
    }

    /// Each record has 8 bytes, and the first guid may be free. PostgreSQL sends a few records
    /// before it cuts, and sums the sizes of sixteen.
    @Test(
        arguments: stores,
        [
            (.read, 16, 1, 1), (.read, 16, 8, 1), (.read, 16, 9, 2), (.read, 16, 80, 10),
            (.read, 16, 127, 16), (.read, 16, 128, 16), (.read, 16, 999, 16),
            (.read, 1, 8, 1), (.readIfFirst, 1, 8, 1), (.left, 1, 8, 0),
            (.read, 4, 15, 2), (.readIfFirst, 4, 15, 1), (.left, 4, 15, 1),
            (.readIfFirst, 4, 16, 1), (.readIfFirst, 4, 17, 2), (.left, 4, 99, 4),
            (.readIfFirst, 16, 128, 15), (.left, 16, 128, 15), (.left, 16, 129, 16),
        ] as [(ReachingRecord, Int, Int, Int)])
    func recordsEndAtTheOneThatReachesSize(
        _ kind: StoreKind,
        limit: (reaching: ReachingRecord, asked: Int, bytes: Int, count: Int)
    ) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        let guids = (10..<26).map { "g\($0)" }
        try await bench.store.write(
            WriteSet(records: guids.map { .test($0, fieldsText: "{\"x\":10}") }), in: environment)
        for free in [[], ["free"]] {
            var read = BatchRead()
            read.records = free + guids.prefix(limit.asked)
            (read.maxRecordBytes, read.reachingRecord) = (limit.bytes, limit.reaching)
            let found = try await rows(of: read, in: bench, environment).records
            #expect(found.count == free.count + limit.count)
        }
    }

    /// Swept records, which have no size, are told from free guids before and behind others.
    @Test(arguments: stores, [ReachingRecord.read, .readIfFirst, .left])
    func sweptRecordsHaveNoSize(_ kind: StoreKind, reaching: ReachingRecord) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        for guid in ["s", "t"] {
            var writes = WriteSet(records: [.test(guid, deleted: true)])
            writes.at = Instant(milliseconds: 1)
            try await bench.store.write(writes, in: environment)
        }
        try await bench.store.write(WriteSet(records: [.test("living")]), in: environment)
        let sweep = SweepRequest(
            environment: environment, before: Instant(milliseconds: 9), limit: 9)
        #expect(try await bench.store.sweep(sweep) == SweepResult(records: 2, hasMore: false))
        var read = BatchRead()
        read.records = ["s", "living", "t"] + (0..<8).map { "free\($0)" }
        (read.maxRecordBytes, read.reachingRecord) = (999, reaching)
        let found = try await rows(of: read, in: bench, environment).records
        #expect(found.map { $0 == .purged }.prefix(4) == [true, false, true, false])
        #expect(found.dropFirst(3).allSatisfy { $0 == .free } && found.count == 11)
    }

    @Test(arguments: stores, [(3, 24, true), (2, 99, false), (9, 23, false)])
    func changesAreReadAsAWholeOrNotAtAll(
        _ kind: StoreKind, limit: (rows: Int, bytes: Int, isRead: Bool)
    ) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        try await bench.store.write(
            WriteSet(records: ["a", "b", "c", "d"].map { .test($0, fieldsText: "{\"x\":10}") }),
            in: environment)
        var read = BatchRead()
        read.changes = [
            ChangesQuestion(after: 1, limit: ReadLimit(rows: limit.rows, bytes: limit.bytes))
        ]
        let found = try await rows(of: read, in: bench, environment).changes
        let guids: [[String]?] = found.map { $0?.map(\.guid).sorted() }
        #expect(guids == [limit.isRead ? ["b", "c", "d"] : nil])
    }

    /// All records that name the target count, also those that have not changed.
    @Test(arguments: stores, [(4, 99, true), (3, 99, false), (4, 15, false)])
    func sourcesAreReadAsAWholeOrNotAtAll(
        _ kind: StoreKind, limit: (rows: Int, bytes: Int, isRead: Bool)
    ) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        let sources = ["a", "b", "c", "d"]
        var writes = WriteSet(
            records: (["t"] + sources).map { .test($0, fieldsText: "{\"x\":10}") })
        writes.links = sources.map { RecordLink(source: $0, target: "t") }
        try await bench.store.write(writes, in: environment)
        var read = BatchRead()
        read.changedSources = [
            SourceQuestion(
                naming: "t", models: ["Note"], after: 3,
                limit: ReadLimit(rows: limit.rows, bytes: limit.bytes))
        ]
        let found = try await rows(of: read, in: bench, environment).changedSources
        let guids: [[String]?] = found.map { $0?.map(\.guid).sorted() }
        #expect(guids == [limit.isRead ? ["c", "d"] : nil])
    }

    /// The bytes and the records that may be read, and the records found for each file.
    private static let limitsOfFiles: [(Int, Int, [[String]])] = [
        (0, 9, [[], []]), (1, 9, [["a"], []]), (10, 9, [["a"], []]), (11, 9, [["a", "b"], []]),
        (21, 9, [["a", "b", "c"], []]), (50, 9, [["a", "b", "c"], []]),
        (51, 9, [["a", "b", "c"], ["d"]]), (999, 9, [["a", "b", "c"], ["d", "e"]]),
        (999, 1, [["a"], ["d"]]), (31, 2, [["a", "b"], ["d", "e"]]),
    ]

    /// The bytes are those of all files together, with the sides of open conflicts: records of 10,
    /// 10 and 30 bytes name the one, and others of 10 bytes the other.
    @Test(arguments: stores, ReadBudgetTests.limitsOfFiles)
    func recordsNamingFilesEndWithTheOneThatReachesSize(
        _ kind: StoreKind, limit: (bytes: Int, records: Int, found: [[String]])
    ) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        var writes = WriteSet(
            records: ["a", "b", "c", "d", "e"].map {
                .test($0, conflicted: $0 == "c", fieldsText: "{\"x\":1000}")
            })
        writes.links = [("a", "f"), ("b", "f"), ("c", "f"), ("d", "g"), ("e", "g")].map {
            RecordLink(source: $0, target: $1)
        }
        writes.openedConflicts = [
            StoredConflict(guid: "c", revision: 1, text: "{\"y\":10000000000000}")
        ]
        try await bench.store.write(writes, in: environment)
        var read = BatchRead()
        read.recordsNamingFiles = ["a", "nobody"].map { login in
            NamingQuestion(
                of: ["f", "g"], to: login, group: "",
                limit: NamingLimit(links: 99, records: limit.records, bytes: limit.bytes))
        }
        let found = try await rows(of: read, in: bench, environment).recordsNamingFiles
        #expect(found.map { $0.map { $0.map(\.record.guid) } } == [limit.found, limit.found])
    }

    /// Only those that the device has opened are read, of 10 bytes each.
    @Test(arguments: stores, [(3, 30, true), (2, 99, false), (9, 29, false)])
    func openConflictsAreReadAsAWholeOrNotAtAll(
        _ kind: StoreKind, limit: (rows: Int, bytes: Int, isRead: Bool)
    ) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        var writes = WriteSet(
            records: ["a", "b"].map { .test($0, revision: 9, conflicted: true) })
        let other = DeviceKey(login: "a", deviceIdentifier: "tablet")
        writes.openedConflicts = [("b", 3), ("a", 2), ("b", 2)].map {
            StoredConflict(guid: $0, revision: $1, text: "{\"x\":1000}")
        }
        writes.openedConflicts += ["a", "b"].map {
            StoredConflict(guid: $0, revision: 5, device: other, text: "{\"x\":1000}")
        }
        try await bench.store.write(writes, in: environment)
        var read = BatchRead()
        let all = ReadLimit(rows: limit.rows, bytes: limit.bytes)
        read.conflicts = [
            ConflictQuestion(["b", "none", "a"], by: .test, limit: all),
            ConflictQuestion(["a"], by: other, limit: all),
        ]
        let found = try await rows(of: read, in: bench, environment).conflicts
        let revisions: [[[Int64]]?] = found.map { $0?.map { $0.map(\.revision) } }
        #expect(revisions == [limit.isRead ? [[2, 3], [], [2]] : nil, [[5]]])
    }

    /// A deleted record is not purged before a sweep.
    @Test(arguments: stores, [["g"], ["k", "h", "g", "unknown", "g"], []])
    func purgedGuidsAreFound(_ kind: StoreKind, guids: [String]) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        var read = BatchRead()
        read.purgedGuids = guids
        let none = guids.map { _ in false }
        #expect(try await rows(of: read, in: bench, environment).purged == none)
        try await bench.store.write(
            WriteSet(records: [.test("g", deleted: true), .test("h", deleted: true), .test("k")]),
            in: environment)
        #expect(try await rows(of: read, in: bench, environment).purged == none)
        let sweep = SweepRequest(
            environment: environment, before: Instant(milliseconds: .max), limit: 1)
        #expect(try await bench.store.sweep(sweep).records == 1)
        #expect(try await rows(of: read, in: bench, environment).purged == guids.map { $0 == "g" })
    }

    /// The device of the question has made all entries.
    @Test(arguments: stores, [(3, false), (2, true)])
    func tooManyEntriesCountAsEffect(
        _ kind: StoreKind, limit: (entries: Int, hasEffect: Bool)
    ) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        for revision in 1...5 {
            var writes = WriteSet(records: [.test("g", revision: Int64(revision))])
            writes.history = [.test("g", revision: Int64(revision))]
            try await bench.store.write(writes, in: environment)
        }
        var read = BatchRead()
        read.effects = [
            EffectQuestion(on: "g", after: 2, besides: .test, maxEntries: limit.entries)
        ]
        #expect(try await rows(of: read, in: bench, environment).effects == [limit.hasEffect])
    }

    /// Each entry has 7 bytes.
    @Test(
        arguments: stores,
        (1...6).map { ReadLimit(rows: $0, bytes: 99) }
            + [1, 8, 14].map {
                ReadLimit(rows: 9, bytes: $0)
            })
    func historyIsReadInSteps(_ kind: StoreKind, limit: ReadLimit) async throws {
        let (bench, environment) = try await filled(kind)
        for (guid, kinds) in [("g", [2, 3, 4]), ("h", [2, 2])] {
            let revisions = try await bench.store.search(in: environment, readingNames: false) {
                transaction in
                var place = HistoryPosition(revision: 1, number: .max)
                var revisions: [Int64] = []
                while true {
                    let page = try transaction.history(of: guid, after: place, atMost: limit)
                    revisions += page.map(\.entry.revision)
                    #expect(page.count <= min(limit.rows, (limit.bytes + 6) / 7))
                    guard
                        limit.isReached(byRows: page.count, bytes: 7 * page.count),
                        let last = page.last
                    else { return revisions }
                    place = last.place
                }
            }
            #expect(revisions == kinds.map(Int64.init))
        }
    }
}
