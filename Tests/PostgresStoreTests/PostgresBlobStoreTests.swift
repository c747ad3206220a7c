import FileExchange
import PostgresKit
import SyncEngine
import TestKit
import Testing

@testable import PostgresStore

@Suite("Contents of files are in the database", .timeLimit(.minutes(20)))
struct PostgresBlobStoreTests {
    private let server: TestServer
    private let store: PostgresDatabase
    private var blobs: PostgresBlobStore { PostgresBlobStore(store) }

    init() async throws {
        server = try TestServer()
        store = try await server.open()
    }

    @Test func unfinishedUploadIsNotAmongContents() async throws {
        let hash = try hash("ab")
        #expect(try await blobs.received(of: "u") == 0)
        try await append("half", to: "u")
        #expect(try await blobs.received(of: "u") == 4)
        #expect(try await text(of: hash, size: 4) == nil)
        try await keep(" a file", as: hash)
        #expect(try await text(of: hash, size: 11) == "half a file")
        #expect(try await text(of: hash, size: 10) == nil)
        #expect(try await blobs.received(of: "u") == 0)
    }

    @Test func equalContentsAreKeptOnce() async throws {
        let hash = try hash("ab")
        try await keep("x", as: hash, upload: "1")
        try await keep("x", as: hash, upload: "2")
        #expect(try await store.text("SELECT count(*)::text FROM contents") == "1")
        try await store.carryOut("UPDATE bodies SET orphaned_at = 0 WHERE orphaned_at > 0")
        #expect(try await blobs.sweepContents { $0 } == 0)
        #expect(try await store.text("SELECT count(*)::text FROM bodies") == "1")
        #expect(try await text(of: hash, size: 1) == "x")
    }

    /// The SHA-256 of "abc", from FIPS 180-2.
    @Test(arguments: [["abc"], ["a", "bc"], ["", "ab", "c"]])
    func hashCoversChunksOfAllHandles(parts: [String]) async throws {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        for part in parts { try await append(part, to: "u") }
        #expect(try await blobs.open(upload: "u").contents().hex == abc)
        let whole = try await blobs.open(upload: "v")
        #expect(try await whole.append(Array("abc".utf8)))
        try await whole.synchronize()
        #expect(try await whole.contents().hex == abc)
    }

    /// The connection of the first upload stalls, and delivers its bytes late.
    @Test func overtakenUploadAddsNothing() async throws {
        let slow = try await blobs.open(upload: "u")
        #expect(try await slow.append(Array("one ".utf8)))
        let next = try await blobs.open(upload: "u")
        #expect(await next.received == 4)
        #expect(try await next.append(Array("two".utf8)))
        #expect(try await slow.append(Array("TWO".utf8)) == false)
        #expect(await slow.received == 4)
        let hash = try hash("ab")
        try await keep("", as: hash)
        #expect(try await text(of: hash, size: 7) == "one two")
    }

