package import Notifications
package import SyncEngine

/// `environments.last_claimed` is the number of the last notification whose delivery has ended.
extension PostgresDatabase {
    package func claimNotification(
        _ claim: DeliveryClaim, in environment: EnvironmentID, sentSince moment: Instant
    ) async throws(StoreError) -> NotificationClaim {
        try await write { transaction in
            try lock(environment, transaction)
            let present = try claimedDelivery(in: environment, transaction)
            guard !claim.yields(to: present) else { return .taken }
            guard
                let next = try pendingNotification(
                    sentSince: moment, in: environment, transaction)
            else {
                try endAllDeliveries(in: environment, transaction)
                return .nonePending
            }
            let delivery = ClaimedDelivery(of: next.number, by: claim, after: present)
            try upsert(delivery, in: environment, transaction)
            return .claimed(next, after: delivery.token)
        }
    }

    package func extendClaim(
        _ claim: DeliveryClaim, of number: Int64, through token: PushTokenKey,
        in environment: EnvironmentID
    ) async throws(StoreError) -> Bool {
        try await write { transaction in
            try transaction.rows(
                """
                UPDATE deliveries SET expires_at = $4, device_identifier = $5, type = $6
                WHERE environment = $1 AND number = $2 AND claimant = $3
                """,
                [
                    .integer(environment.number), .integer(number), .text(claim.claimant),
                    .integer(claim.expiresAt.milliseconds), .text(token.deviceIdentifier),
                    .text(token.type),
                ]
            ).changedCount == 1
        }
    }

    package func endDelivery(
        of number: Int64, by claimant: String, in environment: EnvironmentID
    ) async throws(StoreError) {
        try await write { transaction in
            try lock(environment, transaction)
            let ended = try transaction.rows(
                "DELETE FROM deliveries WHERE environment = $1 AND number = $2 AND claimant = $3",
                [.integer(environment.number), .integer(number), .text(claimant)]
            ).changedCount
            guard ended == 1 else { return }
            _ = try transaction.rows(
                "UPDATE environments SET last_claimed = $2 WHERE id = $1",
                [.integer(environment.number), .integer(number)])
        }
    }
}

private func claimedDelivery(
    in environment: EnvironmentID, _ transaction: PGTransaction
) throws -> ClaimedDelivery? {
    try transaction.rows(
        """
        SELECT number, claimant, expires_at, device_identifier, type
        FROM deliveries WHERE environment = $1
        """, [.integer(environment.number)]
    ).map { try ClaimedDelivery(row: &$0) }.first
}

private func upsert(
    _ delivery: ClaimedDelivery, in environment: EnvironmentID, _ transaction: PGTransaction
) throws {
    _ = try transaction.rows(
        """
        INSERT INTO deliveries (environment, number, claimant, expires_at, device_identifier, type)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (environment) DO UPDATE SET number = excluded.number,
            claimant = excluded.claimant, expires_at = excluded.expires_at,
            device_identifier = excluded.device_identifier, type = excluded.type
        """,
        [
            .integer(environment.number), .integer(delivery.number), .text(delivery.claimant),
            .integer(delivery.expiresAt.milliseconds), .text(delivery.token?.deviceIdentifier),
            .text(delivery.token?.type),
        ])
}

private func pendingNotification(
    sentSince moment: Instant, in environment: EnvironmentID, _ transaction: PGTransaction
) throws -> StoredNotification? {
    try transaction.rows(
        """
        SELECT \(notificationColumns) FROM notifications
        WHERE environment = $1 AND at >= $2
            AND number > (SELECT last_claimed FROM environments WHERE id = $1)
        ORDER BY number LIMIT 1
        """, [.integer(environment.number), .integer(moment.milliseconds)]
    ).map { try StoredNotification(row: &$0) }.first
}

private func endAllDeliveries(
    in environment: EnvironmentID, _ transaction: PGTransaction
) throws {
    _ = try transaction.rows(of: [
        Statement(
            """
            UPDATE environments SET last_claimed = last_notification
            WHERE id = $1 AND last_claimed <> last_notification
            """, [.integer(environment.number)]),
        Statement(
            "DELETE FROM deliveries WHERE environment = $1", [.integer(environment.number)]),
    ])
}

extension ClaimedDelivery {
    fileprivate init(row: inout Row) throws {
        let number = try row.number(as: .sequence)
        let claimant = try row.text()
        let expiresAt = try row.instant()
        let device = try row.optionalText()
        let type = try row.optionalText()
        self.init(
            number: number, claimant: claimant, expiresAt: expiresAt,
            token: device.flatMap { device in
                type.map { PushTokenKey(deviceIdentifier: device, type: $0) }
            })
    }
}
