import DefinitionModel
import EngineKit
import FileExchange
import FileVault
import Foundation
import JSON
import NativeCalls
import SQLiteStore
import SyncEngine
import SyncProtocol
import Testing

@Suite("Contents without a record are swept")
struct FileSweepTests {
    private let bench: TestBench
    private var a: Person { bench.person("a") }

    init() async throws {
        bench = try await TestBench(Documents.files(.overwrite))
    }

    /// The contents in the vault, by the number of the text: "text 1" is 1.
    private func kept(of numbers: Range<Int> = 1..<10) async throws -> [Int] {
        let names = Set(try bench.vaultFiles().map { $0.suffix(64) })
        return try numbers.filter { names.contains(try ContentHash.of("text \($0)").hex[...]) }
    }

    private func upload(_ numbers: Int..., at milliseconds: Int64 = 1000) async throws {
        for number in numbers {
            try await a.upload(number, "text \(number)", at: milliseconds)
        }
    }

    @Test func unreferencedFilesArePurged() async throws {
        try await upload(1, 2, 3, 4, 5, at: 1000)
        try await upload(6, at: 5000)
        _ = try await a.push(
            create(1, ["scan": .file(1), "contract": .file(2)]),
            update(1, id: "u", base: nil, ["contract": .file(3)]),
            create(2, ["ballot": .file(4)]), delete(2, id: "d", base: nil))
        let purged = try await bench.sweepFiles(before: 5000)
        #expect(purged.files == 1 && purged.contents == 1 && purged.uploads == 0)
        #expect(try await kept() == [1, 2, 3, 4, 6])
        #expect(try await a.download(5) == .unknown)
        #expect(try await a.download(6) == .text("text 6"))
        #expect(try await bench.sweepFiles(before: 5000) == FileSweepResult())
        #expect(try await bench.sweepFiles(before: 5001).contents == 1)
    }

    /// The batch sets and replaces the file, so it occurs in the history only.
    @Test func filesReplacedWithinBatchAreKept() async throws {
        try await upload(1, 2, 3)
        _ = try await a.push(
            create(1, ["scan": .file(1)]), update(1, id: "u", base: nil, ["scan": .file(2)]),
            update(1, id: "v", base: nil, ["scan": .file(3)]))
        _ = try await bench.sweepFiles()
        #expect(try await kept() == [1, 2, 3])
    }

    @Test func filesOfDiscardedEditsAreKept() async throws {
        for (index, mode) in [ConflictMode.discard, .manual].enumerated() {
            let bench = try await TestBench(Documents.files(mode))
            let (a, b) = (bench.person("a"), bench.person("b"))
            try await b.upload(1, "text 1")
            _ = try await a.push(create(1, ["title": "t"]))
            _ = try await a.push(update(1, id: "1", base: 1, ["title": "u"]))
            let late = try await b.push(update(1, id: "2", base: 1, ["scan": .file(1)]))
            #expect(late.map(\.outcome) == [[.discarded, .conflicted][index]])
            #expect(try await bench.sweepFiles() == FileSweepResult())
        }
    }

    @Test func whenRecordIsForgottenSoAreItsFiles() async throws {
        try await upload(1, 2)
        _ = try await a.push(
            create(1, ["scan": .file(1), "contract": .file(2)]), create(2, ["scan": .file(2)]))
        _ = try await a.push(delete(1, id: "d", base: 1))
        _ = try await bench.sweepFiles()
        #expect(try await kept() == [1, 2])
        _ = try await bench.engine.sweep(before: Instant(milliseconds: 10_000))
        #expect(try await bench.sweepFiles().files == 1)
        #expect(try await kept() == [2])
    }

    @Test func equalContentsStayAsLongAsOneFileHasThem() async throws {
        try await a.upload(1, "text 1")
        try await bench.person("b").upload(2, "text 1")
        #expect(try bench.vaultFiles().count == 1)
        _ = try await a.push(create(1, ["scan": .file(1)]))
        let purged = try await bench.sweepFiles()
        #expect(purged.files == 1 && purged.contents == 0)
        #expect(try await a.download(1) == .text("text 1"))
    }

