import GRDB
package import SyncEngine

extension SQLiteDatabase {
    package func commit<Result: Sendable>(
        _ need: Need, reading request: PageRequest?,
        wanting:
            @escaping @Sendable ([String: StoredRecord]) throws(StoreError) -> Set<UniqueValue>,
        deciding: @escaping @Sendable (Facts) throws(StoreError) -> (Writes, Result)
    ) async throws(StoreError) -> Committed<Result> {
        try await commits.commit { writer in
            let now = try environmentNow(of: need.environment, writer)
            let facts = try facts(for: need, at: now, wanting: wanting, writer)
            let (writes, result) = try deciding(facts)
            try carryOut(
                writes, former: FormerRecords(need, facts), after: now.moment.sequence,
                in: need.environment, for: need.device, writer)
            return result
        } then: { result, moment in
            Committed(result: result, page: request.flatMap { moment?.littlePage($0) })
        }
    }
}

// MARK: - Reading

private func facts(
    for need: Need, at now: EnvironmentNow,
    wanting: ([String: StoredRecord]) throws(StoreError) -> Set<UniqueValue>, _ writer: Writer
) throws -> Facts {
    let db = writer.db
    let records = try records(of: need, writer)
    return Facts(
        fingerprint: now.fingerprint,
        outcomes: try outcomes(of: need, writer), records: records,
        history: try history(of: need, records: records, db),
        openConflicts: try openConflicts(
            of: records.values.filter(\.isConflicted), in: need.environment, db),
        holders: try holders(of: try wanting(records), in: need.environment, db),
        sweptGuids: try sweptGuids(of: need, besides: records, writer),
        unseenGraphs: try unseenGraphs(of: need, db), files: try knownFiles(of: need, db),
        unconfirmed: try unconfirmed(of: records, for: need, db))
}

private func sweptGuids(
    of need: Need, besides records: [String: StoredRecord], _ writer: Writer
) throws -> Set<String> {
    let absent = need.guids.filter { records[$0] == nil }
    // For many it is worth a look whether any record was ever swept.
    if absent.count > 1 {
        let any = try writer.db.cachedStatement(
            sql: "SELECT 1 FROM swept WHERE environment = ? LIMIT 1")
        let arguments: StatementArguments = [need.environment.number]
        guard try Bool.fetchOne(any, arguments: arguments) != nil else { return [] }
    }
    let statement = try writer.statement(
        "SELECT 1 FROM swept WHERE environment = ? AND guid = ?")
    return try Set(
        absent.filter { guid in
            try statement.first([.integer(need.environment.number), .text(guid)]) { _ in }
                != nil
        })
}

private func openConflicts(
    of records: [StoredRecord], in environment: EnvironmentID, _ db: Database
) throws -> [String: Int] {
    guard !records.isEmpty else { return [:] }
    let statement = try db.cachedStatement(
        sql: "SELECT count(*) FROM conflicts WHERE environment = ? AND guid = ? AND is_open")
    var counts: [String: Int] = [:]
    for record in records {
        counts[record.guid] = try Int.fetchOne(
            statement, arguments: [environment.number, record.guid])
    }
    return counts
}

private func outcomes(of need: Need, _ writer: Writer) throws -> [String: StoredOutcome] {
    let statement = try writer.statement(
        """
        SELECT outcome FROM outcomes
        WHERE environment = ? AND login = ? AND device_identifier = ? AND change_id = ?
        """)
    var outcomes: [String: StoredOutcome] = [:]
    for id in need.changeIDs {
        let text = try statement.first([
            .integer(need.environment.number), .text(need.device.login),
            .text(need.device.deviceIdentifier), .text(id),
        ]) { try $0.text(0) }
        if let text { outcomes[id] = StoredOutcome(changeID: id, text: text) }
    }
    return outcomes
}

private func records(of need: Need, _ writer: Writer) throws -> [String: StoredRecord] {
    let statement = try writer.statement(
        """
        SELECT guid, model, owner, group_name, revision, is_deleted, is_conflicted, fields
        FROM records WHERE environment = ? AND guid = ?
        """)
    var records: [String: StoredRecord] = [:]
    for guid in need.guids {
        records[guid] = try statement.first(
            [.integer(need.environment.number), .text(guid)], StoredRecord.init(row:))
    }
    return records
}

