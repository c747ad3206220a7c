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
                    KnownFile(
                        file: $0,
                        namedBy: try recordsNaming(
                            [request.naming], in: request.environment, transaction
                        ).first?.first ?? [])
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
        try await delete(
            request,
            by: """
                DELETE FROM files WHERE environment = $1 AND guid IN (
                    SELECT guid FROM files
                    WHERE environment = $1 AND NOT is_named AND at < $2
                    ORDER BY at, guid LIMIT $3)
                """)
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

/// Returns for each question the records that name each of its files, those of the asker first,
/// then those of their group. The engine decides which records make a file visible. Takes one round
/// trip, and another one where a record has open conflicts.
func recordsNaming(
    _ questions: [NamingQuestion], in environment: EnvironmentID, _ transaction: PGTransaction
) throws -> [[[NamingRecord]]] {
    guard !questions.isEmpty else { return [] }
    let rows = try transaction.rows(of: questions.map { naming($0, in: environment) })
    let found = try zip(questions, rows).map { question, rows in
        try lists(rows, count: question.files.count) { try StoredRecord(row: &$0) }
    }
    let disputed = Set(found.joined().joined().filter(\.isConflicted).map(\.guid)).sorted()
    let conflicts: [ByteKey: [StoredConflict]] =
        disputed.isEmpty
        ? [:]
        : try allByText(
            try transaction.rows(of: [openConflicts(of: disputed, in: environment)])[0]
        ) { try StoredConflict(row: &$0) }
    return found.map { lists in
        lists.map { records in
            records.map { NamingRecord(record: $0, conflicts: conflicts[ByteKey($0.guid)] ?? []) }
        }
    }
}

/// The sorted rows have no values. The size of a text is known without reading it.
private func naming(_ question: NamingQuestion, in environment: EnvironmentID) -> Statement {
    Statement(
        """
        WITH named AS MATERIALIZED (
            SELECT number, place, named_guid
            FROM unnest($2::text[]) WITH ORDINALITY AS wanted (wanted_file, number)
            CROSS JOIN LATERAL (SELECT found.guid AS named_guid,
                    row_number() OVER (ORDER BY near DESC, found.guid) AS place
                FROM (SELECT source, is_current FROM links
                    WHERE environment = $1 AND target = wanted_file LIMIT $5) AS linked
                CROSS JOIN LATERAL (SELECT guid,
                        (owner = $3)::int + (group_name = $4)::int AS near
                    FROM records WHERE environment = $1 AND guid = source
                        AND ((is_current AND NOT is_deleted) OR is_conflicted) OFFSET 0) AS found
                ORDER BY near DESC, found.guid LIMIT $6) AS nearest),
        measured AS (
            SELECT number, place, named_guid,
                (sum(size) OVER (ORDER BY number, place) - size)::bigint AS bytes_before
            FROM named CROSS JOIN LATERAL (SELECT octet_length(fields)
                    + CASE WHEN is_conflicted THEN (SELECT coalesce(sum(octet_length(sides)), 0)
                        FROM conflicts WHERE environment = $1 AND conflicts.guid = named_guid
                            AND is_open) ELSE 0 END AS size
                FROM records WHERE environment = $1 AND guid = named_guid OFFSET 0) AS sizes)
        SELECT number, \(Columns.record) FROM measured
        CROSS JOIN LATERAL (SELECT \(Columns.record) FROM records
            WHERE environment = $1 AND guid = named_guid OFFSET 0) AS found
        WHERE bytes_before < $7 ORDER BY number, place
        """,
        [
            .integer(environment.number), .texts(question.files), .text(question.login),
            .text(question.group), .integer(Int64(question.limit.links)),
            .integer(Int64(question.limit.records)), .integer(Int64(question.limit.bytes)),
        ])
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
