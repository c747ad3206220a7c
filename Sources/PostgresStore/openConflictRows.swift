import SyncEngine

/// A statement for each question, since each has a limit. Only clients that send whole records ask.
func openConflictRows(
    of questions: [ConflictQuestion], in environment: EnvironmentID
) -> BatchQuery {
    let statements = questions.map { question in
        Statement(
            """
            SELECT number, \(Columns.conflict) FROM (
                SELECT first_rows.*, sum(octet_length(sides)) OVER (ROWS UNBOUNDED PRECEDING)
                    - octet_length(sides) AS bytes_before
                FROM (SELECT number, \(Columns.conflict)
                    FROM unnest($2::text[]) WITH ORDINALITY AS wanted (wanted_guid, number)
                    CROSS JOIN LATERAL (SELECT \(Columns.conflict) FROM conflicts
                        WHERE environment = $1 AND guid = wanted_guid AND is_open
                            AND login = $3 AND device_identifier = $4 OFFSET 0) AS found
                    LIMIT $5) AS first_rows) AS counted
            WHERE bytes_before <= $6 ORDER BY number, revision
            """,
            [
                .integer(environment.number), .texts(question.guids),
                .text(question.device.login), .text(question.device.deviceIdentifier),
            ] + question.limit.parameters)
    }
    return BatchQuery(statements: statements) { rows, batch in
        batch.conflicts = try zip(questions, rows).map { question, rows in
            let found = try lists(rows, count: question.guids.count) {
                try StoredConflict(row: &$0)
            }
            return question.limit.includes(found.joined().map(\.text)) ? found : nil
        }
    }
}
