import FileExchange
import Foundation
import SyncEngine
import Testing

@testable import FileVault

@Suite("The folder of contents", .timeLimit(.minutes(5)))
struct BlobStoreTests {
    private let test: TestBlobStore
    private var blobs: FolderBlobStore { test.blobs }

    init() throws {
        test = try TestBlobStore()
    }

    @Test func unfinishedUploadIsNotAmongContents() async throws {
        let hash = try ContentHash.test("ab")
        #expect(try await blobs.received(of: "u") == 0)
        try await test.append("half", to: "u")
        #expect(try await blobs.received(of: "u") == 4)
        #expect(try test.files() == ["uploads/u": "half"])
        #expect(try await test.text(of: hash, size: 4) == nil)
        try await test.keep(" a file", as: hash)
        #expect(try test.files() == ["ab/\(hash.hex)": "half a file"])
        #expect(try await test.text(of: hash, size: 11) == "half a file")
        #expect(try await blobs.received(of: "u") == 0)
    }

    @Test func equalContentsAreKeptOnce() async throws {
        let hash = try ContentHash.test("ab")
        try await test.keep("x", as: hash, upload: "1")
        try await test.keep("x", as: hash, upload: "2")
        #expect(try test.files() == ["ab/\(hash.hex)": "x"])
    }

    /// The SHA-256 of "abc", from FIPS 180-2.
    @Test(arguments: [["abc"], ["a", "bc"], ["", "ab", "c"]])
    func hashCoversChunksOfAllHandles(parts: [String]) async throws {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        let first = try await blobs.open(upload: "u")
        #expect(try await first.append([]))
        for part in parts { try await test.append(part, to: "u") }
        #expect(try await blobs.open(upload: "u").contents().hex == abc)
        let whole = try await blobs.open(upload: "v")
        #expect(try await whole.append(Array("abc".utf8)))
        #expect(try await whole.contents().hex == abc)
    }

    /// The first connection stalls, and delivers its bytes late.
    @Test func overtakenUploadAddsNothing() async throws {
        let slow = try await blobs.open(upload: "u")
        #expect(try await slow.append(Array("one ".utf8)))
        let next = try await blobs.open(upload: "u")
        #expect(await next.received == 4)
        #expect(try await next.append(Array("two ".utf8)))
        #expect(try await slow.append(Array("TWO ".utf8)) == false)
        #expect(try await next.append(Array("three".utf8)))
        #expect(await next.received == 13)
        #expect(await slow.received == 4)
        #expect(try test.files() == ["uploads/u": "one two three"])
    }

    @Test func uploadCanBeFinishedAfterFailedRecording() async throws {
        let hash = try ContentHash.test("ab")
        try await test.append("x", to: "u")
        await #expect(throws: failedNote) {
            try await blobs.commitUpload(upload: "u", as: hash) { () async throws(StoreError) in
                throw failedNote
            }
        }
        #expect(try await blobs.received(of: "u") == 1)
        try await test.keep("", as: hash)
        #expect(try test.files() == ["ab/\(hash.hex)": "x"])
    }

    @Test func uploadThatIsNotThereIsNotNoted() async throws {
        let hash = try ContentHash.test("ab")
        try await test.append("x", to: "u")
        try await blobs.discard(upload: "u")
        try await blobs.discard(upload: "u")
        let noted = try await blobs.commitUpload(upload: "u", as: hash) {
            () async throws(StoreError) in true
        }
        #expect(noted == nil)
        #expect(try test.files() == [:])
    }

    @Test func damagedContentsAreNotServedAndCanBeReplaced() async throws {
        let hash = try ContentHash.test("ab")
        try await test.keep("whole", as: hash)
        try "whol".write(toFile: "\(test.path)/ab/\(hash.hex)", atomically: true, encoding: .utf8)
        #expect(try await test.text(of: hash, size: 5) == nil)
        try await test.keep("whole", as: hash)
        #expect(try await test.text(of: hash, size: 5) == "whole")
        #expect(try test.files().count == 1)
    }

    @Test func openContentsAreReadableAfterTheirPurge() async throws {
        let hash = try ContentHash.test("ab")
        try await test.keep("0123456789", as: hash)
        let file = try #require(try await blobs.open(hash, size: 10))
        #expect(try await blobs.sweepContents { _ in [] } == 1)
        #expect(try await test.text(of: hash, size: 10) == nil)
        #expect(try await file.read(4, at: 3) == Array("3456".utf8))
        #expect(try await file.read(100, at: 8) == Array("89".utf8))
        #expect(try await file.read(1, at: 10) == [])
    }

    @Test func folderThatCannotBeMadeIsReported() async throws {
        try "a file".write(toFile: test.path, atomically: true, encoding: .utf8)
        await #expect(throws: StoreError.self) { try await blobs.open(upload: "u") }
    }
}
