import GRDB
package import SyncEngine

extension SQLiteDatabase {
    package func sweep(_ request: SweepRequest) async throws(StoreError) -> SweepResult {
        try await write { db in
            let found = try tombstones(for: request, db)
            let purged = found.prefix(request.limit)
            for tombstone in purged { try forget(tombstone, in: request.environment, db) }
            if let last = purged.map(\.sequence).max() {
                try db.execute(
                    sql: "UPDATE environments SET horizon = max(horizon, ?) WHERE id = ?",
                    arguments: [last, request.environment.number])
            }
            return SweepResult(records: purged.count, hasMore: found.count > purged.count)
        }
    }

    package func sweepOutcomes(_ request: SweepRequest) async throws(StoreError) -> Int {
        try await write { db in
            try db.execute(
                sql: """
                    DELETE FROM outcomes
                    WHERE (environment, login, device_identifier, change_id) IN (
                        SELECT environment, login, device_identifier, change_id FROM outcomes
                        WHERE environment = ? AND expires_at > 0 AND expires_at < ?
                        ORDER BY expires_at LIMIT ?)
                    """,
                arguments: [
                    request.environment.number, request.before.milliseconds, request.limit,
                ])
            return db.changesCount
        }
    }
}

private struct Tombstone {
    let guid: String
    let sequence: Int64
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
