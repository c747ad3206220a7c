import SyncEngine

/// A transaction that locks its environment and makes a version current. Rewrites are sent with the
/// next read or with the commit.
struct PostgresDeployment: DeploymentTransaction {
    private let environment: EnvironmentID
    private let transaction: PGTransaction

    init(in environment: EnvironmentID, _ transaction: PGTransaction) {
        self.environment = environment
        self.transaction = transaction
    }

    private var key: Parameter { .integer(environment.number) }

    func isUsed() throws -> Bool {
        var row = try transaction.rows(
            """
            SELECT EXISTS (SELECT 1 FROM environments WHERE id = $1 AND sequence > 0)
                OR EXISTS (SELECT 1 FROM sessions WHERE environment = $1)
                OR EXISTS (SELECT 1 FROM device_progress WHERE environment = $1)
            """, [key]
        ).first
        return try row?.flag() ?? true
    }

    func setInstance(_ instance: String) {
        transaction.later([
            Statement(
                "UPDATE environments SET instance = $2 WHERE id = $1", [key, .text(instance)])
        ])
    }

    func discardUniqueValues() {
        transaction.later([
            Statement("DELETE FROM unique_values WHERE environment = $1", [key])
        ])
    }

    func takeIfFree(_ holdings: [UniqueHolding]) throws -> [Bool] {
        try PostgresStore.takeIfFree(holdings, in: environment, transaction)
    }

    func records(after sequence: Int64, atMost count: Int) throws -> [SequencedRecord] {
        try transaction.rows(
            """
            SELECT sequence, \(Columns.record) FROM records
            WHERE environment = $1 AND sequence > $2 ORDER BY sequence LIMIT $3
            """, [key, .integer(sequence), .integer(Int64(count))]
        ).map {
            SequencedRecord(
                sequence: try $0.number(as: .sequence), record: try StoredRecord(row: &$0))
        }
    }

    func rewrite(_ records: [SequencedRecord]) {
        transaction.later([
            Statement(
                """
                UPDATE records SET model = adapted.model, fields = adapted.fields
                FROM unnest($2::text[], $3::text[], $4::text[]) AS adapted (guid, model, fields)
                WHERE records.environment = $1 AND records.guid = adapted.guid
                """,
                [
                    key, .texts(records.map(\.record.guid)), .texts(records.map(\.record.model)),
                    .texts(records.map(\.record.fieldsText)),
                ])
        ])
    }

    func renamePurged(_ models: [String: String]) {
        transaction.later([
            Statement(
                """
                UPDATE swept SET model = renamed.name
                FROM unnest($2::text[], $3::text[]) AS renamed (former, name)
                WHERE environment = $1 AND model = former
                """, [key, .texts(Array(models.keys)), .texts(Array(models.values))])
        ])
    }
}

// MARK: - History and conflicts

extension PostgresDeployment {
    func history(
        of guid: String, after number: Int64, atMost count: Int
    ) throws -> [NumberedText] {
        try texts(
            """
            SELECT id, fields FROM history
            WHERE environment = $1 AND guid = $2 AND id > $3 ORDER BY id LIMIT $4
            """, of: guid, after: number, atMost: count)
    }

    /// Searches the entries by one scan of the record's, whatever statistics the planner has.
    func rewriteHistory(of guid: String, _ fields: [NumberedText]) {
        let numbers = fields.map(\.number)
        transaction.later([
            Statement(
                """
                UPDATE history SET fields = adapted.fields
                FROM (SELECT ctid AS location, id AS number FROM history
                    WHERE environment = $1 AND guid = $2 AND id BETWEEN $3 AND $4 OFFSET 0
                    ) AS entries
                JOIN unnest($5::bigint[], $6::text[]) AS adapted (number, fields) USING (number)
                WHERE history.ctid = location
                """,
                [
                    key, .text(guid), .integer(numbers.min()), .integer(numbers.max()),
                    .integers(numbers), .texts(fields.map(\.text)),
                ])
        ])
    }

    func conflicts(
        of guid: String, after revision: Int64, atMost count: Int
    ) throws -> [NumberedText] {
        try texts(
            """
            SELECT revision, sides FROM conflicts
            WHERE environment = $1 AND guid = $2 AND revision > $3 ORDER BY revision LIMIT $4
            """, of: guid, after: revision, atMost: count)
    }

    func rewriteConflicts(of guid: String, _ texts: [NumberedText]) {
        transaction.later([
            Statement(
                """
                UPDATE conflicts SET sides = adapted.sides
                FROM unnest($3::bigint[], $4::text[]) AS adapted (revision, sides)
                WHERE environment = $1 AND guid = $2 AND conflicts.revision = adapted.revision
                """,
                [
                    key, .text(guid), .integers(texts.map(\.number)), .texts(texts.map(\.text)),
                ])
        ])
    }

    private func texts(
        _ statement: String, of guid: String, after number: Int64, atMost count: Int
    ) throws -> [NumberedText] {
        try transaction.rows(
            statement, [key, .text(guid), .integer(number), .integer(Int64(count))]
        ).map { NumberedText(number: try $0.number(as: .sequence), text: try $0.text()) }
    }
}
