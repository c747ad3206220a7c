import SyncEngine

/// What some calls write, in one statement for each table.
struct WriteBatch {
    private(set) var freedValues: [UniqueHolding] = []
    private var takenValues: [UniqueHolding] = []
    private var records: [PlacedRecord] = []
    private var moves: [PlacedMove] = []
    private var history: [PlacedEntry] = []
    private var claims = FileClaims()
    private var links: [RecordLink] = []
    private var formerLinks: [RecordLink] = []
    private var endedLinks: [RecordLink] = []
    private var closedConflicts: [String] = []
    private var openedConflicts: [StoredConflict] = []
    private var acknowledged: [DeviceText] = []
    private var outcomes: [DeviceText] = []

    private var contents = WriteBatchContents()

    /// Whether the statements of this batch write the same when these writes are added as they do
    /// when these come after them.
    func takes(_ writes: Writes, of device: DeviceKey) -> Bool {
        contents.isOrderOfNoConcern(to: writes, of: device)
    }

    mutating func add(
        _ writes: Writes, of device: DeviceKey, formerly former: FormerRecords, after last: Int64
    ) {
        contents.add(writes, of: device)
        freedValues += writes.freedValues
        takenValues += writes.takenValues
        place(writes.records, at: writes.at, formerly: former, after: last)
        let placed = records.suffix(writes.records.count)
        let sequences = Dictionary(
            placed.map { ($0.record.guid, $0.sequence) }, uniquingKeysWith: { _, later in later })
        // What was set aside without a change of its record is of the environment's last change.
        let end = last + Int64(writes.records.count)
        history += writes.history.map {
            PlacedEntry(entry: $0, sequence: sequences[$0.guid] ?? end)
        }
        claims.add(writes.namedFiles, for: device.login, at: writes.at)
        links += writes.links
        formerLinks += writes.formerLinks
        endedLinks += writes.endedLinks
        closedConflicts += writes.closedConflicts
        openedConflicts += writes.openedConflicts
        acknowledged += writes.acknowledged.map { DeviceText(device: device, changeID: $0) }
        outcomes += writes.outcomes.map {
            DeviceText(device: device, changeID: $0.changeID, text: $0.text)
        }
    }

    private mutating func place(
        _ records: [StoredRecord], at moment: Instant, formerly former: FormerRecords,
        after last: Int64
    ) {
        var former = former
        for (record, sequence) in zip(records, (last + 1)...) {
            if let owner = former.otherOwner(of: record) {
                moves.append(
                    PlacedMove(
                        guid: record.guid,
                        OwnershipMove(
                            sequence: sequence, revision: record.revision, owner: owner.owner,
                            group: owner.group)))
            }
            self.records.append(
                PlacedRecord(
                    record: record, sequence: sequence, at: moment,
                    isFormerKnown: former.knows(record.guid)))
            former.replace(record)
        }
    }

    /// What is first in this order is done first. Freeing, if anything is freed, is the first.
    func statements(in environment: EnvironmentID) -> [Statement] {
        free(freedValues, in: environment) + write(moves, in: environment)
            + write(records, in: environment) + claims.statements(in: environment)
            + write(links, former: formerLinks, ended: endedLinks, in: environment)
            + write(history, in: environment) + close(conflictsOf: closedConflicts, in: environment)
            + open(openedConflicts, in: environment) + take(takenValues, in: environment)
            + forget(acknowledged, in: environment) + write(outcomes, in: environment)
    }

    var statementCount: Int { statements(in: EnvironmentID(number: 0)).count }
}

/// What a batch writes, as far as the order of calls may matter.
private struct WriteBatchContents {
    private var values: Set<UniqueValue> = []
    private var takenValues: Set<UniqueValue> = []
    private var links: Set<RecordLink> = []
    private var formerLinks: Set<RecordLink> = []
    private var disputedGuids: Set<String> = []
    private var devices: Set<DeviceKey> = []

    mutating func add(_ writes: Writes, of device: DeviceKey) {
        values.formUnion(writes.freedValues.map(\.value))
        takenValues.formUnion(writes.takenValues.map(\.value))
        links.formUnion(writes.links)
        formerLinks.formUnion(writes.formerLinks)
        disputedGuids.formUnion(writes.openedConflicts.map(\.guid))
        if !writes.outcomes.isEmpty { devices.insert(device) }
    }

    /// A batch frees values before it takes any, closes conflicts before it opens any, forgets
    /// outcomes before it writes any, and ends links before it writes former and then current ones.
    func isOrderOfNoConcern(to writes: Writes, of device: DeviceKey) -> Bool {
        (writes.acknowledged.isEmpty || !devices.contains(device))
            && disputedGuids.isDisjoint(with: writes.closedConflicts)
            && takenValues.isDisjoint(with: writes.freedValues.map(\.value))
            && values.isDisjoint(with: writes.freedValues.map(\.value))
            && links.isDisjoint(with: writes.formerLinks + writes.endedLinks)
            && formerLinks.isDisjoint(with: writes.endedLinks)
    }
}

/// Records before a call. Most were read for it.
struct FormerRecords {
    private var known: ByBytes<StoredRecord?>

    init(_ need: Need, _ records: [String: StoredRecord]) {
        known = ByBytes(need.guids.map { ($0, records[$0]) })
    }

    func knows(_ guid: String) -> Bool { known[guid] != nil }

    /// The former owner and group where these change.
    func otherOwner(of record: StoredRecord) -> StoredRecord? {
        guard case .some(.some(let former)) = known[record.guid],
            !former.owner.utf8.elementsEqual(record.owner.utf8)
                || !former.group.utf8.elementsEqual(record.group.utf8)
        else { return nil }
        return former
    }