extension StoredRecord {
    fileprivate init(row: StatementRow) throws {
        self.init(
            guid: try row.text(0), model: try row.text(1), owner: try row.text(2),
            group: try row.text(3), revision: row.number(4), isDeleted: row.number(5) != 0,
            isConflicted: row.number(6) != 0, fieldsText: try row.text(7))
    }
}

private func history(
    of need: Need, records: [String: StoredRecord], _ db: Database
) throws -> [String: [HistoryEntry]] {
    if let sequence = need.historySince {
        return try history(of: records, since: sequence, in: need.environment, db)
    }
    let behind = need.baseRevisions.filter { guid, base in
        records[guid].map { $0.revision > base } ?? false
    }
    guard !behind.isEmpty else { return [:] }
    let statement = try db.cachedStatement(
        sql: """
            SELECT guid, revision, kind, change_id, login, device_category, device_identifier, at,
                was_deleted, fields
            FROM history WHERE origin = \(originOfRecord) AND revision > ?
            ORDER BY revision, id
            """)
    var history: [String: [HistoryEntry]] = [:]
    for (guid, base) in behind {
        let rows = try Row.fetchAll(
            statement, arguments: [need.environment.number, guid, base])
        history[guid] = try rows.map(HistoryEntry.init(row:))
    }
    return history
}

// MARK: - Writing

private func carryOut(
    _ writes: Writes, former: FormerRecords, after last: Int64, in environment: EnvironmentID,
    for device: DeviceKey, _ writer: Writer
) throws {
    let db = writer.db
    let sequences = try write(
        writes.records, former: former, after: last, at: writes.at, in: environment, writer)
    try claim(writes.namedFiles, for: device.login, at: writes.at, in: environment, db)
    try write(
        writes.links, former: writes.formerLinks, ended: writes.endedLinks, in: environment, db)
    try write(
        writes.history, sequences: sequences, otherwise: last + Int64(writes.records.count),
        in: environment, writer)
    try close(conflictsOf: writes.closedConflicts, in: environment, db)
    try open(writes.openedConflicts, in: environment, db)
    try free(writes.freedValues, in: environment, db)
    try take(writes.takenValues, in: environment, db)
    try forget(outcomes: writes.acknowledged, in: environment, of: device, writer)
    try write(writes.outcomes, in: environment, of: device, writer)
}

/// A record that is there already moves to its new place. Gives the sequences by guid: those that
/// come after the last. No one else can take them, since this transaction is the only writer.
private func write(
    _ records: [StoredRecord], former: FormerRecords, after last: Int64, at moment: Instant,
    in environment: EnvironmentID, _ writer: Writer
) throws -> [String: Int64] {
    guard !records.isEmpty else { return [:] }
    let statement = try writer.statement(
        """
        INSERT INTO records (place, environment, guid, model, owner, group_name, revision,
            is_deleted, is_conflicted, fields, created, changed_at, origin)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?1)
        ON CONFLICT (environment, guid) DO UPDATE SET place = excluded.place,
            model = excluded.model, owner = excluded.owner, group_name = excluded.group_name,
            revision = excluded.revision, is_deleted = excluded.is_deleted,
            is_conflicted = excluded.is_conflicted, fields = excluded.fields,
            changed_at = excluded.changed_at,
            moved = CASE WHEN owner <> excluded.owner OR group_name <> excluded.group_name
                THEN excluded.created ELSE moved END
        """)
    var former = former
    let first = last + 1
    for (sequence, record) in zip(first..., records) {
        if try former.wasSomebodyElses(record, in: environment, writer.db) {
            try noteMove(to: record, at: sequence, in: environment, writer.db)
        }
        former.replace(record)
        try statement.run([
            .integer(Place.of(sequence: sequence, in: environment)),
            .integer(environment.number), .text(record.guid), .text(record.model),
            .text(record.owner), .text(record.group), .integer(record.revision),
            .flag(record.isDeleted), .flag(record.isConflicted), .text(record.fieldsText),
            .integer(sequence), .integer(moment.milliseconds),
        ])
    }
    try writer.statement("UPDATE environments SET sequence = ? WHERE id = ?")
        .run([.integer(last + Int64(records.count)), .integer(environment.number)])
    return Dictionary(
        zip(records.map(\.guid), first...), uniquingKeysWith: { _, later in later })
}

/// Whose the record was until now.
private func noteMove(
    to record: StoredRecord, at sequence: Int64, in environment: EnvironmentID, _ db: Database
) throws {
    try db.cachedStatement(
        sql: """
            INSERT INTO moves (environment, guid, sequence, revision, owner, group_name)
            SELECT environment, guid, ?, ?, owner, group_name FROM records
            WHERE environment = ? AND guid = ?
            """
    ).execute(arguments: [sequence, record.revision, environment.number, record.guid])
}

