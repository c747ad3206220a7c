import EnvironmentCopy
import SyncEngine
import TestKit
import Testing

/// From each kind of database to each.
struct CopyWay: CustomTestStringConvertible, Sendable {
    let from: StoreKind
    let to: StoreKind

    var testDescription: String { "\(from.testDescription) to \(to.testDescription)" }

    static let all = databases.flatMap { from in databases.map { CopyWay(from: from, to: $0) } }
}

@Suite("An environment is copied from one database to another")
struct CopyTests {
    /// A memory store gets the same calls for comparison; it is not copied.
    @Test(arguments: CopyWay.all, seeds(6))
    func copyGivesTheSameAnswers(way: CopyWay, seed: UInt64) async throws {
        let (memory, source) = (try await stores[0].open(), try await way.from.open())
        var play = try await RandomPlay(seed: seed, stores: [memory, source])
        try await play.go(steps: 150)
        let target = try await way.to.open()
        // So that environments get different numbers.
        _ = try await target.store.deploy(to: "taken") { _ in .success(.test()) }
        var ids: [EnvironmentID] = []
        for name in ["0", "1"] {
            let report = try await copy(name, from: source, to: target)
            #expect(report.rows == report.writtenRows && report.rows > 0)
            ids.append(try #require(try await target.store.environment(named: name)).id)
        }
        play.replaceLast(by: target, ids)
        // Failed sign-ins are not copied.
        try await play.go(steps: 100) {
            if case .accounts(let call) = $0 { call.concernsFailures } else { false }
        }
    }

    @Test(arguments: CopyWay.all)
    func everyColumnIsCopiedWithAnyValue(_ way: CopyWay) async throws {
        let (source, target) = (try await way.from.open(), try await way.to.open())
        let full = try await Filled(source, rowsOfEach: 1)
        let report = try await copy("full", from: source, to: target)
        #expect(report.rows == EnvironmentTable.allCases.count)
        #expect(try await full.contents(of: target) == full.rows)
    }

    /// With row counts at and around the size of a range.
    @Test(arguments: CopyWay.all, [6, 7, 8, 14])
    func anyNumberOfRowsComesAlong(_ way: CopyWay, count: Int) async throws {
        let (source, target) = (try await way.from.open(), try await way.to.open())
        let full = try await Filled(source, rowsOfEach: count)
        _ = try await copy("full", from: source, to: target)
        #expect(try await full.contents(of: target) == full.rows)
    }

    /// More rows than are copied at a time, including discarded changes, which have no revision of
    /// their own.
    @Test(arguments: CopyWay.all)
    func longHistoryStaysInItsOrder(_ way: CopyWay) async throws {
        let (source, target) = (try await way.from.open(), try await way.to.open())
        let deployed = try await source.store.deploy(to: "full") { _ in .success(.test()) }
        var writes = WriteSet(records: [.test("g"), .test("h")])
        for number in 0..<3 * rowsAtATime {
            writes.records.append(.test("i\(number)"))
            for guid in ["g", "h", "i\(number)"] {
                writes.history.append(
                    .test(guid, revision: Int64(7 - number % 7), fieldsText: "{\"n\":\(number)}"))
            }
        }
        try await source.store.write(writes, in: try deployed.get().state.id)
        var request = CopyRequest(environment: "full", name: "full")
        request.publishes = false
        _ = try await copy(request, from: source, to: target)
        var more = WriteSet(records: [.test("g", revision: 2)])
        more.history = [.test("g", revision: 1, fieldsText: "{\"n\":-1}")]
        try await source.store.write(more, in: try deployed.get().state.id)
        let report = try await copy("full", from: source, to: target)
        #expect(report.writtenRows > 0 && report.writtenRows < report.rows)
        for guid in ["g", "h"] {
            #expect(try await history(of: guid, in: target) == history(of: guid, in: source))
        }
    }

    private func history(of guid: String, in bench: StoreBench) async throws -> [String] {
        let state = try #require(try await bench.store.environment(named: "full"))
        let request = HistoryRequest(
            environment: state.id, guid: guid, before: nil, limit: 1000, maxBytes: 1 << 20)
        return try #require(try await bench.store.history(request)).entries.map(\.fieldsText)
    }

    @Test(arguments: CopyWay.all)
    func copyThatIsCutOffGoesOnWhereItWas(_ way: CopyWay) async throws {
        let source = try await way.from.open()
        let full = try await Filled(source, rowsOfEach: 8)
        var (cut, isDone) = (0, false)
        while !isDone {
            let target = try await way.to.open()
            let failing = FailingTarget(try #require(target.database).rows, after: cut)
            do throws(CopyError) {
                _ = try await copy("full", from: source, to: target, as: failing)
                isDone = true
            } catch {
                #expect(error == .target(.failed("cut")))
                #expect(try await target.store.environment(named: "full") == nil)
                let report = try await copy("full", from: source, to: target)
                #expect(report.rows - report.writtenRows >= failing.writtenRows)
            }
            #expect(try await full.contents(of: target) == full.rows)
            cut += 3
        }
        #expect(cut > EnvironmentTable.allCases.count)
    }

    /// Changed rows are updated, and removed rows are deleted.
    @Test(arguments: CopyWay.all)
    func changesSincePreparationAreCopied(_ way: CopyWay) async throws {
        let (source, target) = (try await way.from.open(), try await way.to.open())
        var full = try await Filled(source, rowsOfEach: 20)
        var request = CopyRequest(environment: "full", name: "full")
        request.publishes = false
        _ = try await copy(request, from: source, to: target)
        #expect(try await target.store.environment(named: "full") == nil)
        try await full.change(source)
        let report = try await copy("full", from: source, to: target)
        #expect(try await full.contents(of: target) == full.rows)
        #expect(report.writtenRows < report.rows)
    }

    @Test(arguments: CopyWay.all)
    func copyThatReadsBackDifferentlyIsRefused(_ way: CopyWay) async throws {
        let source = try await way.from.open()
        _ = try await Filled(source, rowsOfEach: 2)
        for table in EnvironmentTable.allCases {
            let target = try await way.to.open()
            let twisting = TwistingTarget(try #require(target.database).rows, table)
            await #expect(throws: CopyError.differs(table)) {
                try await copy("full", from: source, to: target, as: twisting)
            }
            #expect(try await target.store.environment(named: "full") == nil)
        }
    }

    @Test(arguments: CopyWay.all)
    func nothingIsReplacedAndNothingMadeUp(_ way: CopyWay) async throws {
        let (source, target) = (try await way.from.open(), try await way.to.open())
        await #expect(throws: CopyError.environmentUnknown) {
            try await copy("full", from: source, to: target)
        }
        let full = try await Filled(source, rowsOfEach: 1)
        _ = try await copy("full", from: source, to: target)
        await #expect(throws: CopyError.nameTaken) {
            try await copy("full", from: source, to: target)
        }
        let request = CopyRequest(environment: "full", name: "another")
        _ = try await copy(request, from: source, to: target)
        var expected = full.rows
        expected[.sessions] = []
        #expect(try await full.contents(of: target) == expected)
    }

