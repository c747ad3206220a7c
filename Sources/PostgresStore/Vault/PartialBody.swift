import Hashing
import SyncEngine

/// What has come of an upload, open for more.
actor PartialBody: PartialFile {
    private let id: Int64
    private let database: PostgresDatabase
    private(set) var received: Int64
    /// Of what has come, as long as all of it came through here.
    private var hash: SHA256?

    init(_ body: Body, in database: PostgresDatabase) {
        id = body.id
        self.database = database
        received = body.size
        hash = body.size == 0 ? SHA256() : nil
    }

    /// Adds only where the body still ends where it was left: whoever takes an upload over, after
    /// a connection that hangs, is not mixed with the earlier one.
    func append(_ bytes: [UInt8]) async throws(StoreError) -> Bool {
        guard !bytes.isEmpty else { return true }
        let (id, end) = (id, received)
        let isAdded = try await database.write { transaction in
            // It is brought to the disk when that is asked for.
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

    /// A commit that waits for the disk brings everything there that was committed before it.
    func synchronize() async throws(StoreError) {
        let id = id
        _ = try await database.write { transaction in
            try transaction.rows(
                "UPDATE bodies SET touched_at = \(now) WHERE id = $1", [.integer(id)]
            ).changedCount
        }
    }

    /// What came through other hands is read once more.
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

/// Contents that are being read.
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
