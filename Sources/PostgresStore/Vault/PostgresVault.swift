package import SyncEngine

/// Contents of files in the database, so that every server that works on it has them.
///
/// What comes of an upload is a body of parts, as they came. To put it among the contents is to let
/// their hash refer to the body; nothing is copied. Contents that nobody holds are no longer found
/// at once, and their bodies go a day later: whoever reads them gets to their end, if it takes no
/// longer.
///
/// Whoever puts contents among the others stamps them until it is noted that they are there; what
/// is stamped is not swept away. Of a process that is gone the stamp counts for an hour.
package struct PostgresVault: Vault {
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
            // Of two who begin one at a time the second is refused by its key, and looks again.
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

    package func shelve<Value: Sendable>(
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

/// What has come of an upload.
struct Body: Sendable {
    let id: Int64
    let size: Int64
}

/// The server's clock, in milliseconds: those of all processes would be several.
let now = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

private func body(ofUpload upload: String, _ transaction: Transaction) throws -> Body? {
    try transaction.rows(
        """
        SELECT body, size FROM uploads JOIN bodies ON bodies.id = uploads.body
        WHERE uploads.id = $1 FOR UPDATE OF uploads
        """, [.text(upload)]
    ).map { Body(id: try $0.int64(), size: try $0.int64()) }.first
}

/// In place of whatever is said to be these contents. Gives their stamp, which nobody else has.
private func put(
    _ body: Body, among contents: ContentHash, _ transaction: Transaction
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

/// With their bodies, where they are not those of contents by now.
private func remove(uploads: [String], _ transaction: Transaction) throws -> Int {
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

extension PostgresVault {
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
                    SELECT uploads.id, touched_at FROM uploads JOIN bodies ON bodies.id = body
                    WHERE uploads.id > $1 ORDER BY uploads.id LIMIT \(Self.sweptAtATime)
                    """, [.text(after)]
                ).map { (id: try $0.text(), at: Instant(milliseconds: try $0.int64())) }
            }
            guard let end = some.last?.id else { return removed }
            last = end
            let awaited = try await held(Set(some.map(\.id)))
            let void = some.filter { $0.at < moment || !awaited.contains($0.id) }.map(\.id)
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
                    ORDER BY sha256 LIMIT \(Self.sweptAtATime)
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

    /// What was put on its shelf anew since it was looked at stays there: it has another body, also
    /// where it is noted by now.
    private func orphan(bodies: [Int64], _ transaction: Transaction) throws -> Int {
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

    private static let sweptAtATime = 500
    private static let isUnstamped = "(stamp IS NULL OR stamp < \(now) - 3600000)"
    private static let readingMilliseconds = 86_400_000
}