/// What was set aside without a change of its record is of the environment's last change.
private func write(
    _ entries: [HistoryEntry], sequences: [String: Int64], otherwise last: Int64,
    in environment: EnvironmentID, _ writer: Writer
) throws {
    guard !entries.isEmpty else { return }
    let statement = try writer.statement(
        """
        INSERT INTO history (origin, environment, guid, revision, kind, change_id, login,
            device_category, device_identifier, at, was_deleted, fields, sequence)
        VALUES (\(originOfRecord), ?1, ?2, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    for entry in entries {
        try statement.run([
            .integer(environment.number), .text(entry.guid), .integer(entry.revision),
            .text(entry.kind.rawValue), .text(entry.changeID), .text(entry.login),
            .text(entry.deviceCategory), .text(entry.deviceIdentifier),
            .integer(entry.at.milliseconds), .flag(entry.wasDeleted), .text(entry.fieldsText),
            .integer(sequences[entry.guid] ?? last),
        ])
    }
}

private func open(
    _ conflicts: [StoredConflict], in environment: EnvironmentID, _ db: Database
) throws {
    guard !conflicts.isEmpty else { return }
    let statement = try db.cachedStatement(
        sql: """
            INSERT INTO conflicts (environment, guid, revision, is_open, login, device_identifier,
                sides)
            VALUES (?, ?, ?, 1, ?, ?, ?)
            """)
    for conflict in conflicts {
        try statement.execute(arguments: [
            environment.number, conflict.guid, conflict.revision, conflict.device.login,
            conflict.device.deviceIdentifier, conflict.text,
        ])
    }
}

private func close(
    conflictsOf guids: [String], in environment: EnvironmentID, _ db: Database
) throws {
    guard !guids.isEmpty else { return }
    let statement = try db.cachedStatement(
        sql: "UPDATE conflicts SET is_open = 0 WHERE environment = ? AND guid = ?")
    for guid in guids {
        try statement.execute(arguments: [environment.number, guid])
    }
}

private func write(
    _ outcomes: [StoredOutcome], in environment: EnvironmentID, of device: DeviceKey,
    _ writer: Writer
) throws {
    let statement = try writer.statement(
        """
        INSERT INTO outcomes (environment, login, device_identifier, change_id, outcome)
        VALUES (?, ?, ?, ?, ?)
        """)
    for outcome in outcomes {
        try statement.run([
            .integer(environment.number), .text(device.login), .text(device.deviceIdentifier),
            .text(outcome.changeID), .text(outcome.text),
        ])
    }
}

private func forget(
    outcomes changeIDs: [String], in environment: EnvironmentID, of device: DeviceKey,
    _ writer: Writer
) throws {
    guard !changeIDs.isEmpty else { return }
    let statement = try writer.statement(
        """
        DELETE FROM outcomes
        WHERE environment = ? AND login = ? AND device_identifier = ? AND change_id = ?
        """)
    for id in changeIDs {
        try statement.run([
            .integer(environment.number), .text(device.login), .text(device.deviceIdentifier),
            .text(id),
        ])
    }
}

/// Whose records were before a transaction. Most were read for its decision anyway.
private struct FormerRecords {
    private var read: Set<String>
    private var found: [String: StoredRecord]

    init(_ need: Need, _ facts: Facts) {
        read = Set(need.guids)
        found = facts.records
    }

    /// What comes after it finds it so.
    mutating func replace(_ record: StoredRecord) {
        read.insert(record.guid)
        found[record.guid] = record
    }

    /// Whether a record was there with another owner or group.
    func wasSomebodyElses(
        _ record: StoredRecord, in environment: EnvironmentID, _ db: Database
    ) throws -> Bool {
        guard !read.contains(record.guid) else {
            return found[record.guid].map {
                !hasSameBytes($0.owner, record.owner) || !hasSameBytes($0.group, record.group)
            } ?? false
        }
        let statement = try db.cachedStatement(
            sql: """
                SELECT 1 FROM records
                WHERE environment = ? AND guid = ? AND (owner <> ? OR group_name <> ?)
                """)
        return try Bool.fetchOne(
            statement, arguments: [environment.number, record.guid, record.owner, record.group])
            ?? false
    }
}
