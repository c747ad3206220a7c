package import FileExchange
import GRDB
package import SyncEngine

extension SQLiteDatabase: FileStore {
    package func file(
        _ request: FileRequest
    ) async throws(StoreError) -> (known: KnownFile?, fingerprint: String) {
        try await read { db in
            let file = try storedFile(request.guid, in: request.environment, db)
            return (
                try file.map {
                    KnownFile(
                        file: $0,
                        namedBy: try recordsNaming(request.naming, in: request.environment, db)
                            .first ?? [])
                },
                try currentFingerprint(of: request.environment, db)
            )
        }
    }

    package func changeFile<Result: Sendable>(
        _ guid: String, of login: String, in environment: EnvironmentID,
        deciding: @escaping @Sendable (FileState) -> (StoredFile?, Result)
    ) async throws(StoreError) -> Result {
        try await write { db in
            let state = FileState(
                file: try storedFile(guid, in: environment, db),
                loose: try looseFiles(of: login, besides: guid, in: environment, db))
            let (file, result) = deciding(state)
            if let file { try save(file, in: environment, db) }
            return result
        }
    }

    package func sweepFiles(_ request: SweepRequest) async throws(StoreError) -> Int {
        try await delete(
            request,
            by: """
                DELETE FROM files WHERE environment = ?1 AND guid IN (
                    SELECT guid FROM files
                    WHERE environment = ?1 AND NOT is_named AND at < ?2
                    ORDER BY at, guid LIMIT ?3)
                """)
    }

    package func held(
        contents: Set<ContentHash>
    ) async throws(StoreError) -> Set<ContentHash> {
        try await read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT 1 FROM files WHERE sha256 = ?1 AND is_complete
                    UNION ALL SELECT 1 FROM refusals WHERE sha256 = ?1 LIMIT 1
                    """)
            return try contents.filter {
                try Bool.fetchOne(statement, arguments: [$0.hex]) != nil
            }
        }
    }

    package func held(uploads: Set<String>) async throws(StoreError) -> Set<String> {
        try await read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT 1 FROM files
                    WHERE upload = ? AND upload IS NOT NULL AND NOT is_complete LIMIT 1
                    """)
            return try uploads.filter {
                try Bool.fetchOne(statement, arguments: [$0]) != nil
            }
        }
    }
}

// MARK: - Writes of a commit

/// Records that files are named. The first user to name an unknown file becomes its author.
func claim(_ claims: [FileClaim], in environment: EnvironmentID, _ db: Database) throws {
    guard !claims.isEmpty else { return }
    let statement = try db.cachedStatement(
        sql: """
            INSERT INTO files (environment, guid, login, at, is_named) VALUES (?, ?, ?, ?, 1)
            ON CONFLICT (environment, guid) DO UPDATE SET is_named = 1 WHERE NOT is_named
            """)
    for claim in claims {
        try statement.execute(
            arguments: [environment.number, claim.guid, claim.login, claim.at.milliseconds])
    }
}

/// Marks the files that only this record names as loose. Called before its links are deleted.
func loosenFiles(
    namedBy source: String, in environment: EnvironmentID, _ db: Database
) throws {
    let statement = try db.cachedStatement(
        sql: """
            UPDATE files SET is_named = 0
            WHERE environment = ?1
                AND guid IN (SELECT target FROM links
                    WHERE origin = (SELECT origin FROM records
                        WHERE environment = ?1 AND guid = ?2))
                AND NOT EXISTS (SELECT 1 FROM links
                    WHERE environment = ?1 AND target = files.guid AND source <> ?2)
            """)
    try statement.execute(arguments: [environment.number, source])
}

// MARK: - Rows

func storedFile(
    _ guid: String, in environment: EnvironmentID, _ db: Database
) throws -> StoredFile? {
    let statement = try db.cachedStatement(
        sql: """
            SELECT guid, login, at, is_named, upload, sha256, size, is_complete
            FROM files WHERE environment = ? AND guid = ?
            """)
    return try Row.fetchOne(statement, arguments: [environment.number, guid])
        .map(StoredFile.init(row:))
}

