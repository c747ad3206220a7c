import GRDB
package import SyncEngine

extension SQLiteDatabase {
    package func beginEpoch(
        _ epoch: Int64, in environment: EnvironmentID
    ) async throws(StoreError) {
        try await write { db in
            try db.execute(
                sql: """
                    INSERT INTO epochs (environment, number, epoch, sequence, notification)
                    SELECT id, 1 + coalesce(
                            (SELECT max(number) FROM epochs WHERE environment = id), 0),
                        epoch, sequence, last_notification
                    FROM environments WHERE id = ?
                    """, arguments: [environment.number])
            guard db.changesCount == 1 else { throw StoreError.environmentGone }
            try db.execute(
                sql: """
                    DELETE FROM epochs WHERE environment = ?1 AND number <=
                        (SELECT max(number) FROM epochs WHERE environment = ?1) - ?2
                    """, arguments: [environment.number, EpochChain.maxEnded])
            try db.execute(
                sql: "UPDATE environments SET epoch = ?, accounts = accounts + ? WHERE id = ?",
                arguments: [epoch, EpochChain.accountsStep, environment.number])
        }
    }
}

func endedEpochs(of environment: Int64, _ db: Database) throws -> [EpochEnd] {
    try Row.fetchAll(
        db,
        sql: """
            SELECT epoch, sequence, notification FROM epochs WHERE environment = ?
            ORDER BY number
            """, arguments: [environment]
    ).map { row in
        EpochEnd(
            epoch: try row.decode(Int64.self, forColumn: "epoch"),
            sequence: try row.number("sequence", as: .sequence),
            notification: try row.number("notification", as: .sequence))
    }
}
