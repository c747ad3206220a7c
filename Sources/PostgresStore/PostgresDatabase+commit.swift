package import SyncEngine

extension PostgresDatabase {
    package func commit<Result: Sendable>(
        _ need: Need, reading request: PageRequest?,
        wanting:
            @escaping @Sendable ([String: StoredRecord]) throws(StoreError) -> Set<UniqueValue>,
        deciding: @escaping @Sendable (Facts) throws(StoreError) -> (Writes, Result)
    ) async throws(StoreError) -> Committed<Result> {
        try await commits.commit(in: need.environment, with: write) { transaction in
            let (facts, last) = try facts(for: need, wanting: wanting, transaction)
            let (writes, result) = try deciding(facts)
            try carryOut(writes, in: need.environment, for: need.device, after: last, transaction)
            return Committed(result: result, page: nil)
        }
    }
}

// MARK: - Reading

/// With the environment's last sequence.
private func facts(
    for need: Need,
    wanting: ([String: StoredRecord]) throws(StoreError) -> Set<UniqueValue>,
    _ transaction: Transaction
) throws -> (Facts, lastSequence: Int64) {
    let first = try transaction.rows(of: [
        currentState(of: need.environment), records(of: need.guids, in: need.environment),
        outcomes(of: need), swept(of: need), history(of: need),
    ])
    let state = try CurrentState(first[0])
    let records = try byGuid(first[1]).dictionary(of: need.guids)
    let holders = try holders(of: try wanting(records), in: need.environment, transaction)
    let isGiven = need.historySince == nil
    let facts = Facts(
        fingerprint: state.fingerprint, outcomes: try outcomes(first[2], of: need),
        records: records,
        history: isGiven
            ? try history(first[4], of: need, records)
            : try history(of: records, for: need, transaction),
        openConflicts: try openConflictCounts(
            of: records.values.filter(\.isConflicted), in: need.environment, transaction),
        holders: holders,
        sweptGuids: try sweptGuids(first[3], of: need, besides: records),
        unseenGraphs: try unseenGraphs(of: need, transaction),
        files: try knownFiles(of: need, transaction),
        unconfirmed: try unconfirmed(of: records, for: need, transaction))
    return (facts, state.moment.sequence)
}

func records(of guids: [String], in environment: EnvironmentID) -> Statement {
    Statement(
        "SELECT \(Columns.record) FROM records WHERE environment = $1 AND guid = ANY ($2)",
        [.integer(environment.number), .texts(guids)])
}

func byGuid(_ rows: Rows) throws -> ByBytes<StoredRecord> {
    let records = try rows.map { try StoredRecord(row: &$0) }
    return ByBytes(records.map { ($0.guid, $0) })
}

private func outcomes(of need: Need) -> Statement {
    Statement(
        """
        SELECT change_id, outcome FROM outcomes
        WHERE environment = $1 AND login = $2 AND device_identifier = $3 AND change_id = ANY ($4)
        """,
        [
            .integer(need.environment.number), .text(need.device.login),
            .text(need.device.deviceIdentifier), .texts(need.changeIDs),
        ])
}

private func outcomes(_ rows: Rows, of need: Need) throws -> [String: StoredOutcome] {
    let texts = try byText(rows) { try $0.text() }.dictionary(of: need.changeIDs)
    return Dictionary(
        uniqueKeysWithValues: texts.map { ($0, StoredOutcome(changeID: $0, text: $1)) })
}

private func swept(of need: Need) -> Statement {
    Statement(
        "SELECT guid FROM swept WHERE environment = $1 AND guid = ANY ($2)",
        [.integer(need.environment.number), .texts(need.guids)])
}

private func sweptGuids(
    _ rows: Rows, of need: Need, besides records: [String: StoredRecord]
) throws -> Set<String> {
    let swept = try byText(rows) { _ in true }
    return Set(need.guids.filter { records[$0] == nil && swept[$0] != nil })
}

/// Of the records that have moved on from the revisions that changes were made from. Begins with
/// the guid.
private func history(of need: Need) -> Statement {
    let bases = need.historySince == nil ? Array(need.baseRevisions) : []
    return Statement(
        """
        SELECT guid, \(Columns.entry)
        FROM unnest($2::text[], $3::bigint[]) AS base (base_guid, base_revision)
            JOIN history ON environment = $1 AND guid = base_guid AND revision > base_revision
        ORDER BY guid, revision, id
        """,
        [
            .integer(need.environment.number), .texts(bases.map(\.key)),
            .integers(bases.map(\.value)),
        ])
}

