import DefinitionModel
import SyncEngine

/// Statements of a batch read, and the function that stores their rows in the result.
struct BatchQuery {
    let statements: [Statement]
    let take: ([Rows], inout BatchRows) throws -> Void
}

// A statement looks up one key or many and identifies each by its 1-based index. A subquery with an
// OFFSET is evaluated separately for each key, by the index on that key, whatever statistics the
// planner has. These statements have generic plans, for arrays of any length; see `Plans`.

extension BatchRead {
    /// Returns one query per list that is not empty, except for `recordsNamingFiles`.
    func queries(in environment: EnvironmentID) -> [BatchQuery] {
        var queries: [BatchQuery] = []
        if readsState {
            queries.append(
                BatchQuery(statements: [currentState(of: environment)]) { rows, batch in
                    batch.state = try CurrentState(rows[0])
                })
        }
        func add<Asked>(_ asked: [Asked], _ query: ([Asked], EnvironmentID) -> BatchQuery) {
            if !asked.isEmpty { queries.append(query(asked, environment)) }
        }
        if !records.isEmpty { queries.append(storedRecords(of: self, in: environment)) }
        add(purgedGuids, purgedRecords)
        add(outcomes, storedOutcomes)
        add(history, histories)
        add(historyCounts, entryCounts)
        add(ownershipChanges, firstOwnershipChanges)
        add(conflictAmounts, openConflictAmounts)
        add(conflicts, openConflictRows)
        add(holders, valueHolders)
        add(owners, recordOwners)
        add(changes, changedRecords)
        add(changedSources, sources)
        add(effects, effectsOnRecords)
        add(files, storedFiles)
        add(outcomeAmounts, outcomeAmountsOfUsers)
        add(disputes, disputesOfUsers)
        return queries
    }
}

// MARK: - Purged records

private func purgedRecords(of guids: [String], in environment: EnvironmentID) -> BatchQuery {
    let rows = RowParameters(guids)
    let statement = Statement(
        purgedTexts[rows.form], [.integer(environment.number), rows.texts(\.self)])
    return BatchQuery(statements: [statement]) { rows, batch in
        var purged = [Bool](repeating: false, count: guids.count)
        try rows[0].each { row in try purged.set(&row) { _ in true } }
        batch.purged = purged
    }
}

private let purgedTexts = RowTexts(numbered: "text") { rows in
    """
    SELECT number FROM \(rows) AS wanted (wanted_guid, number)
    CROSS JOIN LATERAL (SELECT 1 FROM swept
        WHERE environment = $1 AND guid = wanted_guid OFFSET 0) AS found
    """
}

// MARK: - Outcomes

private func storedOutcomes(_ ids: [OutcomeID], in environment: EnvironmentID) -> BatchQuery {
    let rows = RowParameters(ids)
    let statement = Statement(
        outcomesTexts[rows.form],
        [
            .integer(environment.number), rows.texts(\.device.login),
            rows.texts(\.device.deviceIdentifier), rows.texts(\.changeID),
        ])
    return BatchQuery(statements: [statement]) { rows, batch in
        var found = [StoredOutcome?](repeating: nil, count: ids.count)
        try rows[0].each { row in
            let number = try row.int()
            guard ids.indices.contains(number - 1) else { throw noSuchPlace }
            found[number - 1] = StoredOutcome(
                changeID: ids[number - 1].changeID, text: try row.text(),
                isTraceless: try row.flag())
        }
        batch.outcomes = found
    }
}

private let outcomesTexts = RowTexts(numbered: "text", "text", "text") { rows in
    """
    SELECT number, outcome, is_traceless
    FROM \(rows) AS wanted (wanted_login, wanted_device, wanted_id, number)
    CROSS JOIN LATERAL (SELECT outcome, is_traceless FROM outcomes
        WHERE environment = $1 AND login = wanted_login
            AND device_identifier = wanted_device AND change_id = wanted_id OFFSET 0) AS found
    """
}

// MARK: - History

/// A statement for each question, since each has a limit. Few calls ask for history.
private func histories(
    of questions: [HistoryQuestion], in environment: EnvironmentID
) -> BatchQuery {
    let statements = questions.map { question in
        Statement(
            """
            SELECT number, \(Columns.entry) FROM (
                SELECT first_rows.*, sum(octet_length(fields)) OVER (ROWS UNBOUNDED PRECEDING)
                    - octet_length(fields) AS bytes_before
                FROM (SELECT number, id, \(Columns.entry) FROM \(wantedStarts)
                    CROSS JOIN LATERAL (SELECT id, \(Columns.entry) FROM history
                        WHERE environment = $1 AND guid = wanted_guid
                            AND revision > after_revision AND sequence > after_sequence OFFSET 0
                        ) AS found
                    LIMIT $5) AS first_rows) AS counted
            WHERE bytes_before <= $6 ORDER BY number, revision, id
            """, parameters(of: question.starts, in: environment) + question.limit.parameters)
    }
    return BatchQuery(statements: statements) { rows, batch in
        batch.history = try zip(questions, rows).map { question, rows in
            let found = try lists(rows, count: question.starts.count) {
                try HistoryEntry(row: &$0)
            }
            return question.limit.includes(found.joined().map(\.fieldsText)) ? found : nil
        }
    }
}

