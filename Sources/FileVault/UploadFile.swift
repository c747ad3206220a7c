import FileExchange
import Foundation
import Hashing
import SyncEngine
import SystemFiles

/// The received part of an upload, open for appending.
actor UploadFile: PartialFile {
    private let file: SystemFile
    private let threads: BlockingThreads
    private(set) var received: Int64
    /// The hash of the received bytes, while all of them were appended by this object.
    private var hash: SHA256?

    init(_ file: SystemFile, size: Int64, threads: BlockingThreads) {
        self.file = file
        self.threads = threads
        received = size
        hash = size == 0 ? SHA256() : nil
    }

    /// Appends only if the file still ends where this object left it. After a client resumes an
    /// upload on a new connection, a stalled earlier connection cannot add bytes to it.
    func append(_ bytes: [UInt8]) async throws(StoreError) -> Bool {
        let (file, end, hash) = (file, received, hash)
        let added = try await threads.run { () throws(SystemFileError) in
            var hash = hash
            try file.lock(LOCK_EX)
            let isLeft = try file.size() == end
            if isLeft { try file.write(bytes, at: end) }
            try file.lock(LOCK_UN)
            hash?.update(bytes)
            return (isLeft: isLeft, hash: hash)
        }
        guard added.isLeft else { return false }
        self.hash = added.hash
        received = end + Int64(bytes.count)
        return true
    }

    func synchronize() async throws(StoreError) {
        let file = file
        try await threads.run { () throws(SystemFileError) in try file.synchronize() }
    }

    /// Reads the file again if another object appended to it.
    func contents() async throws(StoreError) -> ContentHash {
        var whole = hash ?? SHA256()
        if hash == nil {
            var offset: Int64 = 0
            while offset < received {
                let bytes = try await read(at: offset)
                guard !bytes.isEmpty else { throw .failed("an upload became shorter") }
                whole.update(bytes)
                offset += Int64(bytes.count)
            }
        }
        guard let contents = ContentHash(whole.finalize()) else {
            throw .failed("a SHA-256 has no 32 bytes")
        }
        return contents
    }

    private func read(at offset: Int64) async throws(StoreError) -> [UInt8] {
        let count = min(1 << 20, Int(received - offset))
        let file = file
        return try await threads.run { () throws(SystemFileError) in
            try file.bytes(count, at: offset)
        }
    }
}

/// Stored contents, open for reading.
struct ContentFile: WholeFile {
    let file: SystemFile
    let threads: BlockingThreads

    func read(_ count: Int, at offset: Int64) async throws(StoreError) -> [UInt8] {
        let file = file
        return try await threads.run { () throws(SystemFileError) in
            try file.bytes(count, at: offset)
        }
    }
}
