import DefinitionModel
import SyncEngine

extension WriteBatch {
    /// One statement for each table, in their order, and one for the environment's sequence, if it
    /// changes. Freeing values, if any are freed, is the first.
    func statements(in environment: EnvironmentID) -> [Statement] {
        let before =
            free(freedValues, in: environment) + write(ownershipChanges, in: environment)
            + forget(forgottenOutcomes, in: environment)
            + trimOutcomes(of: trimmedDevices, except: outcomes, in: environment)
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
    let texts = statements.map(\.text)
    guard let push = PushText.all.first(where: { $0.parts == texts }) else { return nil }
    return Statement(push.joined, statements.flatMap(\.parameters))
}

/// The statement of a push with one or many rows in each of its tables.
private struct PushText {
    let parts: [String]
    let joined: String

    static let all = RowForm.allCases.flatMap { history in
        RowForm.allCases.flatMap { outcomes in
            recordParts.map { PushText($0, history, outcomes: outcomes) }
        }
    }

    /// New records, changed ones, or both.
    private static let recordParts: [[String]] = {
        let (new, changed) = (newRecordsTexts.all, changedRecordsTexts.all)
        return (new + changed).map { [$0] }
            + new.flatMap { new in changed.map { changed in [new, changed] } }
    }()

    private init(_ records: [String], _ history: RowForm, outcomes: RowForm) {
        parts = records + [historyTexts[history], outcomesTexts[outcomes], lastChangeText]
        var count = 0
        let texts = parts.map { numbered($0, after: &count) }
        let written = texts.dropLast().enumerated().map { "written\($0) AS (\($1))" }
        joined = "WITH \(written.joined(separator: ", ")) \(texts[texts.count - 1])"
    }
}

/// The text with numbers of parameters that come after `count` others, which grows by them.
private func numbered(_ text: String, after count: inout Int) -> String {
    let parts = text.split(separator: "$", omittingEmptySubsequences: false)
    var most = 0
    let text = parts.dropFirst().reduce(String(parts[0])) { text, part in
        let digits = part.prefix { $0.isNumber }
        let number = Int(digits) ?? 0
        most = max(most, number)
        return text + "$\(number + count)" + part.dropFirst(digits.count)
    }
    count += most
    return text
}

private let lastChangeText =
    "UPDATE environments SET sequence = $2, last_stamp = $3 WHERE id = $1"

/// The guids are known to be free, so they are not searched again.
private let newRecordsTexts = recordsTexts(orElse: "")

private let changedRecordsTexts = recordsTexts(
    orElse: """
        ON CONFLICT (environment, guid) DO UPDATE SET sequence = excluded.sequence,
            model = excluded.model, owner = excluded.owner, group_name = excluded.group_name,
            revision = excluded.revision, is_deleted = excluded.is_deleted,
            is_conflicted = excluded.is_conflicted, fields = excluded.fields,
            changed_at = excluded.changed_at,
            moved = CASE
                WHEN old.owner <> excluded.owner OR old.group_name <> excluded.group_name
                THEN excluded.sequence ELSE old.moved END
        """)

/// - Parameter update: The end of the statement, for a guid that has a record.
private func recordsTexts(orElse update: String) -> RowTexts {
    RowTexts(
        "text", "bigint", "text", "text", "text", "bigint", "boolean", "boolean", "text", "bigint"
    ) { rows in
        """
        INSERT INTO records AS old (environment, guid, sequence, model, owner, group_name,
            revision, is_deleted, is_conflicted, fields, created, moved, created_at, changed_at)
        SELECT $1, guid, sequence, model, owner, group_name, revision, is_deleted, is_conflicted,
            fields, sequence, 0, changed_at, changed_at
        FROM \(rows) AS new (guid, sequence, model, owner, group_name, revision, is_deleted,
                is_conflicted, fields, changed_at)
        \(update)
        """
    }
}

private let historyTexts = RowTexts(
    "text", "bigint", "text", "text", "text", "text", "text", "bigint", "boolean", "text", "bigint"
) { rows in
    """
    INSERT INTO history (environment, guid, revision, kind, change_id, login,
        device_category, device_identifier, at, was_deleted, fields, sequence)
    SELECT $1, entry.* FROM \(rows) AS entry
    """
}

private let outcomesTexts = RowTexts(
    "text", "text", "text", "text", "bigint", "boolean"
) { rows in
    """
    INSERT INTO outcomes (environment, login, device_identifier, change_id, outcome, expires_at,
        is_traceless)
    SELECT $1, outcome.* FROM \(rows) AS outcome
    """
}

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

/// Writes the records: new ones by one statement, changed ones by another. A record that occurs
/// twice is written in the given order, by separate statements.
private func write(_ records: [PlacedRecord], in environment: EnvironmentID) -> [Statement] {
    var rest = records[...]
    var statements: [Statement] = []
    while !rest.isEmpty {
        var guids: Set<String> = []
        let part = rest.prefix { guids.insert($0.record.guid).inserted }
        rest = rest.dropFirst(part.count)
        statements += [true, false].compactMap { isNew in
            rows(of: part.filter { $0.isNew == isNew }, areNew: isNew, environment)
        }
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

/// Nil without records.
private func rows(
    of records: [PlacedRecord], areNew: Bool, _ environment: EnvironmentID
) -> Statement? {
    guard !records.isEmpty else { return nil }
    let rows = RowParameters(records)
    return Statement(
        (areNew ? newRecordsTexts : changedRecordsTexts)[rows.form],
        [
            .integer(environment.number), rows.texts(\.record.guid), rows.integers(\.sequence),
            rows.texts(\.record.model), rows.texts(\.record.owner), rows.texts(\.record.group),
            rows.integers(\.record.revision), rows.flags(\.record.isDeleted),
            rows.flags(\.record.isConflicted), rows.texts(\.record.fieldsText),
            rows.integers(\.stamp.milliseconds),
        ])
}

private func write(_ entries: [PlacedEntry], in environment: EnvironmentID) -> [Statement] {
    guard !entries.isEmpty else { return [] }
    let rows = RowParameters(entries)
    return [
        Statement(
            historyTexts[rows.form],
            [
                .integer(environment.number), rows.texts(\.entry.guid),
                rows.integers(\.entry.revision), rows.texts(\.entry.kind.rawValue),
                rows.texts(\.entry.changeID), rows.texts(\.entry.login),
                rows.texts(\.entry.deviceCategory), rows.texts(\.entry.deviceIdentifier),
                rows.integers(\.entry.at.milliseconds), rows.flags(\.entry.wasDeleted),
                rows.texts(\.entry.fieldsText), rows.integers(\.sequence),
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
            WITH replaced AS MATERIALIZED (\(rowLocations(
                in: "conflicts", of: """
                    unnest($2::text[], $3::bigint[]) AS wanted (wanted_guid, wanted_revision)
                    """, where: "guid = wanted_guid AND revision = wanted_revision")))
            DELETE FROM conflicts USING replaced WHERE conflicts.ctid = location
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
    let rows = RowParameters(outcomes)
    return [
        Statement(
            outcomesTexts[rows.form],
            [
                .integer(environment.number), rows.texts(\.id.device.login),
                rows.texts(\.id.device.deviceIdentifier), rows.texts(\.id.changeID),
                rows.texts(\.text), rows.integers { $0.expiresAt?.milliseconds ?? 0 },
                rows.flags(\.isTraceless),
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
    let rows = RowParameters(outcomes)
    return [
        Statement(
            forgetTexts[rows.form],
            [
                .integer(environment.number), rows.texts(\.id.device.login),
                rows.texts(\.id.device.deviceIdentifier), rows.texts(\.id.changeID),
                rows.integers(\.tracelessUntil.milliseconds),
            ])
    ]
}

/// Deletes the outcomes of changes with a history entry, and sets the end of the others.
private let forgetTexts = RowTexts("text", "text", "text", "bigint") { rows in
    """
    WITH forgotten AS MATERIALIZED (\(rowLocations(
        in: "outcomes", columns: "is_traceless, expires_at",
        of: "\(rows) AS ids (wanted_login, wanted_device, wanted_id, until)", where: """
            login = wanted_login AND device_identifier = wanted_device AND change_id = wanted_id
            """))),
    deleted AS (DELETE FROM outcomes USING forgotten
        WHERE outcomes.ctid = location AND NOT forgotten.is_traceless)
    UPDATE outcomes SET expires_at = until FROM forgotten
    WHERE outcomes.ctid = location AND forgotten.is_traceless AND forgotten.expires_at = 0
    """
}

/// Deletes the acknowledged outcomes without a history entry that expire first, beyond
/// `ForgottenOutcome.keptOfDevice`. It keeps those that are written next: a call that presumes them
/// absent must fail.
private func trimOutcomes(
    of devices: Set<DeviceKey>, except written: [ExpiringOutcome], in environment: EnvironmentID
) -> [Statement] {
    guard !devices.isEmpty else { return [] }
    let devices = Array(devices)
    return [
        Statement(
            """
            WITH superfluous AS MATERIALIZED (\(rowLocations(
                in: "outcomes", of: """
                    unnest((SELECT $2::text[]), (SELECT $3::text[])) AS devices (name, device)
                    """, where: """
                    login = name AND device_identifier = device AND is_traceless
                    AND expires_at > 0
                    ORDER BY expires_at DESC, change_id DESC
                    """, skipping: "$4")))
            DELETE FROM outcomes USING superfluous
            WHERE outcomes.ctid = location AND NOT change_id = ANY ((SELECT $5::text[])::text[])
            """,
            [
                .integer(environment.number), .texts(devices.map(\.login)),
                .texts(devices.map(\.deviceIdentifier)),
                .integer(Int64(ForgottenOutcome.keptOfDevice)),
                .texts(written.map(\.id.changeID)),
            ])
    ]
}
