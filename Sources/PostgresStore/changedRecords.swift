import SyncEngine

/// A statement for each question. Few calls ask.
func changedRecords(
    for questions: [ChangesQuestion], in environment: EnvironmentID
) -> BatchQuery {
    let statements = questions.map { question in
        Statement(
            """
            SELECT \(Columns.record) FROM (
                SELECT first_rows.*, sum(octet_length(fields)) OVER (ROWS UNBOUNDED PRECEDING)
                    - octet_length(fields) AS bytes_before
                FROM (SELECT sequence, \(Columns.record) FROM records
                    WHERE environment = $1 AND sequence > $2 ORDER BY sequence LIMIT $3
                    ) AS first_rows) AS counted
            WHERE bytes_before <= $4 ORDER BY sequence
            """,
            [.integer(environment.number), .integer(question.afterSequence)]
                + question.limit.parameters)
    }
    return BatchQuery(statements: statements) { rows, batch in
        batch.changes = try zip(questions, rows).map { question, rows in
            try records(in: rows, within: question.limit)
        }
    }
}

/// Two statements for each question: the first one counts the links, and is needed since records of
/// other models and unchanged ones are not among the rows of the second.
func sources(of questions: [SourceQuestion], in environment: EnvironmentID) -> BatchQuery {
    let statements = questions.flatMap { question in
        let links = """
            SELECT source FROM links
            WHERE environment = $1 AND target = $2 AND is_current LIMIT $3
            """
        let parameters: [Parameter] = [.integer(environment.number), .text(question.target)]
        return [
            Statement(
                "SELECT count(*) FROM (\(links)) AS named",
                parameters + [.integer(Int64(question.limit.rows) + 1)]),
            Statement(
                """
                SELECT \(Columns.record) FROM (
                    SELECT records.*, sum(octet_length(fields)) OVER (ROWS UNBOUNDED PRECEDING)
                        - octet_length(fields) AS bytes_before
                    FROM (\(links)) AS named JOIN records ON environment = $1 AND guid = source
                    WHERE model = ANY ($5) AND sequence > $6) AS counted
                WHERE bytes_before <= $4
                """,
                parameters + question.limit.parameters + [
                    .texts(question.models), .integer(question.afterSequence),
                ]),
        ]
    }
    return BatchQuery(statements: statements) { rows, batch in
        batch.changedSources = try questions.enumerated().map { number, question in
            let count = try rows[2 * number].map { try $0.int() }.first ?? 0
            let found = try records(in: rows[2 * number + 1], within: question.limit)
            return count > question.limit.rows ? nil : found
        }
    }
}

private func records(in rows: Rows, within limit: ReadLimit) throws -> [StoredRecord]? {
    let records = try rows.map { try StoredRecord(row: &$0) }
    return limit.includes(records.map(\.fieldsText)) ? records : nil
}

/// Visits the newest entries of each record. Sequences ascend with revisions.
func effectsOnRecords(
    _ questions: [EffectQuestion], in environment: EnvironmentID
) -> BatchQuery {
    let statement = Statement(
        """
        SELECT number
        FROM unnest($2::text[], $3::bigint[], $4::text[], $5::text[], $6::bigint[])
            WITH ORDINALITY
            AS wanted (wanted_guid, after, own_login, own_device, max_entries, number)
        CROSS JOIN LATERAL (
            SELECT count(*) AS later,
                bool_or(kind = ANY ($7)
                    AND NOT (login = own_login AND device_identifier = own_device)) AS has_effect
            FROM (SELECT sequence, kind, login, device_identifier FROM history
                WHERE environment = $1 AND guid = wanted_guid
                ORDER BY revision DESC LIMIT max_entries + 1) AS newest
            WHERE sequence > after) AS found
        WHERE has_effect OR later > max_entries
        """,
        [
            .integer(environment.number), .texts(questions.map(\.guid)),
            .integers(questions.map(\.afterSequence)), .texts(questions.map(\.device.login)),
            .texts(questions.map(\.device.deviceIdentifier)),
            .integers(questions.map { Int64($0.maxEntries) }),
            .texts(HistoryEntry.Kind.allCases.filter(\.tookEffect).map(\.rawValue)),
        ])
    return BatchQuery(statements: [statement]) { rows, batch in
        var found = [Bool](repeating: false, count: questions.count)
        try rows[0].each { row in try found.set(&row) { _ in true } }
        batch.effects = found
    }
}
