import Foundation
import SyncEngine
import Testing

@testable import FileVault

@Suite("Unused contents are swept from the folder", .timeLimit(.minutes(5)))
struct BlobPurgeTests {
    private let test: TestBlobStore
    private var blobs: FolderBlobStore { test.blobs }

    init() throws {
        test = try TestBlobStore()
    }

    @Test func onlyUnreferencedContentsArePurged() async throws {
        let hashes = try ["00", "ab", "abc", "ff"].map(ContentHash.test)
        for hash in hashes { try await test.keep("x", as: hash) }
        try await test.append("part", to: "u")
        try "mine".write(toFile: "\(test.path)/ab/notes", atomically: true, encoding: .utf8)
        let held: Set = [hashes[1], hashes[3]]
        #expect(try await blobs.sweepContents { held.intersection($0) } == 2)
        #expect(
            try test.files().keys.sorted() == [
                "ab/\(hashes[1].hex)", "ab/notes", "ff/\(hashes[3].hex)", "uploads/u",
            ])
        #expect(try await blobs.sweepContents { $0 } == 0)
    }

    @Test func abandonedUploadsArePurged() async throws {
        for name in ["awaited", "copied", "stale", "void"] { try await test.append("x", to: name) }
        let times = [("stale", Date(timeIntervalSince1970: 1000)), ("void", Date() - 3601)]
        for (name, time) in times {
            try FileManager.default.setAttributes(
                [.modificationDate: time], ofItemAtPath: "\(test.path)/uploads/\(name)")
        }
        let removed = try await blobs.sweepUploads(
            untouchedSince: Instant(milliseconds: 1_000_001)
        ) { names in
            #expect(names == ["awaited", "copied", "stale", "void"])
            return ["awaited", "stale"]
        }
        #expect(removed == 2)
        #expect(try test.files() == ["uploads/awaited": "x", "uploads/copied": "x"])
    }

    @Test func heldContentsStay() async throws {
        try await test.keep("x", as: try .test("ab"))
        let holds = [try await blobs.holdContents(), try await blobs.holdContents()]
        for hold in holds {
            #expect(try await blobs.sweepContents { _ in [] } == 0)
            await hold.release()
        }
        #expect(try await blobs.sweepContents { _ in [] } == 1)
    }

    @Test func emptyStoreHasNothingToSweep() async throws {
        #expect(try await blobs.sweepContents { $0 } == 0)
        let now = Instant(milliseconds: .max)
        #expect(try await blobs.sweepUploads(untouchedSince: now) { $0 } == 0)
        #expect(!FileManager.default.fileExists(atPath: test.path))
    }

    /// Otherwise a file could be recorded after its contents are removed.
    @Test func recordingAndPurgingContentsExcludeEachOther() async throws {
        let (test, hash) = (test, try ContentHash.test("ab"))
        try await test.append("x", to: "u")
        let couldSweep = try await blobs.commitUpload(upload: "u", as: hash) {
            () async throws(StoreError) in
            #expect(test.canLock(shelf: "ab", LOCK_SH), "others may be noted at the same time")
            return test.canLock(shelf: "ab", LOCK_EX)
        }
        #expect(couldSweep == false)
        let removed = try await blobs.sweepContents { hashes in
            #expect(!test.canLock(shelf: "ab", LOCK_SH))
            return hashes
        }
        #expect(removed == 0)
        #expect(test.canLock(shelf: "ab", LOCK_EX), "neither holds it for longer")
    }

    /// On one shelf, with more tasks than threads.
    @Test func storingAndPurgingTogetherNeverDeadlock() async throws {
        let test = test
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 10..<60 {
                let hash = try ContentHash.test("ab\(number)")
                group.addTask { try await test.keep("x", as: hash, upload: "\(number)") }
            }
            for _ in 0..<4 {
                group.addTask { _ = try await test.blobs.sweepContents { $0 } }
            }
            try await group.waitForAll()
        }
        #expect(try test.files().count == 50)
    }
}
