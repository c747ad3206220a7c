import SyncEngine

/// The number of rows that one transaction deletes or changes, where one user sets how many there
/// are: others write in between.
let partRows = 1000

extension PostgresDatabase {
    /// Calls `body` until it has changed fewer rows than a part has, each time in a transaction of
    /// its own.
    func writeInParts(
        _ body: @escaping @Sendable (PGTransaction) throws -> Int
    ) async throws(StoreError) {
        while try await write(body) >= partRows {}
    }
}

/// Deletes a part of what is kept for the devices of a user. Returns the number of rows.
func deletePart(
    of login: String, in environment: EnvironmentID, _ transaction: PGTransaction
) throws -> Int {
    for table in ["device_files", "outcomes"] {
        let count = try transaction.rows(
            """
            DELETE FROM \(table) WHERE ctid IN (
                SELECT ctid FROM \(table) WHERE environment = $1 AND login = $2
                LIMIT \(partRows))
            """, [.integer(environment.number), .text(login)]
        ).changedCount
        guard count < partRows else { return count }
    }
    return 0
}
