import GRDB
package import SyncEngine

extension SQLiteDatabase {
    package func renameDeployed(
        _ environment: EnvironmentID, to name: String
    ) async throws(StoreError) -> Bool {
        try await write { db in
            try checkIsThere(environment, db)
            let taken = try Int64.fetchOne(
                db, sql: "SELECT id FROM environments WHERE name = ?", arguments: [name])
            guard taken == nil else { return false }
            try db.execute(
                sql: """
                    INSERT INTO versions (id, environment, digest, fingerprint, source,
                        deployed_at, deployed_after, author, catalog_number, follows_back)
                    SELECT \(freshID(in: "versions")), v.environment, digest, fingerprint,
                        source, deployed_at, e.sequence, author, catalog_number, follows_back
                    FROM versions AS v JOIN environments AS e ON e.version = v.id WHERE e.id = ?
                    """, arguments: [environment.number])
            try db.execute(
                sql: "UPDATE environments SET name = ?, version = ? WHERE id = ?",
                arguments: [name, db.lastInsertedRowID, environment.number])
            return true
        }
    }

    package func remove(_ environment: EnvironmentID) async throws(StoreError) {
        try await write { db in
            try checkIsThere(environment, db)
            // The tables refer to each other.
            try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
            let tables = try String.fetchAll(
                db,
                sql: """
                    SELECT t.name FROM sqlite_schema AS t JOIN pragma_table_info(t.name) AS c
                    WHERE t.type = 'table' AND c.name = 'environment'
                    """)
            try keepNumbers(db)
            for table in tables {
                try db.execute(
                    sql: "DELETE FROM \"\(table)\" WHERE environment = ?",
                    arguments: [environment.number])
            }
            try db.execute(
                sql: "DELETE FROM environments WHERE id = ?", arguments: [environment.number])
        }
    }
}

/// An SQL expression for an id that no row of a table has had, not even of an environment that was
/// removed.
func freshID(in table: String) -> String {
    """
    1 + max(coalesce((SELECT max(id) FROM \(table)), 0),
        (SELECT user_version FROM pragma_user_version))
    """
}

/// Keeps the numbers that environments and versions have had, as the `user_version` of the file.
private func keepNumbers(_ db: Database) throws {
    let last = try Int64.fetchOne(
        db,
        sql: """
            SELECT max((SELECT user_version FROM pragma_user_version),
                (SELECT max(id) FROM environments), (SELECT max(id) FROM versions))
            """)
    try db.execute(sql: "PRAGMA user_version = \(last ?? 0)")
}

private func checkIsThere(_ environment: EnvironmentID, _ db: Database) throws {
    let found = try Int64.fetchOne(
        db, sql: "SELECT id FROM environments WHERE id = ?", arguments: [environment.number])
    guard found != nil else { throw StoreError.environmentGone }
}
