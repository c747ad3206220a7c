import GRDB
package import Notifications
package import SyncEngine

/// `environments.last_claimed` is the number of the last notification whose delivery has ended.
extension SQLiteDatabase {
    package func claimNotification(
        _ claim: DeliveryClaim, in environment: EnvironmentID, sentSince moment: Instant
    ) async throws(StoreError) -> NotificationClaim {
        try await write { db in
            let present = try claimedDelivery(in: environment, db)
            guard !claim.yields(to: present) else { return .taken }
            guard let next = try pendingNotification(sentSince: moment, in: environment, db) else {
                try endAllDeliveries(in: environment, db)
                return .nonePending
            }
            let delivery = ClaimedDelivery(of: next.number, by: claim, after: present)
            try upsert(delivery, in: environment, db)
            return .claimed(next, after: delivery.token)
        }
    }

    package func extendClaim(
        _ claim: DeliveryClaim, of number: Int64, through token: PushTokenKey,
        in environment: EnvironmentID
    ) async throws(StoreError) -> Bool {
        try await write { db in
            try db.execute(
                sql: """
                    UPDATE deliveries SET expires_at = ?, device_identifier = ?, type = ?
                    WHERE environment = ? AND number = ? AND claimant = ?
                    """,
                arguments: [
                    claim.expiresAt.milliseconds, token.deviceIdentifier, token.type,
                    environment.number, number, claim.claimant,
                ])
            return db.changesCount == 1
        }
    }

    package func endDelivery(
        of number: Int64, by claimant: String, in environment: EnvironmentID
    ) async throws(StoreError) {
        try await write { db in
            try db.execute(
                sql: """
                    DELETE FROM deliveries WHERE environment = ? AND number = ? AND claimant = ?
                    """,
                arguments: [environment.number, number, claimant])
            guard db.changesCount == 1 else { return }
            try db.execute(
                sql: "UPDATE environments SET last_claimed = ? WHERE id = ?",
                arguments: [number, environment.number])
        }
    }
}

private func claimedDelivery(
    in environment: EnvironmentID, _ db: Database
) throws -> ClaimedDelivery? {
    try Row.fetchOne(
        db, sql: "SELECT * FROM deliveries WHERE environment = ?",
        arguments: [environment.number]
    ).map(ClaimedDelivery.init(row:))
}

private func upsert(
    _ delivery: ClaimedDelivery, in environment: EnvironmentID, _ db: Database
) throws {
    try db.execute(
        sql: """
            INSERT OR REPLACE INTO deliveries
                (environment, number, claimant, expires_at, device_identifier, type)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
        arguments: [
            environment.number, delivery.number, delivery.claimant,
            delivery.expiresAt.milliseconds, delivery.token?.deviceIdentifier,
            delivery.token?.type,
        ])
}

private func pendingNotification(
    sentSince moment: Instant, in environment: EnvironmentID, _ db: Database
) throws -> StoredNotification? {
    try Row.fetchOne(
        db,
        sql: """
            SELECT notifications.* FROM notifications
            JOIN environments ON environments.id = notifications.environment
            WHERE environment = ? AND number > last_claimed AND at >= ?
            ORDER BY number LIMIT 1
            """,
        arguments: [environment.number, moment.milliseconds]
    ).map(StoredNotification.init(row:))
}

private func endAllDeliveries(in environment: EnvironmentID, _ db: Database) throws {
    try db.execute(
        sql: """
            UPDATE environments SET last_claimed = last_notification
            WHERE id = ? AND last_claimed <> last_notification
            """, arguments: [environment.number])
    try db.execute(
        sql: "DELETE FROM deliveries WHERE environment = ?", arguments: [environment.number])
}

extension ClaimedDelivery {
    fileprivate init(row: Row) throws {
        let device = try row.decode(String?.self, forColumn: "device_identifier")
        let type = try row.decode(String?.self, forColumn: "type")
        self.init(
            number: try row.number("number", as: .sequence),
            claimant: try row.decode(String.self, forColumn: "claimant"),
            expiresAt: try row.instant("expires_at"),
            token: device.flatMap { device in
                type.map { PushTokenKey(deviceIdentifier: device, type: $0) }
            })
    }
}