    @Test func uploadCanBeFinishedAfterFailedRecording() async throws {
        let hash = try hash("ab")
        try await append("x", to: "u")
        await #expect(throws: StoreError.failed("no note")) {
            try await blobs.commitUpload(upload: "u", as: hash) { () async throws(StoreError) in
                throw .failed("no note")
            }
        }
        #expect(try await blobs.received(of: "u") == 1)
        try await keep("", as: hash)
        #expect(try await text(of: hash, size: 1) == "x")
    }

    @Test func uploadThatIsNotThereIsNotNoted() async throws {
        try await append("x", to: "u")
        try await blobs.discard(upload: "u")
        try await blobs.discard(upload: "u")
        let noted = try await blobs.commitUpload(upload: "u", as: hash("ab")) {
            () async throws(StoreError) in true
        }
        #expect(noted == nil)
        #expect(try await store.text("SELECT count(*)::text FROM bodies") == "0")
    }

    @Test func openContentsAreReadableAfterTheirPurge() async throws {
        let hash = try hash("ab")
        for part in ["01", "234", "56789"] { try await append(part, to: "u") }
        try await keep("", as: hash)
        let file = try #require(try await blobs.open(hash, size: 10))
        #expect(try await blobs.sweepContents { _ in [] } == 1)
        #expect(try await text(of: hash, size: 10) == nil)
        for start in 0..<10 {
            for count in 1...11 {
                let expected = Array("0123456789".utf8.dropFirst(start).prefix(count))
                #expect(try await file.read(count, at: Int64(start)) == expected)
            }
        }
        #expect(try await file.read(1, at: 10) == [])
    }

    /// In between, a file would be recorded without contents.
    @Test func contentsBeingRecordedAreNotPurged() async throws {
        let (hash, blobs) = (try hash("ab"), blobs)
        try await append("x", to: "u")
        let purged = try await blobs.commitUpload(upload: "u", as: hash) {
            () async throws(StoreError) in try await blobs.sweepContents { _ in [] }
        }
        #expect(purged == 0)
        #expect(try await text(of: hash, size: 1) == "x")
        #expect(try await blobs.sweepContents { _ in [] } == 1)
    }

    @Test func contentsStoredDuringPurgeStay() async throws {
        let (hash, test) = (try hash("ab"), self)
        try await keep("x", as: hash)
        let purged = try await blobs.sweepContents { _ in
            do {
                try await test.keep("x", as: hash, upload: "again")
            } catch {
                Issue.record(error)
            }
            return []
        }
        #expect(purged == 0)
        #expect(try await text(of: hash, size: 1) == "x")
        #expect(try await blobs.sweepContents { _ in [] } == 1)
    }

    @Test func abandonedUploadsArePurged() async throws {
        for name in ["awaited", "copied", "stale", "void"] { try await append("x", to: name) }
        for (name, time) in [("stale", "1000"), ("void", "\(now) - 3600001")] {
            try await store.carryOut(
                """
                UPDATE bodies SET touched_at = \(time)
                WHERE id = (SELECT body FROM uploads WHERE id = '\(name)')
                """)
        }
        let removed = try await blobs.sweepUploads(
            untouchedSince: Instant(milliseconds: 1001)
        ) { names in
            #expect(names == ["awaited", "copied", "stale", "void"])
            return ["awaited", "stale"]
        }
        #expect(removed == 2)
        #expect(
            try await store.text("SELECT string_agg(id, ' ' ORDER BY id) FROM uploads")
                == "awaited copied")
        #expect(try await store.text("SELECT count(*)::text FROM body_parts") == "2")
    }

    @Test func heldContentsStay() async throws {
        try await keep("x", as: try hash("ab"))
        let holds = [try await blobs.holdContents(), try await blobs.holdContents()]
        for hold in holds {
            #expect(try await blobs.sweepContents { _ in [] } == 0)
            await hold.release()
        }
        // The server notices the end of a connection a moment later.
        while try await blobs.sweepContents(held: { _ in [] }) == 0 {}
    }

    @Test func oneProcessCopiesAtATime() async throws {
        let other = try await server.open()
        let claim = try #require(try await store.claimCopies())
        #expect(try await other.claimCopies() == nil)
        await claim.release()
        while try await other.claimCopies() == nil {}
    }

    private func append(_ text: String, to upload: String) async throws {
        #expect(try await blobs.open(upload: upload).append(Array(text.utf8)))
    }

    private func keep(
        _ text: String, as contents: ContentHash, upload: String = "u"
    ) async throws {
        try await append(text, to: upload)
        let noted = try await blobs.commitUpload(upload: upload, as: contents) {
            () async throws(StoreError) in true
        }
        #expect(noted == true)
    }

    private func text(of contents: ContentHash, size: Int64) async throws -> String? {
        guard let file = try await blobs.open(contents, size: size) else { return nil }
        return String(decoding: try await file.read(1000, at: 0), as: UTF8.self)
    }
}

/// A hash with this prefix.
private func hash(_ prefix: String) throws -> ContentHash {
    try #require(
        ContentHash(hex: prefix + String(repeating: "0", count: 64 - prefix.utf8.count)))
}