/// A record that has moved on is in it also when nothing is known of how.
private func history(
    _ rows: Rows, of need: Need, _ records: [String: StoredRecord]
) throws -> [String: [HistoryEntry]] {
    let found = try allByText(rows) { try HistoryEntry(row: &$0) }
    let movedOn = need.baseRevisions.filter { guid, base in
        records[guid].map { $0.revision > base } ?? false
    }
    return Dictionary(uniqueKeysWithValues: movedOn.keys.map { ($0, found[$0] ?? []) })
}

private func openConflictCounts(
    of records: [StoredRecord], in environment: EnvironmentID, _ transaction: Transaction
) throws -> [String: Int] {
    guard !records.isEmpty else { return [:] }
    let rows = try transaction.rows(
        """
        SELECT guid, (SELECT count(*) FROM conflicts
            WHERE environment = $1 AND conflicts.guid = wanted.guid AND is_open)
        FROM unnest($2::text[]) AS wanted (guid)
        """, [.integer(environment.number), .texts(records.map(\.guid))])
    return try byText(rows) { try $0.int() }.dictionary(of: records.map(\.guid))
}

// MARK: - Writing

/// All of it takes one way to the server; what is first in this order is done first.
private func carryOut(
    _ writes: Writes, in environment: EnvironmentID, for device: DeviceKey,
    after last: Int64, _ transaction: Transaction
) throws {
    let records = Array(zip(writes.records, (last + 1)...))
    let freeing = free(writes.freedValues, in: environment)
    let statements =
        freeing + take(sequences: records.count, in: environment)
        + write(records, at: writes.at, in: environment)
        + claim(writes.namedFiles, for: device.login, at: writes.at, in: environment)
        + write(writes.links, former: writes.formerLinks, ended: writes.endedLinks, in: environment)
        + write(writes.history, of: records, after: last, in: environment)
        + close(conflictsOf: writes.closedConflicts, in: environment)
        + open(writes.openedConflicts, in: environment)
        + take(writes.takenValues, in: environment)
        + forget(outcomes: writes.acknowledged, in: environment, of: device)
        + write(writes.outcomes, in: environment, of: device)
    guard !statements.isEmpty else { return }
    let done = try transaction.rows(of: statements)
    if !freeing.isEmpty { try checkFreed(writes.freedValues, done[0]) }
}

/// No one else can: this transaction has the environment's lock.
private func take(sequences count: Int, in environment: EnvironmentID) -> [Statement] {
    guard count > 0 else { return [] }
    return [
        Statement(
            "UPDATE environments SET sequence = sequence + $2 WHERE id = $1",
            [.integer(environment.number), .integer(Int64(count))])
    ]
}

/// A record that is there already gets its new place. One that is written twice is so in the given
/// order.
private func write(
    _ records: [(StoredRecord, Int64)], at moment: Instant, in environment: EnvironmentID
) -> [Statement] {
    var rest = records[...]
    var statements: [Statement] = []
    while !rest.isEmpty {
        var guids: Set<String> = []
        let part = rest.prefix { guids.insert($0.0.guid).inserted }
        rest = rest.dropFirst(part.count)
        statements += [
            moves(of: Array(part), in: environment), rows(of: Array(part), at: moment, environment),
        ]
    }
    return statements
}

/// Notes whose the records were until now, where that changes.
private func moves(of records: [(StoredRecord, Int64)], in environment: EnvironmentID) -> Statement
{
    Statement(
        """
        INSERT INTO moves (environment, guid, sequence, revision, owner, group_name)
        SELECT $1, guid, new.sequence, new.revision, owner, group_name
        FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::text[])
                AS new (new_guid, sequence, revision, new_owner, new_group)
            JOIN records ON environment = $1 AND guid = new_guid
        WHERE owner <> new_owner OR group_name <> new_group
        """,
        [
            .integer(environment.number), .texts(records.map(\.0.guid)),
            .integers(records.map(\.1)), .integers(records.map(\.0.revision)),
            .texts(records.map(\.0.owner)), .texts(records.map(\.0.group)),
        ])
}