    @Test(arguments: CopyWay.all)
    func backupHasNothingThatLetsDevicesGoOn(_ way: CopyWay) async throws {
        let (source, target) = (try await way.from.open(), try await way.to.open())
        let full = try await Filled(source, rowsOfEach: 2)
        var request = CopyRequest(environment: "full", name: "full")
        request.keepsSessions = false
        _ = try await copy(request, from: source, to: target)
        var expected = full.rows
        expected[.sessions] = []
        expected[.deviceProgress] = []
        expected[.deviceFiles] = []
        #expect(try await full.contents(of: target) == expected)
        let state = try #require(try await target.store.environment(named: "full"))
        let key = try await target.store.key(.cursors, of: state.id, orStoring: [9])
        #expect(key == [9], "another key than that of the cursors that devices have")
        #expect(try await target.store.key(.names, of: state.id, orStoring: [9]) == [1, 2, 3])
    }

    /// The clock of the other machine may be behind.
    @Test(arguments: CopyWay.all)
    func stampsGoOnInCopy(_ way: CopyWay) async throws {
        let (source, target) = (try await way.from.open(), try await way.to.open())
        let environment = try await source.store.environment("full")
        var writes = WriteSet(records: [.test("a")])
        writes.at = Instant(milliseconds: 50)
        try await source.store.write(writes, in: environment)
        _ = try await copy("full", from: source, to: target)
        let state = try #require(try await target.store.environment(named: "full"))
        writes = WriteSet(records: [.test("b")])
        writes.at = Instant(milliseconds: 10)
        try await target.store.write(writes, in: state.id)
        let found = try await target.store.search(in: state.id, readingNames: false) {
            try $0.records(["a", "b"])
        }
        #expect(found.map { $0?.change.stamp.milliseconds } == [50, 51])
    }
}

@Suite("Contents of files are copied with their environment")
struct ContentsCopyTests {
    private let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 / 3) }

    @Test(arguments: CopyWay.all)
    func contentsComeAlongOnce(_ way: CopyWay) async throws {
        let (source, target) = (try await way.from.open(), try await way.to.open())
        let full = try await Filled(source, rowsOfEach: 1)
        try await full.put(bytes, as: ["a", "b"], in: source)
        var request = CopyRequest(environment: "full", name: "full")
        request.publishes = false
        let first = try await copy(request, from: source, to: target)
        #expect(first.files == 2 && first.writtenFiles == 1)
        let second = try await copy("full", from: source, to: target)
        #expect(second.files == 2 && second.writtenFiles == 0)
        #expect(try await full.read(bytes, in: target) == bytes)
    }

    @Test(arguments: CopyWay.all)
    func contentsMissingInSourceAreNamed(_ way: CopyWay) async throws {
        let (source, target) = (try await way.from.open(), try await way.to.open())
        let full = try await Filled(source, rowsOfEach: 1)
        try await full.put(bytes, as: ["there"], in: source)
        try await full.put(Array(bytes.dropLast()), as: ["gone"], stored: nil, in: source)
        try await full.put(
            Array(bytes.dropFirst()), as: ["damaged"], stored: Array(bytes.dropLast()), in: source)
        let report = try await copy("full", from: source, to: target)
        #expect(report.filesWithoutContents.sorted() == ["damaged", "gone"])
        #expect(report.files == 1 && report.writtenFiles == 1)
        #expect(try await full.read(Array(bytes.dropFirst()), in: target) == nil)
    }
}
