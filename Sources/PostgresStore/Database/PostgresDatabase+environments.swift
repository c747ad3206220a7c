package import SyncEngine

extension PostgresDatabase {
    package func renameDeployed(
        _ environment: EnvironmentID, to name: String
    ) async throws(StoreError) -> Bool {
        try await write { transaction in
            try lock(environment, transaction)
            let number = Parameter.integer(environment.number)
            let changed = try transaction.rows(
                """
                UPDATE environments SET name = $2
                WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM environments WHERE name = $2)
                """, [number, .text(name)]
            ).changedCount
            guard changed == 1 else { return false }
            _ = try transaction.rows(
                """
                WITH copy AS (
                    INSERT INTO versions (environment, digest, fingerprint, source, deployed_at,
                        deployed_after, author, catalog_number, follows_back)
                    SELECT v.environment, digest, fingerprint, source, deployed_at, e.sequence,
                        author, catalog_number, follows_back
                    FROM versions AS v JOIN environments AS e ON e.version = v.id WHERE e.id = $1
                    RETURNING id)
                UPDATE environments SET version = copy.id FROM copy WHERE environments.id = $1
                """, [number])
            return true
        }
    }

    package func remove(_ environment: EnvironmentID) async throws(StoreError) {
        try await write { transaction in
            try lock(environment, transaction)
            let number = Parameter.integer(environment.number)
            for table in try tablesOfEnvironments(transaction) {
                _ = try transaction.rows(
                    "DELETE FROM \"\(table)\" WHERE environment = $1", [number])
            }
            _ = try transaction.rows("DELETE FROM environments WHERE id = $1", [number])
        }
    }
}

/// The tables with rows of environments. No table is before one that refers to it.
private func tablesOfEnvironments(_ transaction: PGTransaction) throws -> [String] {
    let found = try transaction.rows(
        """
        SELECT c.table_name::text FROM information_schema.columns AS c
        JOIN information_schema.tables AS t USING (table_schema, table_name)
        WHERE c.table_schema = current_schema() AND c.column_name = 'environment'
            AND t.table_type = 'BASE TABLE'
        """, []
    ).map { try $0.text() }
    let known = EnvironmentTable.allCases.map(\.rawValue)
    return found.filter { !known.contains($0) } + known.reversed()
}