private func rows(
    of records: [(StoredRecord, Int64)], at moment: Instant, _ environment: EnvironmentID
) -> Statement {
    Statement(
        """
        INSERT INTO records AS old (environment, guid, sequence, model, owner, group_name,
            revision, is_deleted, is_conflicted, fields, created, moved, changed_at)
        SELECT $1, guid, sequence, model, owner, group_name, revision, is_deleted, is_conflicted,
            fields, sequence, 0, $2
        FROM unnest($3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::bigint[],
            $9::boolean[], $10::boolean[], $11::text[])
            AS new (guid, sequence, model, owner, group_name, revision, is_deleted,
                is_conflicted, fields)
        ORDER BY sequence
        ON CONFLICT (environment, guid) DO UPDATE SET sequence = excluded.sequence,
            model = excluded.model, owner = excluded.owner, group_name = excluded.group_name,
            revision = excluded.revision, is_deleted = excluded.is_deleted,
            is_conflicted = excluded.is_conflicted, fields = excluded.fields,
            changed_at = excluded.changed_at,
            moved = CASE
                WHEN old.owner <> excluded.owner OR old.group_name <> excluded.group_name
                THEN excluded.created ELSE old.moved END
        """,
        [
            .integer(environment.number), .integer(moment.milliseconds),
            .texts(records.map(\.0.guid)), .integers(records.map(\.1)),
            .texts(records.map(\.0.model)), .texts(records.map(\.0.owner)),
            .texts(records.map(\.0.group)), .integers(records.map(\.0.revision)),
            .flags(records.map(\.0.isDeleted)), .flags(records.map(\.0.isConflicted)),
            .texts(records.map(\.0.fieldsText)),
        ])
}

/// What was set aside without a change of its record is of the environment's last change.
private func write(
    _ entries: [HistoryEntry], of records: [(StoredRecord, Int64)], after last: Int64,
    in environment: EnvironmentID
) -> [Statement] {
    guard !entries.isEmpty else { return [] }
    let last = last + Int64(records.count)
    let sequences = Dictionary(
        records.map { ($0.guid, $1) }, uniquingKeysWith: { _, later in later })
    return [
        Statement(
            """
            INSERT INTO history (environment, guid, revision, kind, change_id, login,
                device_category, device_identifier, at, was_deleted, fields, sequence)
            SELECT $1, entry.* FROM unnest($2::text[], $3::bigint[], $4::text[], $5::text[],
                $6::text[], $7::text[], $8::text[], $9::bigint[], $10::boolean[], $11::text[],
                $12::bigint[]) AS entry
            """,
            [
                .integer(environment.number), .texts(entries.map(\.guid)),
                .integers(entries.map(\.revision)), .texts(entries.map(\.kind.rawValue)),
                .texts(entries.map(\.changeID)), .texts(entries.map(\.login)),
                .texts(entries.map(\.deviceCategory)), .texts(entries.map(\.deviceIdentifier)),
                .integers(entries.map(\.at.milliseconds)), .flags(entries.map(\.wasDeleted)),
                .texts(entries.map(\.fieldsText)),
                .integers(entries.map { sequences[$0.guid] ?? last }),
            ])
    ]
}

private func open(_ conflicts: [StoredConflict], in environment: EnvironmentID) -> [Statement] {
    guard !conflicts.isEmpty else { return [] }
    return [
        Statement(
            """
            INSERT INTO conflicts (environment, guid, revision, is_open, login,
                device_identifier, sides)
            SELECT $1, guid, revision, true, login, device_identifier, sides
            FROM unnest($2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[])
                AS opened (guid, revision, login, device_identifier, sides)
            """,
            [
                .integer(environment.number), .texts(conflicts.map(\.guid)),
                .integers(conflicts.map(\.revision)), .texts(conflicts.map(\.device.login)),
                .texts(conflicts.map(\.device.deviceIdentifier)), .texts(conflicts.map(\.text)),
            ])
    ]
}

private func close(conflictsOf guids: [String], in environment: EnvironmentID) -> [Statement] {
    guard !guids.isEmpty else { return [] }
    return [
        Statement(
            "UPDATE conflicts SET is_open = false WHERE environment = $1 AND guid = ANY ($2)",
            [.integer(environment.number), .texts(guids)])
    ]
}

private func write(
    _ outcomes: [StoredOutcome], in environment: EnvironmentID, of device: DeviceKey
) -> [Statement] {
    guard !outcomes.isEmpty else { return [] }
    return [
        Statement(
            """
            INSERT INTO outcomes (environment, login, device_identifier, change_id, outcome)
            SELECT $1, $2, $3, outcome.* FROM unnest($4::text[], $5::text[]) AS outcome
            """,
            [
                .integer(environment.number), .text(device.login),
                .text(device.deviceIdentifier), .texts(outcomes.map(\.changeID)),
                .texts(outcomes.map(\.text)),
            ])
    ]
}

private func forget(
    outcomes changeIDs: [String], in environment: EnvironmentID, of device: DeviceKey
) -> [Statement] {
    guard !changeIDs.isEmpty else { return [] }
    return [
        Statement(
            """
            DELETE FROM outcomes WHERE environment = $1 AND login = $2
                AND device_identifier = $3 AND change_id = ANY ($4)
            """,
            [
                .integer(environment.number), .text(device.login),
                .text(device.deviceIdentifier), .texts(changeIDs),
            ])
    ]
}
