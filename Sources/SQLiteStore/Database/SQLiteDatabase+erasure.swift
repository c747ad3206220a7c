import GRDB
package import SyncEngine

extension SQLiteDatabase: ErasureStore {
    package func erasures(
        in environment: EnvironmentID, after login: String, limit: Int
    ) async throws(StoreError) -> [Erasure] {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM erasures WHERE environment = ? AND login > ?
                    ORDER BY login LIMIT ?
                    """,
                arguments: [environment.number, login, limit]
            ).map {
                Erasure(
                    login: try $0.decode(String.self, forColumn: "login"),
                    at: try $0.instant("at"),
                    author: try $0.decode(String.self, forColumn: "author"))
            }
        }
    }

    package func add(
        _ erasure: Erasure, in environment: EnvironmentID
    ) async throws(StoreError) {
        try await write { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO erasures VALUES (?, ?, ?, ?)",
                arguments: [
                    environment.number, erasure.login, erasure.at.milliseconds, erasure.author,
                ])
        }
    }

    package func redact(
        _ guids: [String], in environment: EnvironmentID
    ) async throws(StoreError) -> [String] {
        try await write { db in
            var left: [String] = []
            for guid in guids {
                let key: StatementArguments = [environment.number, guid]
                let isErased = try Bool.fetchOne(
                    db.cachedStatement(
                        sql: """
                            SELECT is_deleted AND NOT is_conflicted AND fields = '{}'
                            FROM records WHERE environment = ? AND guid = ?
                            """), arguments: key)
                guard isErased ?? true else {
                    left.append(guid)
                    continue
                }
                try loosenFiles(namedBy: guid, in: environment, db)
                try db.cachedStatement(
                    sql: """
                        DELETE FROM history WHERE origin = \(originOfRecord)
                            AND id < (SELECT max(id) FROM history
                                WHERE origin = \(originOfRecord))
                        """
                ).execute(arguments: key + key)
                try db.cachedStatement(
                    sql: "DELETE FROM links WHERE origin = \(originOfRecord)"
                ).execute(arguments: key)
                try db.cachedStatement(
                    sql: "DELETE FROM conflicts WHERE environment = ? AND guid = ?"
                ).execute(arguments: key)
            }
            return left
        }
    }

    package func forgetPerson(
        _ login: String, in environment: EnvironmentID
    ) async throws(StoreError) {
        try await writeInParts { db in try deletePart(of: login, in: environment, db) }
        try await write { db in
            let conditions = [
                ("users", "login = ?2"), ("outcomes", "login = ?2"),
                ("failed_sign_ins", "login = ?2"),
                ("refusals", "login = ?2 OR \(refusesPersonsRecord)"),
                ("files", "login = ?2 AND NOT is_named"),
                ("notifications", "sender = ?2 OR logins = json_array(?2)"),
                ("sight_changes", "login = ?2"),
                (
                    "moves",
                    """
                    owner = ?2 AND guid IN (SELECT guid FROM swept WHERE environment = ?1)
                    """
                ),
            ]
            for (table, condition) in conditions {
                try db.execute(
                    sql: "DELETE FROM \(table) WHERE environment = ?1 AND (\(condition))",
                    arguments: [environment.number, login])
            }
            try db.execute(
                sql: "UPDATE swept SET owner = '' WHERE environment = ? AND owner = ?",
                arguments: [environment.number, login])
        }
    }
}

/// Whether a refusal is about a record of the person, also a purged one.
private let refusesPersonsRecord = """
    EXISTS (SELECT 1 FROM records WHERE records.environment = ?1
        AND records.guid = refusals.guid AND records.owner = ?2)
    OR EXISTS (SELECT 1 FROM swept WHERE swept.environment = ?1
        AND swept.guid = refusals.guid AND swept.owner = ?2)
    """
