import DefinitionModel
package import Notifications
package import SyncEngine

extension PostgresDatabase {
    package func keep(
        _ token: WaitingPushToken, in environment: EnvironmentID, limits: WaitingTokenLimits
    ) async throws(StoreError) {
        try await write { transaction in
            try lock(environment, transaction)
            let number = Parameter.integer(environment.number)
            _ = try transaction.rows(
                """
                INSERT INTO waiting_push_tokens
                    (environment, installation, type, token, source, at)
                VALUES ($1, $2, $3, $4, $5, $6)
                ON CONFLICT (environment, installation, type) DO UPDATE SET
                    token = excluded.token, source = excluded.source, at = excluded.at
                """,
                [
                    number, .text(token.installation), .text(token.type), .text(token.text),
                    .bytes(token.source), .integer(token.at.milliseconds),
                ])
            _ = try transaction.rows(
                "DELETE FROM waiting_push_tokens WHERE environment = $1 AND at < $2",
                [number, .integer(limits.oldest.milliseconds)])
            _ = try transaction.rows(
                excess(where: "AND source = $3"),
                [number, .integer(Int64(limits.ofSource)), .bytes(token.source)])
            _ = try transaction.rows(excess(), [number, .integer(Int64(limits.rows))])
        }
    }

    package func attachTokens(
        to device: DeviceKey, deviceCategory: String, in environment: EnvironmentID,
        oldest: Instant, max: Int
    ) async throws(StoreError) {
        let isWaiting = try await ask { transaction in
            try transaction.rows(
                """
                SELECT 1 FROM waiting_push_tokens WHERE environment = $1 AND installation = $2
                LIMIT 1
                """, [.integer(environment.number), .text(device.deviceIdentifier)]
            ).count > 0
        }
        guard isWaiting else { return }
        try await write { transaction in
            guard try lockUser(device.login, in: environment, transaction) else { return }
            let waiting = try transaction.rows(
                """
                DELETE FROM waiting_push_tokens WHERE environment = $1 AND installation = $2
                RETURNING type, token, at
                """, [.integer(environment.number), .text(device.deviceIdentifier)]
            ).map { row in
                PushToken(
                    device: device, deviceCategory: deviceCategory, type: try row.text(),
                    text: try row.text(), at: try row.instant())
            }
            for token in waiting.sorted(by: { ByteKey($0.type) < ByteKey($1.type) })
            where token.at >= oldest {
                guard try !hasNewer(than: token, in: environment, transaction) else { continue }
                _ = try store(token, in: environment, max: max, transaction)
            }
        }
    }
}

/// Deletes what comes after a number of the newest tokens.
private func excess(where condition: String = "") -> String {
    """
    DELETE FROM waiting_push_tokens
    WHERE environment = $1 AND (installation, type) IN (
        SELECT installation, type FROM waiting_push_tokens
        WHERE environment = $1 \(condition)
        ORDER BY at DESC, installation, type OFFSET $2)
    """
}

/// Whether the user has registered a token on the device since another one came.
private func hasNewer(
    than token: PushToken, in environment: EnvironmentID, _ transaction: PGTransaction
) throws -> Bool {
    try transaction.rows(
        """
        SELECT 1 FROM push_tokens
        WHERE environment = $1 AND device_identifier = $2 AND type = $3 AND login = $4
            AND at > $5
        """,
        [
            .integer(environment.number), .text(token.device.deviceIdentifier),
            .text(token.type), .text(token.device.login), .integer(token.at.milliseconds),
        ]
    ).count > 0
}