    mutating func replace(_ record: StoredRecord) { known[record.guid] = record }
}

// MARK: - Rows

private struct PlacedRecord {
    let record: StoredRecord
    let sequence: Int64
    let at: Instant
    /// Whether its former owner was compared already.
    let isFormerKnown: Bool
}

private struct PlacedMove {
    let guid: String
    let move: OwnershipMove

    init(guid: String, _ move: OwnershipMove) {
        self.guid = guid
        self.move = move
    }
}

private struct PlacedEntry {
    let entry: HistoryEntry
    let sequence: Int64
}

/// Of a change of a device.
private struct DeviceText {
    let device: DeviceKey
    let changeID: String
    var text = ""
}

/// Files that are named, and by whom first.
private struct FileClaims {
    private var guids: Set<[UInt8]> = []
    private var claims: [(guid: String, login: String, at: Instant)] = []

    mutating func add(_ named: Set<String>, for login: String, at moment: Instant) {
        for guid in named.sorted() where guids.insert(Array(guid.utf8)).inserted {
            claims.append((guid, login, moment))
        }
    }

    /// One of which nothing was known is of whoever named it first.
    func statements(in environment: EnvironmentID) -> [Statement] {
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
}

// MARK: - Statements

/// A record that is there already gets its new place. One that is written twice is so in the given
/// order.
private func write(_ records: [PlacedRecord], in environment: EnvironmentID) -> [Statement] {
    var rest = records[...]
    var statements: [Statement] = []
    while !rest.isEmpty {
        var guids: Set<String> = []
        let part = rest.prefix { guids.insert($0.record.guid).inserted }
        rest = rest.dropFirst(part.count)
        statements += compareOwners(of: part.filter { !$0.isFormerKnown }, in: environment)
        statements.append(rows(of: Array(part), environment))
    }
    return statements
}

/// The former owners and groups of records, where these change.
private func write(_ moves: [PlacedMove], in environment: EnvironmentID) -> [Statement] {
    guard !moves.isEmpty else { return [] }
    return [
        Statement(
            """
            INSERT INTO moves (environment, guid, sequence, revision, owner, group_name)
            SELECT $1, move.* FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::text[],
                $6::text[]) AS move
            """,
            [
                .integer(environment.number), .texts(moves.map(\.guid)),
                .integers(moves.map(\.move.sequence)), .integers(moves.map(\.move.revision)),
                .texts(moves.map(\.move.owner)), .texts(moves.map(\.move.group)),
            ])
    ]
}

/// The same, of records that nobody has read.
private func compareOwners(
    of records: [PlacedRecord], in environment: EnvironmentID
) -> [Statement] {
    guard !records.isEmpty else { return [] }
    return [
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
                .integer(environment.number), .texts(records.map(\.record.guid)),
                .integers(records.map(\.sequence)), .integers(records.map(\.record.revision)),
                .texts(records.map(\.record.owner)), .texts(records.map(\.record.group)),
            ])
    ]
}

private func rows(of records: [PlacedRecord], _ environment: EnvironmentID) -> Statement {
    Statement(
        """
        INSERT INTO records AS old (environment, guid, sequence, model, owner, group_name,
            revision, is_deleted, is_conflicted, fields, created, moved, changed_at)
        SELECT $1, guid, sequence, model, owner, group_name, revision, is_deleted, is_conflicted,
            fields, sequence, 0, changed_at
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
        """,
        [
            .integer(environment.number), .texts(records.map(\.record.guid)),
            .integers(records.map(\.sequence)), .texts(records.map(\.record.model)),
            .texts(records.map(\.record.owner)), .texts(records.map(\.record.group)),
            .integers(records.map(\.record.revision)), .flags(records.map(\.record.isDeleted)),
            .flags(records.map(\.record.isConflicted)), .texts(records.map(\.record.fieldsText)),
            .integers(records.map(\.at.milliseconds)),
        ])
}

private func write(_ entries: [PlacedEntry], in environment: EnvironmentID) -> [Statement] {
    guard !entries.isEmpty else { return [] }
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

private func close(conflictsOf guids: [String], in environment: EnvironmentID) -> [Statement] {
    guard !guids.isEmpty else { return [] }
    return [
        Statement(
            "UPDATE conflicts SET is_open = false WHERE environment = $1 AND guid = ANY ($2)",
            [.integer(environment.number), .texts(guids)])
    ]
}

private func write(_ outcomes: [DeviceText], in environment: EnvironmentID) -> [Statement] {
    guard !outcomes.isEmpty else { return [] }
    return [
        Statement(
            """
            INSERT INTO outcomes (environment, login, device_identifier, change_id, outcome)
            SELECT $1, outcome.* FROM unnest($2::text[], $3::text[], $4::text[], $5::text[])
                AS outcome
            """, parameters(of: outcomes, in: environment) + [.texts(outcomes.map(\.text))])
    ]
}

private func forget(_ outcomes: [DeviceText], in environment: EnvironmentID) -> [Statement] {
    guard !outcomes.isEmpty else { return [] }
    return [
        Statement(
            """
            DELETE FROM outcomes
            USING unnest($2::text[], $3::text[], $4::text[]) AS forgotten (login, device, id)
            WHERE environment = $1 AND outcomes.login = forgotten.login
                AND device_identifier = forgotten.device AND change_id = forgotten.id
            """, parameters(of: outcomes, in: environment))
    ]
}

private func parameters(
    of outcomes: [DeviceText], in environment: EnvironmentID
) -> [Parameter] {
    [
        .integer(environment.number), .texts(outcomes.map(\.device.login)),
        .texts(outcomes.map(\.device.deviceIdentifier)), .texts(outcomes.map(\.changeID)),
    ]
}