private func save(
    _ file: StoredFile, in environment: EnvironmentID, _ db: Database
) throws {
    let statement = try db.cachedStatement(
        sql: """
            INSERT INTO files (environment, guid, login, at, is_named, upload, sha256, size,
                is_complete)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (environment, guid) DO UPDATE SET login = excluded.login,
                at = excluded.at, is_named = excluded.is_named, upload = excluded.upload,
                sha256 = excluded.sha256, size = excluded.size, is_complete = excluded.is_complete
            """)
    try statement.execute(arguments: [
        environment.number, file.guid, file.login, file.at.milliseconds, file.isNamed,
        file.upload?.id, file.upload?.contents.hex, file.upload?.size,
        file.upload?.isComplete ?? false,
    ])
}

private func looseFiles(
    of login: String, besides guid: String, in environment: EnvironmentID, _ db: Database
) throws -> UnreferencedFiles {
    let statement = try db.cachedStatement(
        sql: """
            SELECT count(*) AS count, coalesce(sum(size), 0) AS bytes FROM files
            WHERE environment = ? AND login = ? AND NOT is_named AND guid <> ?
            """)
    let row = try Row.fetchOne(statement, arguments: [environment.number, login, guid])
    return try row.map {
        UnreferencedFiles(
            count: try $0.decode(Int.self, forColumn: "count"),
            bytes: try $0.decode(Int64.self, forColumn: "bytes"))
    } ?? UnreferencedFiles(count: 0, bytes: 0)
}

/// Returns records that name each file, those of the asker first, then those of their group. The
/// engine decides which records make a file visible.
func recordsNaming(
    _ question: NamingQuestion, in environment: EnvironmentID, _ db: Database
) throws -> [[NamingRecord]] {
    var bytes = 0
    return try question.files.map { file in
        var found: [NamingRecord] = []
        for guid in try nearest(naming: file, question, in: environment, db)
        where bytes < question.limit.bytes {
            guard let record = try namingRecord(guid, in: environment, db) else { continue }
            bytes += record.conflicts.reduce(record.record.fieldsText.utf8.count) {
                $0 + $1.text.utf8.count
            }
            found.append(record)
        }
        return found
    }
}

/// Returns guids. The sorted rows have no values.
private func nearest(
    naming file: String, _ question: NamingQuestion, in environment: EnvironmentID, _ db: Database
) throws -> [String] {
    let statement = try db.cachedStatement(
        sql: """
            WITH named AS (SELECT source, is_current FROM links
                WHERE environment = ?1 AND target = ?2 LIMIT ?5)
            SELECT records.guid FROM named JOIN records
                ON records.environment = ?1 AND records.guid = named.source
            WHERE (is_current AND NOT is_deleted) OR is_conflicted
            ORDER BY (owner = ?3) + (group_name = ?4) DESC, records.guid LIMIT ?6
            """)
    return try String.fetchAll(
        statement,
        arguments: [
            environment.number, file, question.login, question.group, question.limit.links,
            question.limit.records,
        ])
}

private func namingRecord(
    _ guid: String, in environment: EnvironmentID, _ db: Database
) throws -> NamingRecord? {
    let statement = try db.cachedStatement(
        sql: """
            SELECT guid, model, owner, group_name, revision, is_deleted, is_conflicted, fields
            FROM records WHERE environment = ? AND guid = ?
            """)
    return try Row.fetchOne(statement, arguments: [environment.number, guid]).map { row in
        let record = try StoredRecord(row: row)
        return NamingRecord(
            record: record,
            conflicts: record.isConflicted
                ? try openConflicts(of: record.guid, in: environment, db) : [])
    }
}

extension StoredFile {
    fileprivate init(row: Row) throws {
        self.init(
            guid: try row.decode(String.self, forColumn: "guid"),
            login: try row.decode(String.self, forColumn: "login"),
            at: try row.instant("at"),
            isNamed: try row.decode(Bool.self, forColumn: "is_named"),
            upload: try StoredUpload(row: row))
    }
}

extension StoredUpload {
    fileprivate init?(row: Row) throws {
        guard let id = try row.decode(String?.self, forColumn: "upload") else { return nil }
        let hash = ContentHash(hex: try row.decode(String.self, forColumn: "sha256"))
        guard let hash else { throw StoreError.unreadable("a file has no SHA-256") }
        self.init(
            id: id, contents: hash, size: try row.number("size", as: .size),
            isComplete: try row.decode(Bool.self, forColumn: "is_complete"))
    }
}
