package import SyncEngine

extension PostgresDatabase {
    package func beginEpoch(
        _ epoch: Int64, in environment: EnvironmentID
    ) async throws(StoreError) {
        try await write { transaction in
            try PostgresStore.beginEpoch(epoch, in: environment, transaction)
        }
    }
}

/// Begins an epoch of every environment, which may have been restored to an earlier state: the
/// database server has started anew, or another one has taken its place.
func beginEpochs(on connection: PGConnection) throws {
    let ending = PGTransaction.write(
        on: connection,
        { transaction in
            let ids = try transaction.rows("SELECT id FROM environments ORDER BY id").map {
                EnvironmentID(number: try $0.number(as: .environment))
            }
            for id in ids {
                try beginEpoch(Int64.random(in: 1..<1 << 53), in: id, transaction)
            }
        }, then: .nothing)
    switch ending {
    case .committed: break
    case .failed(let error): throw error
    // The next connection begins one again.
    case .unknown: throw Failure.lost("while an epoch began")
    }
}

private func beginEpoch(
    _ epoch: Int64, in environment: EnvironmentID, _ transaction: PGTransaction
) throws {
    try lock(environment, transaction)
    let number = Parameter.integer(environment.number)
    _ = try transaction.rows(of: [
        Statement(
            """
            INSERT INTO epochs (environment, number, epoch, sequence, notification)
            SELECT id, 1 + coalesce((SELECT max(number) FROM epochs WHERE environment = id), 0),
                epoch, sequence, last_notification
            FROM environments WHERE id = $1
            """, [number]),
        Statement(
            """
            DELETE FROM epochs WHERE environment = $1 AND number <=
                (SELECT max(number) FROM epochs WHERE environment = $1) - $2
            """, [number, .integer(Int64(EpochChain.maxEnded))]),
        Statement(
            "UPDATE environments SET epoch = $2, accounts = accounts + $3 WHERE id = $1",
            [number, .integer(epoch), .integer(EpochChain.accountsStep)]),
    ])
}

func endedEpochs(
    of environment: Int64, _ transaction: PGTransaction
) throws -> [EpochEnd] {
    try transaction.rows(
        """
        SELECT epoch, sequence, notification FROM epochs WHERE environment = $1 ORDER BY number
        """, [.integer(environment)]
    ).map { row in
        EpochEnd(
            epoch: try row.int64(), sequence: try row.number(as: .sequence),
            notification: try row.number(as: .sequence))
    }
}
