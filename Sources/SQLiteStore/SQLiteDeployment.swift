import GRDB
import SyncEngine

/// A transaction of the writer that makes a version current.
struct SQLiteDeployment: DeploymentTransaction {
    private let environment: EnvironmentID
    private let writer: StatementCache

    init(in environment: EnvironmentID, _ db: Database) {
        self.environment = environment
        writer = StatementCache(db)
    }

    func isUsed() throws -> Bool {
        let statement = try writer.statement(
            """
            SELECT EXISTS (SELECT 1 FROM environments WHERE id = ?1 AND sequence > 0)
                OR EXISTS (SELECT 1 FROM sessions WHERE environment = ?1)
                OR EXISTS (SELECT 1 FROM device_progress WHERE environment = ?1)
            """)
        var isUsed = false
        try statement.each([.integer(environment.number)]) { row in
            isUsed = row.number(0) != 0
            return .goOn
        }
        return isUsed
    }

    func setInstance(_ instance: String) throws {
        try writer.statement("UPDATE environments SET instance = ? WHERE id = ?")
            .run([.text(instance), .integer(environment.number)])
    }

    func discardUniqueValues() throws {
        try writer.statement("DELETE FROM unique_values WHERE environment = ?")
            .run([.integer(environment.number)])
    }

    func takeIfFree(_ holdings: [UniqueHolding]) throws -> [Bool] {
        try holdings.map { try SQLiteStore.takeIfFree($0, in: environment, writer.db) }
    }

    func records(after sequence: Int64, atMost count: Int) throws -> [SequencedRecord] {
        let statement = try writer.statement(
            """
            SELECT guid, model, owner, group_name, revision, is_deleted, is_conflicted, fields,
                place
            FROM records WHERE place >= ? AND place < ? ORDER BY place LIMIT ?
            """)
        let places = RowKey.after(sequence, in: environment)
        var records: [SequencedRecord] = []
        try statement.each([
            .integer(places.lowerBound), .integer(places.upperBound), .integer(Int64(count)),
        ]) { row in
            records.append(
                SequencedRecord(
                    sequence: RowKey.sequence(of: row.number(8)),
                    record: try StoredRecord(row: row)))
            return .goOn
        }
        return records
    }

    func rewrite(_ records: [SequencedRecord]) throws {
        let statement = try writer.statement(
            "UPDATE records SET model = ?, fields = ? WHERE place = ?")
        for entry in records {
            try statement.run([
                .text(entry.record.model), .text(entry.record.fieldsText),
                .integer(RowKey.of(sequence: entry.sequence, in: environment)),
            ])
        }
    }

    func renamePurged(_ models: [String: String]) throws {
        let statement = try writer.statement(
            """
            UPDATE swept SET model = renamed.value FROM json_each(?) AS renamed
            WHERE environment = ? AND model = renamed.key
            """)
        try statement.run([.text(json(models)), .integer(environment.number)])
    }
}

// MARK: - History and conflicts

extension SQLiteDeployment {
    func history(
        of guid: String, after number: Int64, atMost count: Int
    ) throws -> [NumberedText] {
        // Without the plus sign, SQLite may scan the table in the order of ids.
        let statement = try writer.statement(
            """
            SELECT id, fields FROM history INDEXED BY history_by_origin
            WHERE origin = \(originOfRecord) AND +id > ? ORDER BY +id LIMIT ?
            """)
        return try texts(by: statement, of: guid, after: number, atMost: count)
    }

    func rewriteHistory(of guid: String, _ fields: [NumberedText]) throws {
        let statement = try writer.statement("UPDATE history SET fields = ? WHERE id = ?")
        for entry in fields { try statement.run([.text(entry.text), .integer(entry.number)]) }
    }

    func conflicts(
        of guid: String, after revision: Int64, atMost count: Int
    ) throws -> [NumberedText] {
        let statement = try writer.statement(
            """
            SELECT revision, sides FROM conflicts
            WHERE environment = ? AND guid = ? AND revision > ? ORDER BY revision LIMIT ?
            """)
        return try texts(by: statement, of: guid, after: revision, atMost: count)
    }

    func rewriteConflicts(of guid: String, _ texts: [NumberedText]) throws {
        let statement = try writer.statement(
            "UPDATE conflicts SET sides = ? WHERE environment = ? AND guid = ? AND revision = ?")
        for entry in texts {
            try statement.run([
                .text(entry.text), .integer(environment.number), .text(guid),
                .integer(entry.number),
            ])
        }
    }

    private func texts(
        by statement: RepeatedStatement, of guid: String, after number: Int64, atMost count: Int
    ) throws -> [NumberedText] {
        var texts: [NumberedText] = []
        try statement.each([
            .integer(environment.number), .text(guid), .integer(number), .integer(Int64(count)),
        ]) { row in
            texts.append(
                NumberedText(number: try row.number(0, as: .sequence), text: try row.text(1)))
            return .goOn
        }
        return texts
    }
}
