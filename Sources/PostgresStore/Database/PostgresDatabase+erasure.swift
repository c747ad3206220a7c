import DefinitionModel
package import SyncEngine

extension PostgresDatabase: ErasureStore {
    package func erasures(
        in environment: EnvironmentID, after login: String, limit: Int
    ) async throws(StoreError) -> [Erasure] {
        try await ask { transaction in
            try transaction.rows(
                """
                SELECT login, at, author FROM erasures WHERE environment = $1 AND login > $2
                ORDER BY login LIMIT $3
                """,
                [.integer(environment.number), .text(login), .integer(Int64(limit))]
            ).map {
                Erasure(login: try $0.text(), at: try $0.instant(), author: try $0.text())
            }
        }
    }

    package func add(
        _ erasure: Erasure, in environment: EnvironmentID
    ) async throws(StoreError) {
        try await write { transaction in
            _ = try transaction.rows(
                """
                INSERT INTO erasures VALUES ($1, $2, $3, $4)
                ON CONFLICT (environment, login) DO UPDATE
                    SET at = excluded.at, author = excluded.author
                """,
                [
                    .integer(environment.number), .text(erasure.login),
                    .integer(erasure.at.milliseconds), .text(erasure.author),
                ])
        }
    }

    package func redact(
        _ guids: [String], in environment: EnvironmentID
    ) async throws(StoreError) -> [String] {
        try await write { transaction in
            try lock(environment, transaction)
            let left = try transaction.rows(
                """
                SELECT guid FROM records WHERE environment = $1 AND guid = ANY ($2)
                    AND (NOT is_deleted OR is_conflicted OR fields <> '{}')
                """, [.integer(environment.number), .texts(guids)]
            ).map { try $0.text() }
            let guids = guids.filter { guid in !left.contains { $0.hasSameBytes(as: guid) } }
            let parameters: [Parameter] = [.integer(environment.number), .texts(guids)]
            _ = try transaction.rows(of: [
                loosenFiles(namedBy: guids, in: environment),
                Statement(
                    "DELETE FROM links WHERE environment = $1 AND source = ANY ($2)", parameters),
                Statement(
                    "DELETE FROM conflicts WHERE environment = $1 AND guid = ANY ($2)",
                    parameters),
                Statement(
                    """
                    DELETE FROM history USING (
                        SELECT guid AS redacted, max(id) AS newest FROM history
                        WHERE environment = $1 AND guid = ANY ($2) GROUP BY guid) AS kept
                    WHERE environment = $1 AND guid = redacted AND id < newest
                    """, parameters),
            ])
            return left
        }
    }

    package func forgetPerson(
        _ login: String, in environment: EnvironmentID
    ) async throws(StoreError) {
        try await writeInParts { transaction in
            try deletePart(of: login, in: environment, transaction)
        }
        try await write { transaction in
            try lock(environment, transaction)
            _ = try lockUser(login, in: environment, transaction)
            let conditions = [
                ("users", "login = $2"), ("outcomes", "login = $2"),
                ("failed_sign_ins", "login = $2"),
                ("refusals", "login = $2 OR \(refusesPersonsRecord)"),
                ("files", "login = $2 AND NOT is_named"),
                ("notifications", "sender = $2 OR logins = ARRAY[$2]"),
                ("sight_changes", "login = $2"),
                (
                    "moves",
                    """
                    owner = $2 AND guid IN (SELECT guid FROM swept WHERE environment = $1)
                    """
                ),
            ]
            let parameters: [Parameter] = [.integer(environment.number), .text(login)]
            _ = try transaction.rows(
                of: conditions.map { table, condition in
                    Statement(
                        "DELETE FROM \(table) WHERE environment = $1 AND (\(condition))",
                        parameters)
                } + [
                    Statement(
                        "UPDATE swept SET owner = '' WHERE environment = $1 AND owner = $2",
                        parameters)
                ])
        }
    }
}

/// Whether a refusal is about a record of the person, also a purged one.
private let refusesPersonsRecord = """
    EXISTS (SELECT 1 FROM records WHERE records.environment = $1
        AND records.guid = refusals.guid AND records.owner = $2)
    OR EXISTS (SELECT 1 FROM swept WHERE swept.environment = $1
        AND swept.guid = refusals.guid AND swept.owner = $2)
    """