private func entryCounts(
    of questions: [HistoryCountQuestion], in environment: EnvironmentID
) -> BatchQuery {
    let most = questions.map(\.max).max() ?? 0
    let statement = Statement(
        """
        SELECT number, entries FROM \(wantedStarts)
        CROSS JOIN LATERAL (SELECT count(*) AS entries FROM (SELECT 1 FROM history
            WHERE environment = $1 AND guid = wanted_guid AND revision > after_revision
                AND sequence > after_sequence LIMIT $5) AS first_rows) AS found
        """, parameters(of: questions.map(\.start), in: environment) + [.integer(Int64(most))])
    return BatchQuery(statements: [statement]) { rows, batch in
        var counts = [Int](repeating: 0, count: questions.count)
        try rows[0].each { row in try counts.set(&row) { try $0.int() } }
        batch.historyCounts = zip(questions, counts).map { min($0.max, $1) }
    }
}

private func firstOwnershipChanges(
    of starts: [HistoryStart], in environment: EnvironmentID
) -> BatchQuery {
    let statement = Statement(
        """
        SELECT number, \(Columns.move) FROM \(wantedStarts)
        CROSS JOIN LATERAL (SELECT \(Columns.move) FROM moves
            WHERE environment = $1 AND guid = wanted_guid AND revision > after_revision
                AND sequence > after_sequence ORDER BY sequence LIMIT 1) AS found
        """, parameters(of: starts, in: environment))
    return BatchQuery(statements: [statement]) { rows, batch in
        var ownershipChanges = [OwnershipChange?](repeating: nil, count: starts.count)
        try rows[0].each { row in try ownershipChanges.set(&row) { try OwnershipChange(row: &$0) } }
        batch.ownershipChanges = ownershipChanges
    }
}

private let wantedStarts = """
    unnest($2::text[], $3::bigint[], $4::bigint[]) WITH ORDINALITY
        AS wanted (wanted_guid, after_revision, after_sequence, number)
    """

private func parameters(of starts: [HistoryStart], in environment: EnvironmentID) -> [Parameter] {
    let places = starts.map { start -> (revision: Int64, sequence: Int64) in
        switch start.position {
        case .revision(let revision): (revision, .min)
        case .sequence(let sequence): (.min, sequence)
        }
    }
    return [
        .integer(environment.number), .texts(starts.map(\.guid)), .integers(places.map(\.revision)),
        .integers(places.map(\.sequence)),
    ]
}

// MARK: - Conflicts

private func openConflictAmounts(
    of guids: [String], in environment: EnvironmentID
) -> BatchQuery {
    let statement = Statement(
        """
        SELECT number, open_rows, open_bytes
        FROM unnest($2::text[]) WITH ORDINALITY AS wanted (wanted_guid, number)
        CROSS JOIN LATERAL (SELECT count(*) AS open_rows,
            coalesce(sum(octet_length(sides)), 0)::bigint AS open_bytes FROM conflicts
            WHERE environment = $1 AND guid = wanted_guid AND is_open) AS found
        """, [.integer(environment.number), .texts(guids)])
    return BatchQuery(statements: [statement]) { rows, batch in
        var found = [StoredAmount](repeating: .nothing, count: guids.count)
        try rows[0].each { row in try found.set(&row) { try StoredAmount(row: &$0) } }
        batch.conflictAmounts = found
    }
}

// MARK: - Unique values

private func valueHolders(of values: [UniqueValue], in environment: EnvironmentID) -> BatchQuery {
    BatchQuery(statements: [holders(of: values, in: environment)]) { rows, batch in
        var found = [String?](repeating: nil, count: values.count)
        try rows[0].each { row in try found.set(&row) { try $0.text() } }
        batch.holders = found
    }
}

private func recordOwners(of guids: [String], in environment: EnvironmentID) -> BatchQuery {
    let statement = Statement(
        """
        SELECT number, model, owner, group_name
        FROM unnest($2::text[]) WITH ORDINALITY AS wanted (wanted_guid, number)
        CROSS JOIN LATERAL (SELECT model, owner, group_name FROM records
            WHERE environment = $1 AND guid = wanted_guid OFFSET 0) AS found
        """, [.integer(environment.number), .texts(guids)])
    return BatchQuery(statements: [statement]) { rows, batch in
        var found = [OwnedRecord?](repeating: nil, count: guids.count)
        try rows[0].each { row in
            try found.set(&row) { row in
                OwnedRecord(model: try row.text(), owner: try row.text(), group: try row.text())
            }
        }
        batch.owners = found
    }
}

