import Foundation
import GRDB
package import Notifications
package import SyncEngine

extension SQLiteDatabase {
    package func register(
        _ token: PushToken, in environment: EnvironmentID, max: Int, ofGuest guest: GuestSource?
    ) async throws(StoreError) -> Bool {
        try await write { db in
            try store(token, in: environment, max: max, ofGuest: guest, db)
        }
    }

    package func unregister(
        type: String, of device: DeviceKey, text: String?, in environment: EnvironmentID
    ) async throws(StoreError) {
        try await write { db in
            try db.execute(
                sql: """
                    DELETE FROM push_tokens
                    WHERE environment = ? AND device_identifier = ? AND type = ? AND login = ?
                        AND token = coalesce(?, token)
                    """,
                arguments: [
                    environment.number, device.deviceIdentifier, type, device.login, text,
                ])
        }
    }

    package func pushTokens(
        _ query: PushTokenQuery
    ) async throws(StoreError) -> [HeldPushToken] {
        try await read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT device_identifier, type, login, device_category, token, at, group_name
                    FROM push_tokens JOIN users USING (environment, login)
                    WHERE \(isOfAudience)
                        AND (device_identifier, type) > (:afterDevice, :afterType)
                        AND (:types IS NULL OR type IN (SELECT value FROM json_each(:types)))
                    ORDER BY device_identifier, type LIMIT :limit
                    """)
            let rows = try Row.fetchAll(
                statement,
                arguments: try arguments(query.audience, in: query.environment) + [
                    "afterDevice": query.after?.deviceIdentifier ?? "",
                    "afterType": query.after?.type ?? "",
                    "types": try query.types.map { try json($0.sorted()) },
                    "limit": query.limit,
                ])
            return try rows.map(HeldPushToken.init(row:))
        }
    }

    package func countPushTokens(
        of audience: NotificationAudience, in environment: EnvironmentID
    ) async throws(StoreError) -> [String: Int] {
        try await read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT type, count(*) AS count
                    FROM push_tokens JOIN users USING (environment, login)
                    WHERE \(isOfAudience) GROUP BY type
                    """)
            let rows = try Row.fetchAll(
                statement, arguments: try arguments(audience, in: environment))
            let counts = try rows.map {
                (
                    try $0.decode(String.self, forColumn: "type"),
                    try $0.decode(Int.self, forColumn: "count")
                )
            }
            // Swift takes the two ways to write a character for the same.
            return Dictionary(counts, uniquingKeysWith: +)
        }
    }
}

/// The condition of `NotificationAudience.includes` in SQL.
private let isOfAudience = """
    environment = :environment
        AND (:deviceCategory IS NULL OR device_category = :deviceCategory)
        AND (:group IS NULL OR group_name = :group)
        AND (:logins IS NULL OR login IN (SELECT value FROM json_each(:logins)))
    """

private func arguments(
    _ audience: NotificationAudience, in environment: EnvironmentID
) throws -> StatementArguments {
    [
        "environment": environment.number, "deviceCategory": audience.deviceCategory,
        "group": audience.group, "logins": try audience.logins.map { try json($0) },
    ]
}

/// Stores a token of a user, or returns false if the user does not exist, or has too many and is no
/// guest.
func store(
    _ token: PushToken, in environment: EnvironmentID, max: Int, ofGuest guest: GuestSource? = nil,
    _ db: Database
) throws -> Bool {
    guard try storedUser(token.device.login, in: environment, db) != nil else { return false }
    if let guest {
        try deleteOldest(
            before: token, from: guest.hash, in: environment, keeping: guest.max - 1, db)
    }
    if try countOfOthers(than: token, in: environment, db) >= max {
        guard guest != nil else { return false }
        try deleteOldest(before: token, in: environment, keeping: max - 1, db)
    }
    try db.execute(
        sql: """
            INSERT OR REPLACE INTO push_tokens
                (environment, device_identifier, type, login, device_category, token, at, source)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
        arguments: [
            environment.number, token.device.deviceIdentifier, token.type,
            token.device.login, token.deviceCategory, token.text, token.at.milliseconds,
            Data(guest?.hash ?? []),
        ])
    return true
}

private func countOfOthers(
    than token: PushToken, in environment: EnvironmentID, _ db: Database
) throws -> Int {
    try Int.fetchOne(
        db,
        sql: """
            SELECT count(*) FROM push_tokens
            WHERE environment = ? AND login = ? AND (device_identifier, type) <> (?, ?)
            """,
        arguments: [
            environment.number, token.device.login, token.device.deviceIdentifier, token.type,
        ]) ?? 0
}

/// Deletes the other tokens of a user, or those of a source, but for a number of the newest.
private func deleteOldest(
    before token: PushToken, from source: [UInt8]? = nil, in environment: EnvironmentID,
    keeping count: Int, _ db: Database
) throws {
    try db.execute(
        sql: """
            DELETE FROM push_tokens
            WHERE environment = ? AND (device_identifier, type) IN (
                SELECT device_identifier, type FROM push_tokens
                WHERE environment = ? AND login = ? \(source == nil ? "" : "AND source = ?")
                    AND (device_identifier, type) <> (?, ?)
                ORDER BY at DESC, device_identifier, type LIMIT -1 OFFSET ?)
            """,
        arguments: [environment.number, environment.number, token.device.login]
            + (source.map { [Data($0)] } ?? [])
            + [token.device.deviceIdentifier, token.type, count])
}

extension HeldPushToken {
    fileprivate init(row: Row) throws {
        self.init(
            token: PushToken(
                device: DeviceKey(
                    login: try row.decode(String.self, forColumn: "login"),
                    deviceIdentifier: try row.decode(
                        String.self, forColumn: "device_identifier")),
                deviceCategory: try row.decode(String.self, forColumn: "device_category"),
                type: try row.decode(String.self, forColumn: "type"),
                text: try row.decode(String.self, forColumn: "token"),
                at: try row.instant("at")),
            group: try row.decode(String.self, forColumn: "group_name"))
    }
}

/// Encodes an array or a dictionary of texts for SQLite's `json_each`.
func json(_ texts: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return String(decoding: try encoder.encode(texts), as: UTF8.self)
}
