package import SyncEngine

extension PostgresDatabase {
    package func sweep(_ request: SweepRequest) async throws(StoreError) -> SweepResult {
        try await write { transaction in
            try lock(request.environment, transaction)
            let (found, entries) = try tombstones(for: request, transaction)
            let choice = SweepChoice(of: request, among: found) { entries[$0.sequence] ?? 0 }
            if let long = choice.shortened { try shorten(long, for: request, transaction) }
            if let horizon = choice.horizon {
                _ = try transaction.rows(
                    of: forget(choice.purged.map(\.guid), in: request.environment) + [
                        Statement(
                            "UPDATE environments SET horizon = greatest(horizon, $2) WHERE id = $1",
                            [.integer(request.environment.number), .integer(horizon)])
                    ])
            }
            return choice.result
        }
    }

    package func sweepOutcomes(_ request: SweepRequest) async throws(StoreError) -> Int {
        try await delete(
            request,
            by: """
                DELETE FROM outcomes WHERE ctid IN (
                    SELECT ctid FROM outcomes
                    WHERE environment = $1 AND expires_at > 0 AND expires_at < $2
                    ORDER BY expires_at LIMIT $3)
                """)
    }

    /// Returns the number of deleted rows. The parameters of the statement are the environment, the
    /// time and the limit of the request.
    func delete(
        _ request: SweepRequest, by statement: String
    ) async throws(StoreError) -> Int {
        try await write { transaction in
            try lock(request.environment, transaction)
            return try transaction.rows(
                statement,
                [
                    .integer(request.environment.number),
                    .integer(request.before.milliseconds), .integer(Int64(request.limit)),
                ]
            ).changedCount
        }
    }
}

/// Returns the oldest tombstones, and one more than is purged at once if there is one, and the
/// numbers of their history entries by sequence. A row is an entry of a history, or a tombstone
/// without any.
private func tombstones(
    for request: SweepRequest, _ transaction: PGTransaction
) throws -> ([Tombstone], entries: [Int64: Int]) {
    let rows = try transaction.rows(
        """
        SELECT guid, sequence, coalesce(entry, 0)::bigint FROM (
            SELECT guid, sequence, changed_at FROM records
            WHERE environment = $1 AND changed_at < $2 AND is_deleted AND NOT is_conflicted
            ORDER BY changed_at, sequence LIMIT $3) AS old
        LEFT JOIN LATERAL (
            SELECT 1 AS entry FROM history
            WHERE environment = $1 AND history.guid = old.guid LIMIT $4) AS entries ON true
        ORDER BY changed_at, sequence LIMIT $5
        """,
        [
            .integer(request.environment.number), .integer(request.before.milliseconds),
            .integer(Int64(request.limit) + 1), .integer(Int64(request.historyRows) + 1),
            .integer(Int64(request.historyRows) + Int64(request.limit) + 2),
        ]
    ).map { row in
        (Tombstone(guid: try row.text(), sequence: try row.number(as: .sequence)), try row.int())
    }
    return rows.reduce(into: ([], [:])) { found, row in
        if found.0.last != row.0 { found.0.append(row.0) }
        found.entries[row.0.sequence, default: 0] += row.1
    }
}

/// Erases a record, unless that was done, and deletes a part of its history, the oldest entries
/// first.
private func shorten(
    _ tombstone: Tombstone, for request: SweepRequest, _ transaction: PGTransaction
) throws {
    let key: [Parameter] = [.integer(request.environment.number), .text(tombstone.guid)]
    let added = try transaction.rows(
        """
        INSERT INTO history (environment, guid, revision, kind, change_id, login,
            device_category, device_identifier, at, was_deleted, fields, sequence)
        SELECT environment, guid, revision + 1, 'deleted', '', '', '', '', changed_at, true, '{}',
            sequence
        FROM records
        WHERE environment = $1 AND guid = $2 AND NOT EXISTS (
            SELECT 1 FROM history
            WHERE history.environment = records.environment AND history.guid = records.guid
                AND history.revision = records.revision AND kind = 'deleted' AND change_id = '')
        """, key
    ).changedCount
    if added > 0 {
        _ = try transaction.rows(
            """
            UPDATE records SET revision = revision + 1, fields = '{}'
            WHERE environment = $1 AND guid = $2
            """, key)
    }
    _ = try transaction.rows(
        """
        DELETE FROM history WHERE ctid IN (
            SELECT ctid FROM history WHERE environment = $1 AND guid = $2
            ORDER BY revision, id LIMIT $3)
        """, key + [.integer(Int64(request.historyRows))])
}

/// Deletes everything but the guids, so that no new record gets one of them, and what clients that
/// know a time in place of a cursor need to hear of the deletion.
private func forget(_ guids: [String], in environment: EnvironmentID) -> [Statement] {
    let parameters: [Parameter] = [.integer(environment.number), .texts(guids)]
    return [
        Statement(
            """
            INSERT INTO swept (environment, guid, model, owner, group_name, created, sequence,
                created_at, changed_at)
            SELECT environment, guid, model, owner, group_name, created, sequence, created_at,
                changed_at
            FROM records WHERE environment = $1 AND guid = ANY ($2)
            ON CONFLICT DO NOTHING
            """, parameters)
    ]
        + ["records", "history", "conflicts"].map { table in
            Statement("DELETE FROM \(table) WHERE environment = $1 AND guid = ANY ($2)", parameters)
        } + [
            loosenFiles(namedBy: guids, in: environment),
            Statement("DELETE FROM links WHERE environment = $1 AND source = ANY ($2)", parameters),
        ]
}