// MARK: - Files

private func storedFiles(_ guids: [String], in environment: EnvironmentID) -> BatchQuery {
    BatchQuery(statements: [files(guids, in: environment)]) { rows, batch in
        let found = Dictionary(
            first: try rows[0].map { try StoredFile(row: &$0) }.map { ($0.guid, $0) })
        batch.files = guids.map { found[ByteKey($0)] }
    }
}

// MARK: - Amounts

/// Counts once for each user, whose devices share a transaction.
private func outcomeAmountsOfUsers(
    _ questions: [OutcomeQuestion], in environment: EnvironmentID
) -> BatchQuery {
    let asked = Array(Set(questions))
    let rows = RowParameters(asked)
    let statement = Statement(
        outcomeAmountsTexts[rows.form],
        [
            .integer(environment.number), rows.texts(\.login.text),
            rows.integers { Int64($0.maxRows) }, rows.flags(\.includesExpiring),
        ])
    return BatchQuery(statements: [statement]) { rows, batch in
        var amounts: [OutcomeQuestion: [ByteKey: StoredAmount]] = [:]
        try rows[0].each { row in
            let number = try row.int()
            guard asked.indices.contains(number - 1) else { throw noSuchPlace }
            amounts[asked[number - 1], default: [:]][ByteKey(try row.text())] =
                try StoredAmount(row: &row)
        }
        batch.outcomeAmounts = questions.map { OutcomeAmounts(ofDevices: amounts[$0] ?? [:]) }
    }
}

private let outcomeAmountsTexts = RowTexts(numbered: "text", "bigint", "boolean") { rows in
    """
    SELECT number, device_identifier, device_rows, device_bytes
    FROM \(rows) AS wanted (wanted_login, most, has_expiring, number)
    CROSS JOIN LATERAL (SELECT device_identifier, count(*) AS device_rows,
        sum(octet_length(outcome))::bigint AS device_bytes
        FROM (SELECT device_identifier, outcome FROM outcomes
            WHERE environment = $1 AND login = wanted_login
                AND (expires_at = 0 OR has_expiring AND NOT is_traceless)
            ORDER BY device_identifier LIMIT most) AS stored GROUP BY device_identifier) AS found
    """
}

private func disputesOfUsers(
    _ questions: [DisputeQuestion], in environment: EnvironmentID
) -> BatchQuery {
    let statement = Statement(
        """
        SELECT number, user_rows, user_bytes
        FROM unnest($2::text[], $3::bigint[]) WITH ORDINALITY AS wanted (wanted_login, most, number)
        CROSS JOIN LATERAL (SELECT count(*) AS user_rows,
            coalesce(sum(size), 0)::bigint AS user_bytes
            FROM (SELECT octet_length(sides) AS size FROM conflicts
                WHERE environment = $1 AND login = wanted_login AND is_open LIMIT most) AS stored
            ) AS found
        """,
        [
            .integer(environment.number), .texts(questions.map(\.login)),
            .integers(questions.map { Int64($0.maxRows) }),
        ])
    return BatchQuery(statements: [statement]) { rows, batch in
        var found = [StoredAmount](repeating: .nothing, count: questions.count)
        try rows[0].each { row in try found.set(&row) { try StoredAmount(row: &$0) } }
        batch.disputes = found
    }
}

extension StoredAmount {
    fileprivate init(row: inout Row) throws {
        self.init(rows: try row.int(), bytes: try row.int())
    }
}

// MARK: - Rows

private let noSuchPlace = StoreError.failed("a row answers no question")

extension ReadLimit {
    /// One row more than the limit, and the bytes.
    var parameters: [Parameter] { [.integer(Int64(rows) + 1), .integer(Int64(bytes))] }

    func includes(_ texts: some Collection<String>) -> Bool {
        texts.count <= rows && texts.reduce(0) { $0 + $1.utf8.count } <= bytes
    }
}

extension Array {
    /// Sets the element whose 1-based index is the first column of the row.
    mutating func set(
        _ row: inout Row, _ value: (inout Row) throws -> Element
    ) throws {
        let number = try row.int()
        guard indices.contains(number - 1) else { throw noSuchPlace }
        self[number - 1] = try value(&row)
    }
}

/// Groups the values of rows by the 1-based index in their first column.
func lists<Value>(
    _ rows: Rows, count: Int, _ value: (inout Row) throws -> Value
) throws -> [[Value]] {
    var found = [[Value]](repeating: [], count: count)
    try rows.each { row in
        let number = try row.int()
        guard found.indices.contains(number - 1) else { throw noSuchPlace }
        found[number - 1].append(try value(&row))
    }
    return found
}
