import DefinitionModel
import SyncEngine

extension WriteBatch {
    /// One statement for each table, in their order, and one for the environment's sequence, if it
    /// changes. Freeing values, if any are freed, is the first.
    func statements(in environment: EnvironmentID) -> [Statement] {
        let before =
            free(freedValues, in: environment) + write(ownershipChanges, in: environment)
            + forget(forgottenOutcomes, in: environment)
        let records = write(records, in: environment)
        let related =
            write(claims, in: environment)
            + write(links, former: formerLinks, ended: endedLinks, in: environment)
        let history = write(history, in: environment)
        let conflicts =
            close(conflictsOf: closedConflicts, in: environment)
            + close(replacedConflicts, in: environment)
            + open(openedConflicts, in: environment) + take(takenValues, in: environment)
        let after =
            write(outcomes, in: environment) + write(names, in: environment)
            + setLast(lastChange, in: environment)
        if related.isEmpty, conflicts.isEmpty,
            let joined = joinedStatement(records + history + after)
        {
            return before + [joined]
        }
        return before + records + related + history + conflicts + after
    }
}

/// The environment's lock keeps others from doing so.
private func setLast(_ change: ChangePoint?, in environment: EnvironmentID) -> [Statement] {
    change.map {
        [
            Statement(
                lastChangeText,
                [
                    .integer(environment.number), .integer($0.sequence),
                    .integer($0.stamp.milliseconds),
                ])
        ]
    } ?? []
}

/// The statements of a usual push as one, which costs the server less. Nil for any others.
private func joinedStatement(_ statements: [Statement]) -> Statement? {
    guard statements.map(\.text) == pushTexts else { return nil }
    return Statement(pushText, statements.flatMap(\.parameters))
}

private let pushTexts = [recordsText, historyText, outcomesText, lastChangeText]

private let pushText = """
    WITH new_records AS (\(recordsText)), new_history AS (\(numbered(historyText, after: 11))),
        new_outcomes AS (\(numbered(outcomesText, after: 23)))
    \(numbered(lastChangeText, after: 30))
    """

