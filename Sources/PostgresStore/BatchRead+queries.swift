import SyncEngine

/// Statements of a batch read, and the function that stores their rows in the result.
struct BatchQuery {
    let statements: [Statement]
    let take: ([Rows], inout BatchRows) throws -> Void
}

// Each statement looks up many keys and identifies each by its 1-based index. A subquery with an
// OFFSET is evaluated separately for each key, by the index on that key, whatever statistics the
// planner has.

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
        add(records, storedRecords)
        add(outcomes, storedOutcomes)
        add(history, entries)
        add(historyCounts, entryCounts)
        add(moves, firstMoves)
        add(conflictCounts, openConflictCounts)
        add(conflicts, openConflictRows)
        add(holders, valueHolders)
        add(changedSources, sources)
        add(effects, effectsOnRecords)
        add(files, storedFiles)
        add(outcomeAmounts, outcomeAmountsOfUsers)
        add(disputes, disputesOfUsers)
        return queries
    }
}

// MARK: - Records

private func storedRecords(_ guids: [String], in environment: EnvironmentID) -> BatchQuery {
    let statement = Statement(
        """
        SELECT number, is_swept, \(Columns.record)
        FROM unnest($2::text[]) WITH ORDINALITY AS wanted (wanted_guid, number)
        LEFT JOIN LATERAL (SELECT \(Columns.record) FROM records
            WHERE environment = $1 AND guid = wanted_guid OFFSET 0) AS found ON true
        CROSS JOIN LATERAL (SELECT found.guid IS NULL AND EXISTS (SELECT 1 FROM swept
            WHERE environment = $1 AND swept.guid = wanted_guid) AS is_swept) AS past
        WHERE is_swept OR found.guid IS NOT NULL
        """, [.integer(environment.number), .texts(guids)])
    return BatchQuery(statements: [statement]) { rows, batch in
        var found = [FoundState](repeating: .free, count: guids.count)
        try rows[0].each { row in
            try found.set(&row) { row in
                try row.flag() ? .swept : .stored(try StoredRecord(row: &row))
            }
        }
        batch.records = found
    }
}

private func storedOutcomes(_ ids: [OutcomeID], in environment: EnvironmentID) -> BatchQuery {
    let statement = Statement(
        """
        SELECT number, outcome
        FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY
            AS wanted (wanted_login, wanted_device, wanted_id, number)
        CROSS JOIN LATERAL (SELECT outcome FROM outcomes
            WHERE environment = $1 AND login = wanted_login
                AND device_identifier = wanted_device AND change_id = wanted_id OFFSET 0) AS found
        """,
        [
            .integer(environment.number), .texts(ids.map(\.device.login)),
            .texts(ids.map(\.device.deviceIdentifier)), .texts(ids.map(\.changeID)),
        ])
    return BatchQuery(statements: [statement]) { rows, batch in
        var found = [StoredOutcome?](repeating: nil, count: ids.count)
        try rows[0].each { row in
            let number = try row.int()
            guard ids.indices.contains(number - 1) else { throw noSuchPlace }
            found[number - 1] = StoredOutcome(
                changeID: ids[number - 1].changeID, text: try row.text())
        }
        batch.outcomes = found
    }
}

// MARK: - History

private func entries(of starts: [HistoryStart], in environment: EnvironmentID) -> BatchQuery {
    let statement = Statement(
        """
        SELECT number, \(Columns.entry) FROM \(wantedStarts)
        CROSS JOIN LATERAL (SELECT id, \(Columns.entry) FROM history
            WHERE environment = $1 AND guid = wanted_guid AND revision > after_revision
                AND sequence > after_sequence OFFSET 0) AS found
        ORDER BY number, revision, id
        """, parameters(of: starts, in: environment))
    return BatchQuery(statements: [statement]) { rows, batch in
        batch.history = try lists(rows[0], count: starts.count) { try HistoryEntry(row: &$0) }
    }
}

