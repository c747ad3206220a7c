import DefinitionModel
package import FileExchange
package import SyncEngine

extension PostgresDatabase: FileStore {
    package func file(
        _ request: FileRequest
    ) async throws(StoreError) -> (known: KnownFile?, fingerprint: String) {
        try await read { transaction in
            let found = try transaction.rows(of: [
                currentState(of: request.environment),
                files([request.guid], in: request.environment),
            ])
            let file = try found[1].map { try StoredFile(row: &$0) }.first
            return (
                try file.map {
                    KnownFile(file: $0, namedBy: try recordsNaming(request, transaction))
                },
                try CurrentState(found[0]).fingerprint
            )
        }
    }

    package func changeFile<Result: Sendable>(
        _ guid: String, of login: String, in environment: EnvironmentID,
        deciding: @escaping @Sendable (FileState) -> (StoredFile?, Result)
    ) async throws(StoreError) -> Result {
        try await write { transaction in
            try lock(environment, transaction)
            let file = try transaction.rows(of: [files([guid], in: environment)])[0]
                .map { try StoredFile(row: &$0) }.first
            let state = FileState(
                file: file,
                loose: try looseFiles(of: login, besides: guid, in: environment, transaction))
            let (next, result) = deciding(state)
            if let next { try save(next, in: environment, transaction) }
            return result
        }
    }

    package func sweepFiles(_ request: SweepRequest) async throws(StoreError) -> Int {
        try await write { transaction in
            try lock(request.environment, transaction)
            return try transaction.rows(
                """
                DELETE FROM files WHERE environment = $1 AND guid IN (
                    SELECT guid FROM files
                    WHERE environment = $1 AND NOT is_named AND at < $2
                    ORDER BY at, guid LIMIT $3)
                """,
                [
                    .integer(request.environment.number),
                    .integer(request.before.milliseconds), .integer(Int64(request.limit)),
                ]
            ).changedCount
        }
    }

    package func held(
        contents: Set<ContentHash>
    ) async throws(StoreError) -> Set<ContentHash> {
        try await ask { transaction in
            let found = try transaction.rows(
                """
                SELECT sha256 FROM files WHERE sha256 = ANY ($1) AND is_complete
                UNION SELECT sha256 FROM refusals WHERE sha256 = ANY ($1)
                """, [.texts(contents.map(\.hex))])
            let held = Set(try found.map { try $0.text() })
            return contents.filter { held.contains($0.hex) }
        }
    }

    package func held(uploads: Set<String>) async throws(StoreError) -> Set<String> {
        try await ask { transaction in
            let found = try transaction.rows(
                """
                SELECT DISTINCT upload FROM files
                WHERE upload = ANY ($1) AND upload IS NOT NULL AND NOT is_complete
                """, [.texts(Array(uploads))])
            return Set(try found.map { try $0.text() })
        }
    }
}

// MARK: - Writes of a commit

/// Marks the files that only these records name as loose. Runs before their links are deleted.
func loosenFiles(namedBy sources: [String], in environment: EnvironmentID) -> Statement {
    Statement(
        """
        UPDATE files SET is_named = false
        WHERE environment = $1 AND guid IN (
                SELECT target FROM links WHERE environment = $1 AND source = ANY ($2))
            AND NOT EXISTS (SELECT 1 FROM links
                WHERE environment = $1 AND target = files.guid AND source <> ALL ($2))
        """, [.integer(environment.number), .texts(sources)])
}

// MARK: - Rows

func files(_ guids: [String], in environment: EnvironmentID) -> Statement {
    Statement(
        """
        SELECT guid, login, at, is_named, upload, sha256, size, is_complete
        FROM files WHERE environment = $1 AND guid = ANY ($2)
        """, [.integer(environment.number), .texts(guids)])
}

private func save(
    _ file: StoredFile, in environment: EnvironmentID, _ transaction: PGTransaction
) throws {
    _ = try transaction.rows(
        """
        INSERT INTO files (environment, guid, login, at, is_named, upload, sha256, size,
            is_complete)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        ON CONFLICT (environment, guid) DO UPDATE SET login = excluded.login,
            at = excluded.at, is_named = excluded.is_named, upload = excluded.upload,
            sha256 = excluded.sha256, size = excluded.size, is_complete = excluded.is_complete
        """,
        [
            .integer(environment.number), .text(file.guid), .text(file.login),
            .integer(file.at.milliseconds), .flag(file.isNamed), .text(file.upload?.id),
            .text(file.upload?.contents.hex), .integer(file.upload?.size),
            .flag(file.upload?.isComplete ?? false),
        ])
}

private func looseFiles(
    of login: String, besides guid: String, in environment: EnvironmentID,
    _ transaction: PGTransaction
) throws -> UnreferencedFiles {
    let found = try transaction.rows(
        """
        SELECT count(*), coalesce(sum(size), 0)::bigint FROM files
        WHERE environment = $1 AND login = $2 AND NOT is_named AND guid <> $3
        """, [.integer(environment.number), .text(login), .text(guid)]
    ).map { UnreferencedFiles(count: try $0.int(), bytes: try $0.int64()) }
    return found.first ?? UnreferencedFiles(count: 0, bytes: 0)
}

/// Returns records that name the file, those of the asker first, then those of their group. Reads
/// at most 10,000 links. The engine decides which records make the file visible.
func recordsNaming(
    _ request: FileRequest, _ transaction: PGTransaction
) throws -> [NamingRecord] {
    let records = try transaction.rows(
        """
        WITH named AS MATERIALIZED (SELECT source, is_current FROM links
            WHERE environment = $1 AND target = $2 LIMIT 10000)
        SELECT \(Columns.record)
        FROM named JOIN records ON records.environment = $1 AND records.guid = named.source
        WHERE (is_current AND NOT is_deleted) OR is_conflicted
        ORDER BY (owner = $3)::int + (group_name = $4)::int DESC, guid LIMIT $5
        """,
        [
            .integer(request.environment.number), .text(request.guid), .text(request.login),
            .text(request.group), .integer(Int64(request.limit)),
        ]
    ).map { try StoredRecord(row: &$0) }
    let disputed = records.filter(\.isConflicted).map(\.guid)
    let conflicts: [ByteKey: [StoredConflict]] =
        disputed.isEmpty
        ? [:]
        : try allByText(
            try transaction.rows(of: [openConflicts(of: disputed, in: request.environment)])[0]
        ) { try StoredConflict(row: &$0) }
    return records.map { NamingRecord(record: $0, conflicts: conflicts[ByteKey($0.guid)] ?? []) }
}

extension StoredFile {
    init(row: inout Row) throws {
        self.init(
            guid: try row.text(), login: try row.text(),
            at: try row.instant(), isNamed: try row.flag(), upload: try StoredUpload(row: &row))
    }
}

extension StoredUpload {
    fileprivate init?(row: inout Row) throws {
        let id = try row.optionalText()
        let hash = try row.optionalText().flatMap(ContentHash.init(hex:))
        let size = try row.optionalInt64().map { try row.checked($0, as: .size) }
        let isComplete = try row.flag()
        guard let id else { return nil }
        guard let hash, let size else {
            throw StoreError.unreadable("a file has no SHA-256 or no size", remedy: .backup)
        }
        self.init(id: id, contents: hash, size: size, isComplete: isComplete)
    }
}
