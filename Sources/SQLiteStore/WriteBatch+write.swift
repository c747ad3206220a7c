import GRDB
import SyncEngine

extension WriteBatch {
    func write(in environment: EnvironmentID, _ writer: StatementCache) throws {
        let db = writer.db
        try free(freedValues, in: environment, db)
        try SQLiteStore.write(ownershipChanges, in: environment, db)
        try SQLiteStore.write(records, in: environment, writer)
        if let lastChange {
            try writer.statement(
                "UPDATE environments SET sequence = ?, last_stamp = ? WHERE id = ?"
            )
            .run([
                .integer(lastChange.sequence), .integer(lastChange.stamp.milliseconds),
                .integer(environment.number),
            ])
        }
        try claim(claims, in: environment, db)
        try SQLiteStore.write(
            links, former: formerLinks, ended: endedLinks, in: environment, db)
        try SQLiteStore.write(history, in: environment, writer)
        try close(conflictsOf: closedConflicts, in: environment, db)
        try close(replacedConflicts, in: environment, db)
        try open(openedConflicts, in: environment, db)
        try take(takenValues, in: environment, db)
        try forget(forgottenOutcomes, in: environment, writer)
        let trimmed = trimmedDevices
        let written = trimmed.isEmpty ? [] : Set(outcomes.map { OutcomeKey($0.id) })
        for device in trimmed {
            try trimOutcomes(of: device, except: written, in: environment, writer)
        }
        try SQLiteStore.write(outcomes, in: environment, writer)
        try SQLiteStore.write(names, in: environment, db)
    }
}

private let insertionOfRecord = """
    INSERT INTO records (place, environment, guid, model, owner, group_name, revision,
        is_deleted, is_conflicted, fields, created, created_at, changed_at, origin)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?12, ?1)
    """

/// Moves the record that has the guid to its new row number.
private let moveOfRecord = """
    \(insertionOfRecord)
    ON CONFLICT (environment, guid) DO UPDATE SET place = excluded.place,
        model = excluded.model, owner = excluded.owner, group_name = excluded.group_name,
        revision = excluded.revision, is_deleted = excluded.is_deleted,
        is_conflicted = excluded.is_conflicted, fields = excluded.fields,
        changed_at = excluded.changed_at,
        moved = CASE WHEN owner <> excluded.owner OR group_name <> excluded.group_name
            THEN excluded.created ELSE moved END
    """

/// Writes the records. It is an error if a new one's guid has a record: the call has presumed
/// wrongly that it has none.
private func write(
    _ records: [PlacedRecord], in environment: EnvironmentID, _ writer: StatementCache
) throws {
    guard !records.isEmpty else { return }
    for placed in records {
        let record = placed.record
        let statement =
            if placed.isNew {
                try writer.statement(insertionOfRecord)
            } else {
                try writer.statement(moveOfRecord)
            }
        try statement.run([
            .integer(RowKey.of(sequence: placed.sequence, in: environment)),
            .integer(environment.number), .text(record.guid), .text(record.model),
            .text(record.owner), .text(record.group), .integer(record.revision),
            .flag(record.isDeleted), .flag(record.isConflicted), .text(record.fieldsText),
            .integer(placed.sequence), .integer(placed.stamp.milliseconds),
        ])
    }
}

private func write(
    _ ownershipChanges: [PlacedOwnershipChange], in environment: EnvironmentID, _ db: Database
) throws {
    guard !ownershipChanges.isEmpty else { return }
    let statement = try db.cachedStatement(
        sql: """
            INSERT INTO moves (environment, guid, sequence, revision, owner, group_name, stamp)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """)
    for placed in ownershipChanges {
        let change = placed.change
        try statement.execute(arguments: [
            environment.number, placed.guid, change.sequence, change.revision, change.owner,
            change.group, placed.stamp.milliseconds,
        ])
    }
}