private func entryCounts(of starts: [HistoryStart], in environment: EnvironmentID) -> BatchQuery {
    let statement = Statement(
        """
        SELECT number, entries FROM \(wantedStarts)
        CROSS JOIN LATERAL (SELECT count(*) AS entries FROM history
            WHERE environment = $1 AND guid = wanted_guid AND revision > after_revision
                AND sequence > after_sequence OFFSET 0) AS found
        """, parameters(of: starts, in: environment))
    return BatchQuery(statements: [statement]) { rows, batch in
        var counts = [Int](repeating: 0, count: starts.count)
        try rows[0].each { row in try counts.set(&row) { try $0.int() } }
        batch.historyCounts = counts
    }
}

private func firstMoves(of starts: [HistoryStart], in environment: EnvironmentID) -> BatchQuery {
    let statement = Statement(
        """
        SELECT number, \(Columns.move) FROM \(wantedStarts)
        CROSS JOIN LATERAL (SELECT \(Columns.move) FROM moves
            WHERE environment = $1 AND guid = wanted_guid AND revision > after_revision
                AND sequence > after_sequence ORDER BY sequence LIMIT 1) AS found
        """, parameters(of: starts, in: environment))
    return BatchQuery(statements: [statement]) { rows, batch in
        var moves = [OwnershipMove?](repeating: nil, count: starts.count)
        try rows[0].each { row in try moves.set(&row) { try OwnershipMove(row: &$0) } }
        batch.moves = moves
    }
}

private let wantedStarts = """
    unnest($2::text[], $3::bigint[], $4::bigint[]) WITH ORDINALITY
        AS wanted (wanted_guid, after_revision, after_sequence, number)
    """

