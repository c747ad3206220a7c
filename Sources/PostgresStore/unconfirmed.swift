import SyncEngine

/// The history of records after the sequence that was asked for, and of conflicted and deleted ones
/// all of it.
func history(
    of records: [String: StoredRecord], for need: Need, _ transaction: Transaction
) throws -> [String: [HistoryEntry]] {
    let records = Array(records.values)
    guard let sequence = need.historySince, !records.isEmpty else { return [:] }
    let rows = try transaction.rows(
        """
        SELECT guid, \(Columns.entry)
        FROM unnest($2::text[], $3::bigint[]) AS base (base_guid, base_sequence)
            JOIN history ON environment = $1 AND guid = base_guid AND sequence > base_sequence
        ORDER BY guid, revision, id
        """,
        [
            .integer(need.environment.number), .texts(records.map(\.guid)),
            .integers(records.map { $0.isConflicted || $0.isDeleted ? -1 : sequence }),
        ])
    return try allByText(rows) { try HistoryEntry(row: &$0) }.dictionary(of: records.map(\.guid))
}

/// Empty where no sequence is asked for.
func unconfirmed(
    of records: [String: StoredRecord], for need: Need, _ transaction: Transaction
) throws -> [String: Unconfirmed] {
    guard let sequence = need.historySince, !records.isEmpty else { return [:] }
    let parameters: [Parameter] = [
        .integer(need.environment.number), .texts(Array(records.keys)), .integer(sequence),
    ]
    let found = try transaction.rows(of: [
        Statement(
            """
            SELECT guid, count(*) FROM history
            WHERE environment = $1 AND guid = ANY ($2) AND sequence > $3 GROUP BY guid
            """, parameters),
        Statement(
            """
            SELECT DISTINCT ON (guid) guid, \(Columns.move) FROM moves
            WHERE environment = $1 AND guid = ANY ($2) AND sequence > $3 ORDER BY guid, sequence
            """, parameters),
        openConflicts(
            of: records.values.filter(\.isConflicted).map(\.guid), in: need.environment),
    ])
    let counts = try allByText(found[0]) { try $0.int() }
    let moves = try allByText(found[1]) { try OwnershipMove(row: &$0) }
    let disputes = try allByText(found[2]) { try StoredConflict(row: &$0) }
    return Dictionary(
        uniqueKeysWithValues: records.keys.map { guid in
            let own = (disputes[guid] ?? []).filter { $0.device == need.device }
            return (
                guid,
                Unconfirmed(
                    entries: counts[guid]?.first ?? 0, firstMove: moves[guid]?.first,
                    disputes: own)
            )
        })
}
