import FileExchange
import Hashing
import SyncEngine

/// An upload that is open for appending.
actor PartialBody: PartialFile {
    private let id: Int64
    private let database: PostgresDatabase
    private(set) var received: Int64
    /// The hash of all received bytes; nil if some were appended by another instance.
    private var hash: SHA256?

    init(_ body: Body, in database: PostgresDatabase) {
        id = body.id
        self.database = database
        received = body.size
        hash = body.size == 0 ? SHA256() : nil
    }

    /// Appends only if the body still ends where this instance expects it, so that two writers of
    /// one upload, such as one behind a hanging connection, cannot mix.
    func append(_ bytes: [UInt8]) async throws(StoreError) -> Bool {
        guard !bytes.isEmpty else { return true }
        let (id, end) = (id, received)
        let isAdded = try await database.write { transaction in
            // `synchronize` makes the bytes durable.
            transaction.later("SET LOCAL synchronous_commit TO off")
            let grown = try transaction.rows(
                """
                UPDATE bodies SET size = size + $3, touched_at = \(now)
                WHERE id = $1 AND size = $2
                """, [.integer(id), .integer(end), .integer(Int64(bytes.count))])
            guard grown.changedCount == 1 else { return false }
            _ = try transaction.rows(
                "INSERT INTO body_parts (body, start, bytes) VALUES ($1, $2, $3)",
                [.integer(id), .integer(end), .bytes(bytes)])
            return true
        }
        guard isAdded else { return false }
        hash?.update(bytes)
        received = end + Int64(bytes.count)
        return true
    }

    /// Commits synchronously, which makes all earlier commits durable too.
    func synchronize() async throws(StoreError) {
        let id = id
        _ = try await database.write { transaction in
            try transaction.rows(
                "UPDATE bodies SET touched_at = \(now) WHERE id = $1", [.integer(id)]
            ).changedCount
        }
    }

    /// Reads the bytes again if another instance has appended some.
    func contents() async throws(StoreError) -> ContentHash {
        var whole = hash ?? SHA256()
        if hash == nil {
            let file = WholeBody(id: id, size: received, database: database)
            var offset: Int64 = 0
            while offset < received {
                let bytes = try await file.read(1 << 20, at: offset)
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
}

/// Contents open for reading.
struct WholeBody: WholeFile {
    let id: Int64
    let size: Int64
    let database: PostgresDatabase

    func read(_ count: Int, at offset: Int64) async throws(StoreError) -> [UInt8] {
        let end = min(size, offset + Int64(count))
        guard offset < end else { return [] }
        let parts = try await database.ask { transaction in
            try transaction.rows(
                """
                SELECT start, bytes FROM body_parts
                WHERE body = $1 AND start < $3 AND start >= (
                    SELECT max(start) FROM body_parts WHERE body = $1 AND start <= $2)
                ORDER BY start
                """, [.integer(id), .integer(offset), .integer(end)]
            ).map { (start: try $0.int64(), bytes: try $0.bytes()) }
        }
        var wanted: [UInt8] = []
        for (start, bytes) in parts {
            let from = Int(max(0, offset - start))
            let to = min(bytes.count, Int(end - start))
            guard from < to else { continue }
            wanted += bytes[from..<to]
        }
        guard Int64(wanted.count) == end - offset else {
            throw .unreadable("contents of a file are not all there", remedy: .backup)
        }
        return wanted
    }
}
