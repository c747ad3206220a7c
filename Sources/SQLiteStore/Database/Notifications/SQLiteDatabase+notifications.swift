import Foundation
import GRDB
package import Notifications
package import SyncEngine

extension SQLiteDatabase: NotificationStore {
    package func add(
        _ notification: NewNotification, in environment: EnvironmentID, windowSeconds: Int64,
        keeping max: StoredAmount, waiting: @escaping @Sendable (RecentSendings) -> Int64
    ) async throws(StoreError) -> NotificationAdmission {
        try await write { db in
            if let earlier = try sent(notification, in: environment, db) {
                return .repeated(earlier)
            }
            let recent = try sendings(
                before: notification, windowSeconds: windowSeconds, in: environment, db)
            let wait = waiting(recent)
            guard wait == 0 else { return .wait(seconds: wait) }
            guard
                try stored(of: notification.sender, in: environment, upTo: max.rows, db)
                    .isBelow(max)
            else { return .full }
            return .added(try insert(notification, in: environment, db))
        }
    }

    package func lastNotification(
        in environment: EnvironmentID
    ) async throws(StoreError) -> Int64 {
        try await read { db in
            let number = try Int64.fetchOne(
                db, sql: "SELECT last_notification FROM environments WHERE id = ?",
                arguments: [environment.number])
            guard let number else { throw StoreError.environmentGone }
            return number
        }
    }

    package func notifications(
        _ query: NotificationQuery
    ) async throws(StoreError) -> NotificationPage {
        try await read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT * FROM notifications WHERE environment = ? AND number > ?
                    ORDER BY number LIMIT ?
                    """)
            // One extra row shows whether more follow.
            let rows = try Row.fetchCursor(
                statement,
                arguments: [query.environment.number, query.after, query.maxScanned + 1])
            var found: [StoredNotification] = []
            var through = query.after
            var scanned = 0
            while let row = try rows.next() {
                guard found.count < query.limit, scanned < query.maxScanned else {
                    return NotificationPage(notifications: found, through: through, hasMore: true)
                }
                scanned += 1
                through = try row.number("number", as: .sequence)
                if try NotificationAudience(row: row).includes(query.reader) {
                    found.append(try StoredNotification(row: row))
                }
            }
            return NotificationPage(notifications: found, through: through, hasMore: false)
        }
    }

    package func sweepNotifications(_ request: SweepRequest) async throws(StoreError) -> Int {
        try await delete(
            request,
            by: """
                DELETE FROM notifications WHERE id IN (
                    SELECT id FROM notifications WHERE environment = ? AND at < ?
                    ORDER BY at, number LIMIT ?)
                """)
    }
}

/// Returns the stored notification with the same sender and id, if any.
private func sent(
    _ notification: NewNotification, in environment: EnvironmentID, _ db: Database
) throws -> StoredNotification? {
    try Row.fetchOne(
        db,
        sql: "SELECT * FROM notifications WHERE environment = ? AND sender = ? AND name = ?",
        arguments: [environment.number, notification.sender, notification.id]
    ).map(StoredNotification.init(row:))
}

/// The stored notifications of a sender, at most so many.
private func stored(
    of sender: String, in environment: EnvironmentID, upTo maxRows: Int, _ db: Database
) throws -> StoredAmount {
    let row = try Row.fetchOne(
        db,
        sql: """
            SELECT count(*) AS count, coalesce(sum(size), 0) AS bytes FROM (
                SELECT length(CAST(body AS BLOB)) + coalesce(length(CAST(logins AS BLOB)), 0)
                    AS size
                FROM notifications WHERE environment = ? AND sender = ? LIMIT ?)
            """, arguments: [environment.number, sender, maxRows])
    guard let row else { return .nothing }
    return StoredAmount(
        rows: try row.decode(Int.self, forColumn: "count"),
        bytes: try row.decode(Int.self, forColumn: "bytes"))
}

private func sendings(
    before notification: NewNotification, windowSeconds: Int64, in environment: EnvironmentID,
    _ db: Database
) throws -> RecentSendings {
    let row = try Row.fetchOne(
        db,
        sql: """
            SELECT count(*) AS count, min(at) AS first FROM notifications
            WHERE environment = ? AND sender = ? AND at > ? AND at <= ?
            """,
        arguments: [
            environment.number, notification.sender,
            notification.at.adding(seconds: -windowSeconds).milliseconds,
            notification.at.milliseconds,
        ])
    let first = try row?.decode(Int64?.self, forColumn: "first")
    return RecentSendings(
        count: try row?.decode(Int.self, forColumn: "count") ?? 0,
        first: first.map { Instant(milliseconds: $0) })
}

private func insert(
    _ notification: NewNotification, in environment: EnvironmentID, _ db: Database
) throws -> StoredNotification {
    let number = try Int64.fetchOne(
        db,
        sql: """
            UPDATE environments SET last_notification = last_notification + 1 WHERE id = ?
            RETURNING last_notification
            """,
        arguments: [environment.number])
    guard let number else { throw StoreError.environmentGone }
    let audience = notification.audience
    try db.execute(
        sql: """
            INSERT INTO notifications (environment, number, name, sender, at, device_category,
                group_name, logins, body)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
        arguments: [
            environment.number, number, notification.id, notification.sender,
            notification.at.milliseconds, audience.deviceCategory, audience.group,
            try audience.logins.map { try json($0) }, notification.body,
        ])
    return StoredNotification(number: number, content: notification)
}

extension NotificationAudience {
    fileprivate init(row: Row) throws {
        let logins = try row.decode(String?.self, forColumn: "logins")
        self.init(
            deviceCategory: try row.decode(String?.self, forColumn: "device_category"),
            group: try row.decode(String?.self, forColumn: "group_name"),
            logins: try logins.map {
                try JSONDecoder().decode([String].self, from: Data($0.utf8))
            })
    }
}

extension StoredNotification {
    init(row: Row) throws {
        self.init(
            number: try row.number("number", as: .sequence),
            content: NewNotification(
                id: try row.decode(String.self, forColumn: "name"),
                sender: try row.decode(String.self, forColumn: "sender"),
                at: try row.instant("at"),
                audience: try NotificationAudience(row: row),
                body: try row.decode(String.self, forColumn: "body")))
    }
}