/// The text with numbers of parameters that come after so many others.
private func numbered(_ text: String, after count: Int) -> String {
    let parts = text.split(separator: "$", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(String(parts[0])) { text, part in
        let digits = part.prefix { $0.isNumber }
        return text + "$\((Int(digits) ?? 0) + count)" + part.dropFirst(digits.count)
    }
}

private let lastChangeText =
    "UPDATE environments SET sequence = $2, last_stamp = $3 WHERE id = $1"

private let recordsText = """
    INSERT INTO records AS old (environment, guid, sequence, model, owner, group_name,
        revision, is_deleted, is_conflicted, fields, created, moved, created_at, changed_at)
    SELECT $1, guid, sequence, model, owner, group_name, revision, is_deleted, is_conflicted,
        fields, sequence, 0, changed_at, changed_at
    FROM unnest($2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::bigint[],
        $8::boolean[], $9::boolean[], $10::text[], $11::bigint[])
        AS new (guid, sequence, model, owner, group_name, revision, is_deleted,
            is_conflicted, fields, changed_at)
    ON CONFLICT (environment, guid) DO UPDATE SET sequence = excluded.sequence,
        model = excluded.model, owner = excluded.owner, group_name = excluded.group_name,
        revision = excluded.revision, is_deleted = excluded.is_deleted,
        is_conflicted = excluded.is_conflicted, fields = excluded.fields,
        changed_at = excluded.changed_at,
        moved = CASE
            WHEN old.owner <> excluded.owner OR old.group_name <> excluded.group_name
            THEN excluded.sequence ELSE old.moved END
    """

private let historyText = """
    INSERT INTO history (environment, guid, revision, kind, change_id, login,
        device_category, device_identifier, at, was_deleted, fields, sequence)
    SELECT $1, entry.* FROM unnest($2::text[], $3::bigint[], $4::text[], $5::text[],
        $6::text[], $7::text[], $8::text[], $9::bigint[], $10::boolean[], $11::text[],
        $12::bigint[]) AS entry
    """

private let outcomesText = """
    INSERT INTO outcomes (environment, login, device_identifier, change_id, outcome, expires_at,
        is_traceless)
    SELECT $1, outcome.* FROM unnest($2::text[], $3::text[], $4::text[], $5::text[],
        $6::bigint[], $7::boolean[]) AS outcome
    """

/// Files that records name. Several may name one: the first names an unknown file its own.
private func write(_ claims: [FileClaim], in environment: EnvironmentID) -> [Statement] {
    let claims = Array(Dictionary(first: claims.map { ($0.guid, $0) }).values)
    guard !claims.isEmpty else { return [] }
    return [
        Statement(
            """
            INSERT INTO files (environment, guid, login, at, is_named)
            SELECT $1, guid, login, at, true
            FROM unnest($2::text[], $3::text[], $4::bigint[]) AS named (guid, login, at)
            ON CONFLICT (environment, guid) DO UPDATE SET is_named = true
                WHERE NOT files.is_named
            """,
            [
                .integer(environment.number), .texts(claims.map(\.guid)),
                .texts(claims.map(\.login)), .integers(claims.map(\.at.milliseconds)),
            ])
    ]
}

/// Writes the records. An existing record gets its new sequence. A record that occurs twice is
/// written in the given order, by separate statements.
private func write(_ records: [PlacedRecord], in environment: EnvironmentID) -> [Statement] {
    var rest = records[...]
    var statements: [Statement] = []
    while !rest.isEmpty {
        var guids: Set<String> = []
        let part = rest.prefix { guids.insert($0.record.guid).inserted }
        rest = rest.dropFirst(part.count)
        statements.append(rows(of: Array(part), environment))
    }
    return statements
}

/// Writes the former owners and groups of records.
private func write(
    _ ownershipChanges: [PlacedOwnershipChange], in environment: EnvironmentID
) -> [Statement] {
    guard !ownershipChanges.isEmpty else { return [] }
    return [
        Statement(
            """
            INSERT INTO moves (environment, guid, sequence, revision, owner, group_name, stamp)
            SELECT $1, move.* FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::text[],
                $6::text[], $7::bigint[]) AS move
            """,
            [
                .integer(environment.number), .texts(ownershipChanges.map(\.guid)),
                .integers(ownershipChanges.map(\.change.sequence)),
                .integers(ownershipChanges.map(\.change.revision)),
                .texts(ownershipChanges.map(\.change.owner)),
                .texts(ownershipChanges.map(\.change.group)),
                .integers(ownershipChanges.map(\.stamp.milliseconds)),
            ])
    ]
}

private func rows(of records: [PlacedRecord], _ environment: EnvironmentID) -> Statement {
    Statement(
        recordsText,
        [
            .integer(environment.number), .texts(records.map(\.record.guid)),
            .integers(records.map(\.sequence)), .texts(records.map(\.record.model)),
            .texts(records.map(\.record.owner)), .texts(records.map(\.record.group)),
            .integers(records.map(\.record.revision)), .flags(records.map(\.record.isDeleted)),
            .flags(records.map(\.record.isConflicted)), .texts(records.map(\.record.fieldsText)),
            .integers(records.map(\.stamp.milliseconds)),
        ])
}

private func write(_ entries: [PlacedEntry], in environment: EnvironmentID) -> [Statement] {
    guard !entries.isEmpty else { return [] }
    return [
        Statement(
            historyText,
            [
                .integer(environment.number), .texts(entries.map(\.entry.guid)),
                .integers(entries.map(\.entry.revision)),
                .texts(entries.map(\.entry.kind.rawValue)), .texts(entries.map(\.entry.changeID)),
                .texts(entries.map(\.entry.login)), .texts(entries.map(\.entry.deviceCategory)),
                .texts(entries.map(\.entry.deviceIdentifier)),
                .integers(entries.map(\.entry.at.milliseconds)),
                .flags(entries.map(\.entry.wasDeleted)), .texts(entries.map(\.entry.fieldsText)),
                .integers(entries.map(\.sequence)),
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

private func close(_ conflicts: [StoredConflict], in environment: EnvironmentID) -> [Statement] {
    guard !conflicts.isEmpty else { return [] }
    return [
        Statement(
            """
            DELETE FROM conflicts
            USING unnest($2::text[], $3::bigint[]) AS replaced (guid, revision)
            WHERE environment = $1 AND conflicts.guid = replaced.guid
                AND conflicts.revision = replaced.revision
            """,
            [
                .integer(environment.number), .texts(conflicts.map(\.guid)),
                .integers(conflicts.map(\.revision)),
            ])
    ]
}

/// The history has the values of closed conflicts.
private func close(conflictsOf guids: [String], in environment: EnvironmentID) -> [Statement] {
    guard !guids.isEmpty else { return [] }
    return [
        Statement(
            "DELETE FROM conflicts WHERE environment = $1 AND guid = ANY ($2)",
            [.integer(environment.number), .texts(guids)])
    ]
}

private func write(
    _ outcomes: [ExpiringOutcome], in environment: EnvironmentID
) -> [Statement] {
    guard !outcomes.isEmpty else { return [] }
    return [
        Statement(
            outcomesText,
            parameters(of: outcomes.map(\.id), in: environment) + [
                .texts(outcomes.map(\.text)),
                .integers(outcomes.map { $0.expiresAt?.milliseconds ?? 0 }),
                .flags(outcomes.map(\.isTraceless)),
            ])
    ]
}

private func write(_ names: [RecordName], in environment: EnvironmentID) -> [Statement] {
    guard !names.isEmpty else { return [] }
    return [
        Statement(
            """
            INSERT INTO names (environment, guid, name)
            SELECT $1, named.* FROM unnest($2::text[], $3::text[]) AS named
            ON CONFLICT DO NOTHING
            """,
            [
                .integer(environment.number), .texts(names.map(\.guid)),
                .texts(names.map(\.name)),
            ])
    ]
}

private func forget(
    _ outcomes: [ForgottenOutcome], in environment: EnvironmentID
) -> [Statement] {
    guard !outcomes.isEmpty else { return [] }
    return [
        Statement(
            forgetText,
            parameters(of: outcomes.map(\.id), in: environment) + [
                .integers(outcomes.map(\.tracelessUntil.milliseconds)),
                .integer(Int64(ForgottenOutcome.keptOfDevice)),
            ])
    ]
}

/// Deletes the outcomes of changes with a history entry, sets the end of the others, and deletes
/// those of the devices that expire first, apart from the ones whose end is set here.
private let forgetText = """
    WITH forgotten AS (SELECT * FROM unnest($2::text[], $3::text[], $4::text[], $5::bigint[])
        AS ids (login, device, id, until)),
    deleted AS (DELETE FROM outcomes USING forgotten
        WHERE environment = $1 AND outcomes.login = forgotten.login
            AND device_identifier = forgotten.device AND change_id = forgotten.id
            AND NOT is_traceless),
    kept AS (UPDATE outcomes SET expires_at = forgotten.until FROM forgotten
        WHERE environment = $1 AND outcomes.login = forgotten.login
            AND device_identifier = forgotten.device AND change_id = forgotten.id
            AND is_traceless AND expires_at = 0)
    DELETE FROM outcomes USING (SELECT DISTINCT login, device FROM forgotten) AS devices
        CROSS JOIN LATERAL (SELECT change_id FROM outcomes AS older
            WHERE older.environment = $1 AND older.login = devices.login
                AND older.device_identifier = devices.device AND older.is_traceless
                AND older.expires_at > 0
            ORDER BY expires_at DESC, change_id DESC OFFSET $6) AS superfluous
    WHERE environment = $1 AND outcomes.login = devices.login
        AND device_identifier = devices.device AND outcomes.change_id = superfluous.change_id
    """

private func parameters(
    of outcomes: [OutcomeID], in environment: EnvironmentID
) -> [Parameter] {
    [
        .integer(environment.number), .texts(outcomes.map(\.device.login)),
        .texts(outcomes.map(\.device.deviceIdentifier)), .texts(outcomes.map(\.changeID)),
    ]
}
