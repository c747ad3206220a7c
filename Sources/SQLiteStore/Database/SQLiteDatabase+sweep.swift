import GRDB
package import SyncEngine

extension SQLiteDatabase {
    package func sweep(_ request: SweepRequest) async throws(StoreError) -> SweepResult {
        try await write { db in
            let choice = try SweepChoice(of: request, among: tombstones(for: request, db)) {
                try countEntries(of: $0, for: request, db)
            }
            if let long = choice.shortened { try shorten(long, for: request, db) }
            for tombstone in choice.purged { try forget(tombstone, in: request.environment, db) }
            if let horizon = choice.horizon {
                try db.execute(
                    sql: "UPDATE environments SET horizon = max(horizon, ?) WHERE id = ?",
                    arguments: [horizon, request.environment.number])
            }
            return choice.result
        }
    }

    package func sweepOutcomes(_ request: SweepRequest) async throws(StoreError) -> Int {
        try await delete(
            request,
            by: """
                DELETE FROM outcomes
                WHERE (environment, login, device_identifier, change_id) IN (
                    SELECT environment, login, device_identifier, change_id FROM outcomes
                    WHERE environment = ? AND expires_at > 0 AND expires_at < ?
                    ORDER BY expires_at LIMIT ?)
                """)
    }

    /// Returns the number of deleted rows. The parameters of the statement are the environment, the
    /// time and the limit of the request.
    func delete(
        _ request: SweepRequest, by statement: String
    ) async throws(StoreError) -> Int {
        try await write { db in
            try db.execute(
                sql: statement,
                arguments: [
                    request.environment.number, request.before.milliseconds, request.limit,
                ])
            return db.changesCount
        }
    }
}

/// Returns the oldest tombstones, and one more than requested if there is one.
private func tombstones(for request: SweepRequest, _ db: Database) throws -> [Tombstone] {
    let statement = try db.cachedStatement(
        sql: """
            SELECT place, guid FROM records
            WHERE environment = ? AND changed_at < ? AND is_deleted AND NOT is_conflicted
            ORDER BY changed_at, place LIMIT ?
            """)
    let rows = try Row.fetchAll(
        statement,
        arguments: [
            request.environment.number, request.before.milliseconds, request.limit + 1,
        ])
    return try rows.map {
        Tombstone(
            guid: try $0.decode(String.self, forColumn: "guid"),
            sequence: RowKey.sequence(of: try $0.decode(Int64.self, forColumn: "place")))
    }
}

/// Returns the number of history entries, or one more than requested.
private func countEntries(
    of tombstone: Tombstone, for request: SweepRequest, _ db: Database
) throws -> Int {
    let statement = try db.cachedStatement(
        sql: """
            SELECT count(*) FROM (
                SELECT 1 FROM history WHERE origin = \(originOfRecord) LIMIT ?)
            """)
    return try Int.fetchOne(
        statement,
        arguments: [request.environment.number, tombstone.guid, request.historyRows + 1]) ?? 0
}

/// Erases a record, unless that was done, and deletes a part of its history, the oldest entries
/// first.
private func shorten(
    _ tombstone: Tombstone, for request: SweepRequest, _ db: Database
) throws {
    let key: StatementArguments = [request.environment.number, tombstone.guid]
    try db.execute(
        sql: """
            INSERT INTO history (origin, environment, guid, revision, kind, change_id, login,
                device_category, device_identifier, at, was_deleted, fields, sequence)
            SELECT origin, environment, guid, revision + 1, 'deleted', '', '', '', '', changed_at,
                1, '{}', ?3
            FROM records
            WHERE environment = ?1 AND guid = ?2 AND NOT EXISTS (
                SELECT 1 FROM history
                WHERE history.origin = records.origin AND history.revision = records.revision
                    AND kind = 'deleted' AND change_id = '')
            """, arguments: key + [tombstone.sequence])
    if db.changesCount > 0 {
        try db.execute(
            sql: """
                UPDATE records SET revision = revision + 1, fields = '{}'
                WHERE environment = ? AND guid = ?
                """, arguments: key)
    }
    try db.execute(
        sql: """
            DELETE FROM history WHERE id IN (
                SELECT id FROM history WHERE origin = \(originOfRecord)
                ORDER BY revision, id LIMIT ?)
            """, arguments: key + [request.historyRows])
}

/// Deletes everything but the guid, so that no new record gets it, and what clients that know a
/// time in place of a cursor need to hear of the deletion.
private func forget(
    _ tombstone: Tombstone, in environment: EnvironmentID, _ db: Database
) throws {
    let key: StatementArguments = [environment.number, tombstone.guid]
    try db.cachedStatement(
        sql: """
            INSERT INTO swept (environment, guid, model, owner, group_name, created, sequence,
                created_at, changed_at)
            SELECT environment, guid, model, owner, group_name, created, ?3, created_at,
                changed_at
            FROM records WHERE environment = ?1 AND guid = ?2
            ON CONFLICT DO NOTHING
            """
    ).execute(arguments: key + [tombstone.sequence])
    try loosenFiles(namedBy: tombstone.guid, in: environment, db)
    for table in ["history", "links"] {
        try db.cachedStatement(sql: "DELETE FROM \(table) WHERE origin = \(originOfRecord)")
            .execute(arguments: key)
    }
    for table in ["records", "conflicts"] {
        try db.cachedStatement(sql: "DELETE FROM \(table) WHERE environment = ? AND guid = ?")
            .execute(arguments: key)
    }
}
