package import Notifications
package import SyncEngine

extension PostgresDatabase: NotificationStore {
    package func add(
        _ notification: NewNotification, in environment: EnvironmentID, windowSeconds: Int64,
        keeping max: StoredAmount, waiting: @escaping @Sendable (RecentSendings) -> Int64
    ) async throws(StoreError) -> NotificationAdmission {
        try await write { transaction in
            try lock(environment, transaction)
            if let earlier = try sent(notification, in: environment, transaction) {
                return .repeated(earlier)
            }
            let recent = try sendings(
                before: notification, windowSeconds: windowSeconds, in: environment, transaction)
            let wait = waiting(recent)
            guard wait == 0 else { return .wait(seconds: wait) }
            guard
                try stored(of: notification.sender, in: environment, upTo: max.rows, transaction)
                    .isBelow(max)
            else { return .full }
            return .added(try insert(notification, in: environment, transaction))
        }
    }

    package func lastNotification(
        in environment: EnvironmentID
    ) async throws(StoreError) -> Int64 {
        try await ask { transaction in
            try number(
                transaction.rows(
                    "SELECT last_notification FROM environments WHERE id = $1",
                    [.integer(environment.number)]))
        }
    }

    package func notifications(
        _ query: NotificationQuery
    ) async throws(StoreError) -> NotificationPage {
        try await ask { transaction in
            // One extra row shows whether more follow.
            let all = try transaction.rows(
                """
                SELECT \(notificationColumns) FROM notifications
                WHERE environment = $1 AND number > $2 ORDER BY number LIMIT $3
                """,
                [
                    .integer(query.environment.number), .integer(query.after),
                    .integer(Int64(query.maxScanned) + 1),
                ]
            ).map { try StoredNotification(row: &$0) }
            var found: [StoredNotification] = []
            var through = query.after
            for (place, notification) in all.enumerated() {
                guard found.count < query.limit, place < query.maxScanned else {
                    return NotificationPage(notifications: found, through: through, hasMore: true)
                }
                through = notification.number
                if notification.content.audience.includes(query.reader) {
                    found.append(notification)
                }
            }
            return NotificationPage(notifications: found, through: through, hasMore: false)
        }
    }

    package func sweepNotifications(_ request: SweepRequest) async throws(StoreError) -> Int {
        try await delete(
            request,
            by: """
                DELETE FROM notifications WHERE environment = $1 AND number IN (
                    SELECT number FROM notifications WHERE environment = $1 AND at < $2
                    ORDER BY at, number LIMIT $3)
                """)
    }
}

/// Returns the stored notification with the same sender and id, if any.
private func sent(
    _ notification: NewNotification, in environment: EnvironmentID, _ transaction: PGTransaction
) throws -> StoredNotification? {
    try transaction.rows(
        """
        SELECT \(notificationColumns) FROM notifications
        WHERE environment = $1 AND sender = $2 AND name = $3
        """,
        [
            .integer(environment.number), .text(notification.sender), .text(notification.id),
        ]
    ).map { try StoredNotification(row: &$0) }.first
}

/// The stored notifications of a sender, at most so many.
private func stored(
    of sender: String, in environment: EnvironmentID, upTo maxRows: Int,
    _ transaction: PGTransaction
) throws -> StoredAmount {
    var row = try transaction.rows(
        """
        SELECT count(*), coalesce(sum(size), 0)::bigint FROM (
            SELECT octet_length(body) + coalesce(octet_length(array_to_string(logins, ',')), 0)
                AS size
            FROM notifications WHERE environment = $1 AND sender = $2 LIMIT $3) AS stored
        """,
        [.integer(environment.number), .text(sender), .integer(Int64(maxRows))]
    ).first
    return StoredAmount(rows: try row?.int() ?? 0, bytes: try row?.int() ?? 0)
}

private func sendings(
    before notification: NewNotification, windowSeconds: Int64, in environment: EnvironmentID,
    _ transaction: PGTransaction
) throws -> RecentSendings {
    let found = try transaction.rows(
        """
        SELECT count(*), min(at) FROM notifications
        WHERE environment = $1 AND sender = $2 AND at > $3 AND at <= $4
        """,
        [
            .integer(environment.number), .text(notification.sender),
            .integer(notification.at.adding(seconds: -windowSeconds).milliseconds),
            .integer(notification.at.milliseconds),
        ]
    ).map { row in
        RecentSendings(
            count: try row.int(),
            first: try row.optionalInt64().map { Instant(milliseconds: $0) })
    }
    return found.first ?? RecentSendings(count: 0, first: nil)
}

/// Stores a notification. Listeners are notified when the transaction commits.
private func insert(
    _ notification: NewNotification, in environment: EnvironmentID, _ transaction: PGTransaction
) throws -> StoredNotification {
    let number = try number(
        transaction.rows(
            """
            UPDATE environments SET last_notification = last_notification + 1 WHERE id = $1
            RETURNING last_notification
            """, [.integer(environment.number)]))
    let audience = notification.audience
    _ = try transaction.rows(of: [
        Statement(
            """
            INSERT INTO notifications (environment, number, name, sender, at, device_category,
                group_name, logins, body)
            VALUES ($1, $2, $3, $4, $5, $6, $7, CASE WHEN $8 THEN NULL ELSE $9::text[] END, $10)
            """,
            [
                .integer(environment.number), .integer(number), .text(notification.id),
                .text(notification.sender), .integer(notification.at.milliseconds),
                .text(audience.deviceCategory), .text(audience.group),
                .flag(audience.logins == nil), .texts(audience.logins ?? []),
                .text(notification.body),
            ]),
        Statement(
            "SELECT pg_notify($1, $2)",
            [.text(PostgresListener.channel), .text(String(environment.number))]),
    ])
    return StoredNotification(number: number, content: notification)
}

private func number(_ rows: Rows) throws -> Int64 {
    guard var row = rows.first else {
        throw StoreError.environmentGone
    }
    return try row.int64()
}

let notificationColumns =
    "number, name, sender, at, device_category, group_name, logins, body"

extension StoredNotification {
    init(row: inout Row) throws {
        self.init(
            number: try row.number(as: .sequence),
            content: NewNotification(
                id: try row.text(), sender: try row.text(),
                at: try row.instant(),
                audience: NotificationAudience(
                    deviceCategory: try row.optionalText(), group: try row.optionalText(),
                    logins: try row.optionalTexts()),
                body: try row.text()))
    }
}