    @Test func anotherEnvironmentKeepsItsContents() async throws {
        try await upload(1)
        let other = try await bench.deploying(Documents.files(), to: "other")
        try await a.upload(2, "text 2", with: other)
        let purged = try await bench.sweepFiles()
        #expect(purged.files == 1 && purged.contents == 1)
        #expect(try await kept() == [2])
        #expect(try await a.download(2, with: other) == .text("text 2"))
    }

    @Test func abandonedUploadsArePurgedAndCanRestart() async throws {
        try await a.upload(1, "text 1", part: 0..<3)
        _ = try await a.push(create(1, ["scan": .file(1)]))
        try await a.upload(2, "text 2", part: 0..<3)
        #expect(try await bench.sweepFiles(before: 1000).uploads == 0)
        // The age of an upload is measured by the clock of the file system.
        let later = Int64(Date().timeIntervalSince1970 * 1000) + 60_000
        let purged = try await bench.sweepFiles(before: later)
        #expect(purged.uploads == 2 && purged.files == 1)
        #expect(try await a.uploadState(1) == .sent(complete: false, received: 0))
        #expect(
            try await a.upload(1, "text 1", part: 3..<6)
                == .refused(.partElsewhere(received: 0)))
        #expect(try await a.upload(1, "text 1") == .sent(complete: true, received: 6))
    }

    @Test func manyFilesArePurgedAtOnce() async throws {
        let environment = bench.engine.environment
        for number in 0..<1001 {
            try await bench.store.changeFile(file(number), of: "a", in: environment) { _ in
                let now = Instant(milliseconds: 1)
                return (
                    StoredFile(
                        guid: file(number), login: "a", at: now, isNamed: false, upload: nil), ()
                )
            }
        }
        #expect(try await bench.sweepFiles().files == 1001)
    }

    // MARK: - Crashes

    /// The row was deleted, the contents were not.
    @Test func contentsLeftByCrashedPurgeAreRemovedByTheNext() async throws {
        try await upload(1)
        let request = SweepRequest(
            environment: bench.engine.environment, before: Instant(milliseconds: 2000), limit: 10)
        #expect(try await bench.store.sweepFiles(request) == 1)
        #expect(try await kept() == [1])
        #expect(try await bench.sweepFiles().contents == 1)
        #expect(try await kept() == [])
    }

    /// The contents were linked, but not recorded.
    @Test func unrecordedContentsAreRemovedOrFinished() async throws {
        try await a.upload(1, "text 1", part: 0..<5)
        let name = try #require(try bench.vaultFiles().first { $0.hasPrefix("uploads/") })
        let upload = String(name.dropFirst("uploads/".count))
        #expect(try await bench.blobs.open(upload: upload).append(Array("1".utf8)))
        await #expect(throws: StoreError.self) {
            try await bench.blobs.commitUpload(upload: upload, as: .of("text 1")) {
                () async throws(StoreError) in throw .failed("crashed")
            }
        }
        #expect(try await a.download(1) == .refused(.awaited))
        #expect(try await bench.sweepFiles(before: 1).contents == 1)
        #expect(try await a.uploadState(1) == .sent(complete: false, received: 6))
        #expect(
            try await a.upload(1, "text 1", part: 6..<6) == .sent(complete: true, received: 6))
        #expect(try await a.download(1) == .text("text 1"))
    }

    /// The database was restored, the folder was not.
    @Test func contentsThatAreLostCanBeSentAgain() async throws {
        try await upload(1)
        _ = try await a.push(create(1, ["scan": .file(1)]))
        try FileManager.default.removeItem(atPath: bench.vaultPath)
        #expect(try await a.download(1) == .refused(.lost(.of("text 1"))))
        #expect(try await a.upload(1, "other") == .refused(.exists))
        #expect(try await a.upload(1, "text 1") == .sent(complete: true, received: 6))
        #expect(try await a.download(1) == .text("text 1"))
    }
}
