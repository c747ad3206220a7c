import Foundation
import GRDB
package import Notifications
package import SyncEngine

extension SQLiteDatabase {
    package func keep(
        _ token: WaitingPushToken, in environment: EnvironmentID, limits: WaitingTokenLimits
    ) async throws(StoreError) {
        try await write { db in
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO waiting_push_tokens
                        (environment, installation, type, token, source, at)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    environment.number, token.installation, token.type, token.text,
                    Data(token.source), token.at.milliseconds,
                ])
            try db.execute(
                sql: "DELETE FROM waiting_push_tokens WHERE environment = ? AND at < ?",
                arguments: [environment.number, limits.oldest.milliseconds])
            try db.execute(
                sql: excess(where: "AND source = ?"),
                arguments: [
                    environment.number, environment.number, Data(token.source), limits.ofSource,
                ])
            try db.execute(
                sql: excess(),
                arguments: [environment.number, environment.number, limits.rows])
        }
    }

    package func attachTokens(
        to device: DeviceKey, deviceCategory: String, in environment: EnvironmentID,
        oldest: Instant, max: Int
    ) async throws(StoreError) {
        let isWaiting = try await read { db in
            try !waitingTokens(of: device.deviceIdentifier, in: environment, db).isEmpty
        }
        guard isWaiting else { return }
        try await write { db in
            guard try storedUser(device.login, in: environment, db) != nil else { return }
            let waiting = try waitingTokens(of: device.deviceIdentifier, in: environment, db)
            try db.execute(
                sql: """
                    DELETE FROM waiting_push_tokens WHERE environment = ? AND installation = ?
                    """,
                arguments: [environment.number, device.deviceIdentifier])
            for token in waiting where token.at >= oldest {
                let own = PushToken(
                    device: device, deviceCategory: deviceCategory, type: token.type,
                    text: token.text, at: token.at)
                guard try !hasNewer(than: own, in: environment, db) else { continue }
                _ = try store(own, in: environment, max: max, db)
            }
        }
    }
}

/// Deletes what comes after a number of the newest tokens.
private func excess(where condition: String = "") -> String {
    """
    DELETE FROM waiting_push_tokens
    WHERE environment = ? AND (installation, type) IN (
        SELECT installation, type FROM waiting_push_tokens
        WHERE environment = ? \(condition)
        ORDER BY at DESC, installation, type LIMIT -1 OFFSET ?)
    """
}

private func waitingTokens(
    of installation: String, in environment: EnvironmentID, _ db: Database
) throws -> [WaitingPushToken] {
    let rows = try Row.fetchAll(
        db,
        sql: """
            SELECT type, token, source, at FROM waiting_push_tokens
            WHERE environment = ? AND installation = ? ORDER BY type
            """,
        arguments: [environment.number, installation])
    return try rows.map { row in
        WaitingPushToken(
            installation: installation, type: try row.decode(String.self, forColumn: "type"),
            text: try row.decode(String.self, forColumn: "token"),
            source: [UInt8](try row.decode(Data.self, forColumn: "source")),
            at: try row.instant("at"))
    }
}

/// Whether the user has registered a token on the device since another one came.
private func hasNewer(
    than token: PushToken, in environment: EnvironmentID, _ db: Database
) throws -> Bool {
    try Bool.fetchOne(
        db,
        sql: """
            SELECT EXISTS (SELECT 1 FROM push_tokens
                WHERE environment = ? AND device_identifier = ? AND type = ? AND login = ?
                    AND at > ?)
            """,
        arguments: [
            environment.number, token.device.deviceIdentifier, token.type, token.device.login,
            token.at.milliseconds,
        ]) ?? false
}
