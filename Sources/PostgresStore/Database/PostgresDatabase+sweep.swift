package import SyncEngine

extension PostgresDatabase {
    package func sweep(_ request: SweepRequest) async throws(StoreError) -> SweepResult {
        try await write { transaction in
            try lock(request.environment, transaction)
            let found = try tombstones(for: request, transaction)
            let purged = found.prefix(request.limit)
            if let last = purged.map(\.sequence).max() {
                let guids = purged.map(\.guid)
                _ = try transaction.rows(
                    of: forget(guids, in: request.environment) + [
                        Statement(
                            "UPDATE environments SET horizon = greatest(horizon, $2) WHERE id = $1",
                            [.integer(request.environment.number), .integer(last)])
                    ])
            }
            return SweepResult(records: purged.count, hasMore: found.count > purged.count)
        }
    }

    package func sweepOutcomes(_ request: SweepRequest) async throws(StoreError) -> Int {
        try await write { transaction in
            try lock(request.environment, transaction)
            return try transaction.rows(
                """
                DELETE FROM outcomes WHERE ctid IN (
                    SELECT ctid FROM outcomes
                    WHERE environment = $1 AND expires_at > 0 AND expires_at < $2
                    ORDER BY expires_at LIMIT $3)
                """,
                [
                    .integer(request.environment.number),
                    .integer(request.before.milliseconds), .integer(Int64(request.limit)),
                ]
            ).changedCount
        }
    }
}

private struct Tombstone {
    let guid: String
    let sequence: Int64
}

/// Returns the oldest tombstones, and one more than requested if there is one.
private func tombstones(
    for request: SweepRequest, _ transaction: PGTransaction
) throws -> [Tombstone] {
    try transaction.rows(
        """
        SELECT guid, sequence FROM records
        WHERE environment = $1 AND changed_at < $2 AND is_deleted AND NOT is_conflicted
        ORDER BY changed_at, sequence LIMIT $3
        """,
        [
            .integer(request.environment.number), .integer(request.before.milliseconds),
            .integer(Int64(request.limit) + 1),
        ]
    ).map { Tombstone(guid: try $0.text(), sequence: try $0.number(as: .sequence)) }
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