private func parameters(of starts: [HistoryStart], in environment: EnvironmentID) -> [Parameter] {
    let places = starts.map { start -> (revision: Int64, sequence: Int64) in
        switch start.place {
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

private func openConflictCounts(of guids: [String], in environment: EnvironmentID) -> BatchQuery {
    let statement = Statement(
        """
        SELECT number, (SELECT count(*) FROM conflicts
            WHERE environment = $1 AND conflicts.guid = wanted.guid AND is_open)
        FROM unnest($2::text[]) WITH ORDINALITY AS wanted (guid, number)
        """, [.integer(environment.number), .texts(guids)])
    return BatchQuery(statements: [statement]) { rows, batch in
        var counts = [Int](repeating: 0, count: guids.count)
        try rows[0].each { row in try counts.set(&row) { try $0.int() } }
        batch.conflictCounts = counts
    }
}

private func openConflictRows(of guids: [String], in environment: EnvironmentID) -> BatchQuery {
    let statement = Statement(
        """
        SELECT number, \(Columns.conflict)
        FROM unnest($2::text[]) WITH ORDINALITY AS wanted (wanted_guid, number)
            JOIN conflicts ON environment = $1 AND guid = wanted_guid AND is_open
        ORDER BY number, revision
        """, [.integer(environment.number), .texts(guids)])
    return BatchQuery(statements: [statement]) { rows, batch in
        batch.conflicts = try lists(rows[0], count: guids.count) { try StoredConflict(row: &$0) }
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

// MARK: - Related records

private func sources(of questions: [SourceQuestion], in environment: EnvironmentID) -> BatchQuery {
    // One question per model.
    let asked = questions.enumerated().flatMap { number, question in
        Set(question.models).map { (number: number + 1, question: question, model: $0) }
    }
    let statement = Statement(
        """
        SELECT number, \(Columns.record)
        FROM unnest($2::bigint[], $3::text[], $4::text[], $5::bigint[])
            AS wanted (number, wanted_target, wanted_model, after)
        CROSS JOIN LATERAL (SELECT \(Columns.record) FROM links
            JOIN records ON records.environment = $1 AND records.guid = links.source
            WHERE links.environment = $1 AND links.target = wanted_target AND links.is_current
                AND records.model = wanted_model AND records.sequence > after OFFSET 0
            ) AS found
        ORDER BY number
        """,
        [
            .integer(environment.number), .integers(asked.map { Int64($0.number) }),
            .texts(asked.map(\.question.target)), .texts(asked.map(\.model)),
            .integers(asked.map(\.question.afterSequence)),
        ])
    return BatchQuery(statements: [statement]) { rows, batch in
        batch.changedSources = try lists(rows[0], count: questions.count) {
            try StoredRecord(row: &$0)
        }
    }
}

private func effectsOnRecords(
    _ questions: [EffectQuestion], in environment: EnvironmentID
) -> BatchQuery {
    let asked = questions.enumerated().flatMap { number, question in
        question.guids.map { (number: number + 1, question: question, guid: $0) }
    }
    let statement = Statement(
        """
        SELECT DISTINCT number
        FROM unnest($2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::text[])
            AS wanted (number, wanted_guid, after, own_login, own_device)
        WHERE EXISTS (SELECT 1 FROM history
            WHERE environment = $1 AND guid = wanted_guid AND sequence > after AND kind = ANY ($7)
                AND NOT (login = own_login AND device_identifier = own_device))
        """,
        [
            .integer(environment.number), .integers(asked.map { Int64($0.number) }),
            .texts(asked.map(\.guid)),
            .integers(asked.map(\.question.afterSequence)),
            .texts(asked.map(\.question.device.login)),
            .texts(asked.map(\.question.device.deviceIdentifier)),
            .texts(HistoryEntry.Kind.allCases.filter(\.tookEffect).map(\.rawValue)),
        ])
    return BatchQuery(statements: [statement]) { rows, batch in
        var found = [Bool](repeating: false, count: questions.count)
        try rows[0].each { row in try found.set(&row) { _ in true } }
        batch.effects = found
    }
}

// MARK: - Files

private func storedFiles(_ guids: [String], in environment: EnvironmentID) -> BatchQuery {
    BatchQuery(statements: [files(guids, in: environment)]) { rows, batch in
        let found = ByBytes(
            try rows[0].map { try StoredFile(row: &$0) }.map { ($0.guid, $0) })
        batch.files = guids.map { found[$0] }
    }
}

// MARK: - Amounts

private func outcomeAmountsOfUsers(
    _ questions: [OutcomeQuestion], in environment: EnvironmentID
) -> BatchQuery {
    let statement = Statement(
        """
        SELECT number, device_rows, device_bytes, user_rows, user_bytes
        FROM unnest($2::text[], $3::text[], $4::bigint[]) WITH ORDINALITY
            AS wanted (wanted_login, wanted_device, most, number)
        CROSS JOIN LATERAL (SELECT count(*) AS user_rows,
            coalesce(sum(size), 0)::bigint AS user_bytes,
            count(*) FILTER (WHERE device_identifier = wanted_device) AS device_rows,
            coalesce(sum(size) FILTER (WHERE device_identifier = wanted_device), 0)::bigint
                AS device_bytes
            FROM (SELECT device_identifier, octet_length(outcome) AS size FROM outcomes
                WHERE environment = $1 AND login = wanted_login LIMIT most) AS stored) AS found
        """,
        [
            .integer(environment.number), .texts(questions.map(\.device.login)),
            .texts(questions.map(\.device.deviceIdentifier)),
            .integers(questions.map { Int64($0.maxRows) }),
        ])
    return BatchQuery(statements: [statement]) { rows, batch in
        let none = OutcomeAmounts(ofDevice: .nothing, ofUser: .nothing)
        var found = [OutcomeAmounts](repeating: none, count: questions.count)
        try rows[0].each { row in
            try found.set(&row) { row in
                OutcomeAmounts(
                    ofDevice: try StoredAmount(row: &row), ofUser: try StoredAmount(row: &row))
            }
        }
        batch.outcomeAmounts = found
    }
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

extension Array {
    /// Sets the element whose 1-based index is the first column of the row.
    fileprivate mutating func set(
        _ row: inout Row, _ value: (inout Row) throws -> Element
    ) throws {
        let number = try row.int()
        guard indices.contains(number - 1) else { throw noSuchPlace }
        self[number - 1] = try value(&row)
    }
}

/// Groups the values of rows by the 1-based index in their first column.
private func lists<Value>(
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
