package import FileExchange
package import SyncEngine

/// A blob store in the database, shared by all servers.
///
/// An upload is a body of parts, stored as they arrive. To complete it, the contents' hash is set
/// to refer to the body; nothing is copied. Unused contents become invisible at once, and their
/// bodies are deleted a day later, so that open readers can finish within that time.
///
/// Contents are stamped from their completion until the caller has recorded them, and stamped
/// contents are not purged. The stamp of a process that ended expires after an hour.
package struct PostgresBlobStore: BlobStore {
    let database: PostgresDatabase

    package init(_ database: PostgresDatabase) { self.database = database }

    package func received(of upload: String) async throws(StoreError) -> Int64 {
        try await database.ask { transaction in
            try transaction.rows(
                """
                SELECT size FROM uploads JOIN bodies ON bodies.id = uploads.body
                WHERE uploads.id = $1
                """, [.text(upload)]
            ).map { try $0.int64() }.first ?? 0
        }
    }

    package func open(upload: String) async throws(StoreError) -> any PartialFile {
        let opened = try await database.write { transaction in
            if let present = try body(ofUpload: upload, transaction) { return present }
            let made = try transaction.rows(
                "INSERT INTO bodies (touched_at) VALUES (\(now)) RETURNING id"
            )
            .map { try $0.int64() }
            // If two processes begin the same upload, the key refuses the second, which then
            // retries.
            _ = try transaction.rows(
                "INSERT INTO uploads (id, body) VALUES ($1, $2)",
                [.text(upload), .integer(made.first)])
            return Body(id: made.first ?? 0, size: 0)
        }
        return PartialBody(opened, in: database)
    }

    package func discard(upload: String) async throws(StoreError) {
        _ = try await database.write { transaction in
            try remove(uploads: [upload], transaction)
        }
    }

    package func open(
        _ contents: ContentHash, size: Int64
    ) async throws(StoreError) -> (any WholeFile)? {
        let found = try await database.ask { transaction in
            try transaction.rows(
                """
                SELECT contents.body FROM contents JOIN bodies ON bodies.id = contents.body
                WHERE sha256 = $1 AND contents.size = $2 AND bodies.size >= $2
                """, [.text(contents.hex), .integer(size)]
            ).map { try $0.int64() }.first
        }
        return found.map { WholeBody(id: $0, size: size, database: database) }
    }

    package func commitUpload<Value: Sendable>(
        upload: String, as contents: ContentHash,
        noting: @Sendable () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value? {
        let stamp = try await database.write { transaction -> Int64? in
            guard let found = try body(ofUpload: upload, transaction) else { return nil }
            return try put(found, among: contents, transaction)
        }
        guard let stamp else { return nil }
        let value = try await noting()
        _ = try await database.write { transaction in
            _ = try transaction.rows(
                "UPDATE contents SET stamp = NULL WHERE sha256 = $1 AND stamp = $2",
                [.text(contents.hex), .integer(stamp)])
            return try remove(uploads: [upload], transaction)
        }
        return value
    }
}

/// The received part of an upload.
struct Body: Sendable {
    let id: Int64
    let size: Int64
}

/// The server's clock in milliseconds, since the clocks of processes differ.
let now = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

private func body(ofUpload upload: String, _ transaction: PGTransaction) throws -> Body? {
    try transaction.rows(
        """
        SELECT body, size FROM uploads JOIN bodies ON bodies.id = uploads.body
        WHERE uploads.id = $1 FOR UPDATE OF uploads
        """, [.text(upload)]
    ).map { Body(id: try $0.int64(), size: try $0.int64()) }.first
}

/// Makes the body the contents of this hash, in place of any other. Returns their unique stamp.
private func put(
    _ body: Body, among contents: ContentHash, _ transaction: PGTransaction
) throws -> Int64? {
    let done = try transaction.rows(of: [
        Statement(
            """
            UPDATE bodies SET orphaned_at = \(now)
            WHERE id = (SELECT body FROM contents WHERE sha256 = $1 AND body <> $2 FOR UPDATE)
            """, [.text(contents.hex), .integer(body.id)]),
        Statement(
            """
            INSERT INTO contents AS present (sha256, body, size, stamp)
            VALUES ($1, $2, $3, \(now))
            ON CONFLICT (sha256) DO UPDATE SET body = excluded.body, size = excluded.size,
                stamp = greatest(excluded.stamp, present.stamp + 1)
            RETURNING stamp
            """, [.text(contents.hex), .integer(body.id), .integer(body.size)]),
    ])
    return try done[1].map { try $0.int64() }.first
}

/// Removes uploads, and their bodies unless contents refer to them.
private func remove(uploads: [String], _ transaction: PGTransaction) throws -> Int {
    let bodies = try transaction.rows(
        "DELETE FROM uploads WHERE id = ANY ($1) RETURNING body", [.texts(uploads)]
    ).map { try $0.int64() }
    _ = try transaction.rows(
        """
        DELETE FROM bodies WHERE id = ANY ($1) AND orphaned_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM contents WHERE contents.body = bodies.id)
        """, [.integers(bodies)])
    return bodies.count
}

// MARK: - Sweeping

extension PostgresBlobStore {
    package func holdContents() async throws(StoreError) -> any StoreHold {
        guard let hold = try await database.hold(.contents, isShared: true) else {
            throw .busy
        }
        return hold
    }

    package func sweepUploads(
        untouchedSince moment: Instant,
        held: @Sendable (Set<String>) async throws(StoreError) -> Set<String>
    ) async throws(StoreError) -> Int {
        var removed = 0
        var last = ""
        while true {
            let after = last
            let some = try await database.ask { transaction in
                try transaction.rows(
                    """
                    SELECT uploads.id, touched_at, touched_at < \(now) - $2
                    FROM uploads JOIN bodies ON bodies.id = body
                    WHERE uploads.id > $1 ORDER BY uploads.id LIMIT \(Self.purgedAtATime)
                    """, [.text(after), .integer(Self.unexpectedMilliseconds)]
                ).map {
                    (
                        id: try $0.text(), at: Instant(milliseconds: try $0.int64()),
                        isOld: try $0.flag()
                    )
                }
            }
            guard let end = some.last?.id else { return removed }
            last = end
            let awaited = try await held(Set(some.map(\.id)))
            let void = some.filter { $0.at < moment || ($0.isOld && !awaited.contains($0.id)) }
                .map(\.id)
            removed += try await database.write { transaction in
                try remove(uploads: void, transaction)
            }
        }
    }

    package func sweepContents(
        held: @Sendable (Set<ContentHash>) async throws(StoreError) -> Set<ContentHash>
    ) async throws(StoreError) -> Int {
        var removed = 0
        var last = ""
        while true {
            let after = last
            let some = try await database.ask { transaction in
                try transaction.rows(
                    """
                    SELECT sha256, body FROM contents
                    WHERE sha256 > $1 AND \(Self.isUnstamped)
                    ORDER BY sha256 LIMIT \(Self.purgedAtATime)
                    """, [.text(after)]
                ).map { (hash: try $0.text(), body: try $0.int64()) }
            }
            guard let end = some.last?.hash else { break }
            last = end
            let hashes = Set(some.compactMap { ContentHash(hex: $0.hash) })
            let void = Set(hashes.subtracting(try await held(hashes)).map(\.hex))
            let bodies = some.filter { void.contains($0.hash) }.map(\.body)
            removed += try await database.write { transaction in
                try orphan(bodies: bodies, transaction)
            }
        }
        try await removeOrphans()
        return removed
    }

    /// Removes contents and marks their bodies as orphaned. Contents that were completed again
    /// since they were read have another body and stay, even if they are already recorded. Nothing
    /// is removed while contents are held.
    private func orphan(bodies: [Int64], _ transaction: PGTransaction) throws -> Int {
        let isFree = try transaction.rows(
            "SELECT pg_try_advisory_xact_lock($1)",
            [.integer(PostgresHold.Subject.contents.rawValue)]
        ).map { try $0.flag() }.first
        guard isFree == true else { return 0 }
        let bodies = try transaction.rows(
            """
            DELETE FROM contents
            WHERE body = ANY ($1) AND \(Self.isUnstamped)
            RETURNING body
            """, [.integers(bodies)]
        ).map { try $0.int64() }
        _ = try transaction.rows(
            "UPDATE bodies SET orphaned_at = \(now) WHERE id = ANY ($1)", [.integers(bodies)])
        return bodies.count
    }

    private func removeOrphans() async throws(StoreError) {
        _ = try await database.write { transaction in
            try transaction.rows(
                """
                DELETE FROM bodies WHERE orphaned_at < \(now) - \(Self.readingMilliseconds)
                    AND NOT EXISTS (SELECT 1 FROM uploads WHERE uploads.body = bodies.id)
                    AND NOT EXISTS (SELECT 1 FROM contents WHERE contents.body = bodies.id)
                """
            ).changedCount
        }
    }

    private static let purgedAtATime = 500
    private static let isUnstamped = "(stamp IS NULL OR stamp < \(now) - 3600000)"
    private static let readingMilliseconds = 86_400_000
}