/// Composed once, not for each push.
private let insertionOfHistory = """
    INSERT INTO history (origin, environment, guid, revision, kind, change_id, login,
        device_category, device_identifier, at, was_deleted, fields, sequence)
    VALUES (\(originOfRecord), ?1, ?2, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

private func write(
    _ entries: [PlacedEntry], in environment: EnvironmentID, _ writer: StatementCache
) throws {
    guard !entries.isEmpty else { return }
    let statement = try writer.statement(insertionOfHistory)
    for placed in entries {
        let entry = placed.entry
        try statement.run([
            .integer(environment.number), .text(entry.guid), .integer(entry.revision),
            .text(entry.kind.rawValue), .text(entry.changeID), .text(entry.login),
            .text(entry.deviceCategory), .text(entry.deviceIdentifier),
            .integer(entry.at.milliseconds), .flag(entry.wasDeleted), .text(entry.fieldsText),
            .integer(placed.sequence),
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

/// The history has the values of closed conflicts.
private func close(
    conflictsOf guids: [String], in environment: EnvironmentID, _ db: Database
) throws {
    guard !guids.isEmpty else { return }
    let statement = try db.cachedStatement(
        sql: "DELETE FROM conflicts WHERE environment = ? AND guid = ?")
    for guid in guids {
        try statement.execute(arguments: [environment.number, guid])
    }
}

private func close(
    _ conflicts: [StoredConflict], in environment: EnvironmentID, _ db: Database
) throws {
    guard !conflicts.isEmpty else { return }
    let statement = try db.cachedStatement(
        sql: "DELETE FROM conflicts WHERE environment = ? AND guid = ? AND revision = ?")
    for conflict in conflicts {
        try statement.execute(arguments: [
            environment.number, conflict.guid, conflict.revision,
        ])
    }
}

private func write(
    _ outcomes: [ExpiringOutcome], in environment: EnvironmentID,
    _ writer: StatementCache
) throws {
    guard !outcomes.isEmpty else { return }
    let statement = try writer.statement(
        """
        INSERT INTO outcomes (environment, login, device_identifier, change_id, outcome,
            expires_at, is_traceless)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """)
    for outcome in outcomes {
        let device = outcome.id.device
        try statement.run([
            .integer(environment.number), .text(device.login),
            .text(device.deviceIdentifier), .text(outcome.id.changeID), .text(outcome.text),
            .integer(outcome.expiresAt?.milliseconds ?? 0), .flag(outcome.isTraceless),
        ])
    }
}

private func write(
    _ names: [RecordName], in environment: EnvironmentID, _ db: Database
) throws {
    guard !names.isEmpty else { return }
    let statement = try db.cachedStatement(
        sql: """
            INSERT INTO names (environment, guid, name) VALUES (?, ?, ?) ON CONFLICT DO NOTHING
            """)
    for name in names {
        try statement.execute(arguments: [environment.number, name.guid, name.name])
    }
}

private func forget(
    _ outcomes: [ForgottenOutcome], in environment: EnvironmentID, _ writer: StatementCache
) throws {
    guard !outcomes.isEmpty else { return }
    let key = "environment = ?1 AND login = ?2 AND device_identifier = ?3 AND change_id = ?4"
    let deletion = try writer.statement(
        "DELETE FROM outcomes WHERE \(key) AND NOT is_traceless")
    for outcome in outcomes {
        let id = outcome.id
        let values: [RepeatedStatement.Value] = [
            .integer(environment.number), .text(id.device.login),
            .text(id.device.deviceIdentifier), .text(id.changeID),
        ]
        try deletion.run(values)
        guard writer.db.changesCount == 0 else { continue }
        try writer.statement(
            "UPDATE outcomes SET expires_at = ?5 WHERE \(key) AND is_traceless AND expires_at = 0"
        )
        .run(values + [.integer(outcome.tracelessUntil.milliseconds)])
    }
}

/// Deletes the acknowledged outcomes without a history entry that expire first, beyond
/// `ForgottenOutcome.keptOfDevice`. It keeps those that are written next: a call that presumes them
/// absent must fail.
private func trimOutcomes(
    of device: DeviceKey, except written: Set<OutcomeKey>, in environment: EnvironmentID,
    _ writer: StatementCache
) throws {
    let key: [RepeatedStatement.Value] = [
        .integer(environment.number), .text(device.login), .text(device.deviceIdentifier),
    ]
    let selection = try writer.statement(
        """
        SELECT change_id FROM outcomes
        WHERE environment = ? AND login = ? AND device_identifier = ? AND is_traceless
            AND expires_at > 0
        ORDER BY expires_at DESC, change_id DESC LIMIT -1 OFFSET ?
        """)
    var superfluous: [OutcomeID] = []
    try selection.each(key + [.integer(Int64(ForgottenOutcome.keptOfDevice))]) { row in
        superfluous.append(OutcomeID(try row.text(0), of: device))
        return .goOn
    }
    let deletion = try writer.statement(
        """
        DELETE FROM outcomes
        WHERE environment = ? AND login = ? AND device_identifier = ? AND change_id = ?
        """)
    for id in superfluous where !written.contains(OutcomeKey(id)) {
        try deletion.run(key + [.text(id.changeID)])
    }
}
