import Foundation
import GRDB
package import SyncEngine
import UserAccounts

extension SQLiteDatabase {
    package func hasSignedIn(
        _ device: DeviceKey, in environment: EnvironmentID
    ) async throws(StoreError) -> Bool {
        try await read { db in
            let found = try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM devices
                        WHERE environment = ? AND login = ? AND device_identifier = ?)
                    """,
                arguments: [environment.number, device.login, device.deviceIdentifier])
            return found ?? false
        }
    }

    package func forgetDevices(_ request: SweepRequest) async throws(StoreError) -> Int {
        for device in try await read({ db in try oldDevices(for: request, db) }) {
            try await empty(device, in: request.environment)
        }
        return try await write { db in
            let old = try oldDevices(for: request, db)
            for device in old { try forget(device, in: request.environment, db) }
            return try old.count
                + forgetLooseTokens(request, limit: request.limit - old.count, db)
        }
    }

    /// Empties the devices that the sign-in on a device would forget, before its transaction. If
    /// the sign-in fails, a device gets contents again, and its refused changes are decided again.
    func makeRoom(
        for device: DeviceKey, in environment: EnvironmentID, within limits: SignInLimits
    ) async throws(StoreError) {
        let excess = try await read { db in
            try excessDevices(beside: device, in: environment, within: limits, db)
        }
        for other in excess { try await empty(other, in: environment) }
    }

    /// Deletes what a device may have many rows of. Changes that took effect are known by the
    /// history too.
    private func empty(
        _ device: DeviceKey, in environment: EnvironmentID
    ) async throws(StoreError) {
        try await forgetDeviceFiles(of: device, in: environment)
        try await writeInParts { db in
            try deletePartOfOutcomes(
                where: "environment = ? AND login = ? AND device_identifier = ?",
                [environment.number, device.login, device.deviceIdentifier], db)
        }
    }
}

/// The devices without a session that signed in before a moment, the one of the longest ago first.
private func oldDevices(for request: SweepRequest, _ db: Database) throws -> [DeviceKey] {
    try Row.fetchAll(
        db,
        sql: """
            SELECT login, device_identifier FROM devices
            WHERE environment = ? AND signed_in_at < ? AND NOT EXISTS (
                SELECT 1 FROM sessions
                WHERE sessions.environment = devices.environment
                    AND sessions.login = devices.login
                    AND sessions.device_identifier = devices.device_identifier)
            ORDER BY signed_in_at, login, device_identifier LIMIT ?
            """,
        arguments: [request.environment.number, request.before.milliseconds, request.limit]
    ).map { row in
        DeviceKey(
            login: try row.decode(String.self, forColumn: "login"),
            deviceIdentifier: try row.decode(String.self, forColumn: "device_identifier"))
    }
}

/// Deletes old push tokens of devices that are not known, of users without a session.
private func forgetLooseTokens(
    _ request: SweepRequest, limit: Int, _ db: Database
) throws -> Int {
    try db.execute(
        sql: """
            DELETE FROM push_tokens WHERE (environment, device_identifier, type) IN (
                SELECT environment, device_identifier, type FROM push_tokens
                WHERE environment = ? AND at < ? AND source = x'' AND NOT EXISTS (
                    SELECT 1 FROM devices
                    WHERE devices.environment = push_tokens.environment
                        AND devices.login = push_tokens.login
                        AND devices.device_identifier = push_tokens.device_identifier)
                AND NOT EXISTS (
                    SELECT 1 FROM sessions
                    WHERE sessions.environment = push_tokens.environment
                        AND sessions.login = push_tokens.login)
                ORDER BY at, device_identifier, type LIMIT ?)
            """,
        arguments: [request.environment.number, request.before.milliseconds, limit])
    return db.changesCount
}

/// The other devices of the device's user that signed in longest ago, beyond the limit.
private func excessDevices(
    beside device: DeviceKey, in environment: EnvironmentID, within limits: SignInLimits,
    _ db: Database
) throws -> [DeviceKey] {
    try String.fetchAll(
        db,
        sql: """
            SELECT device_identifier FROM devices
            WHERE environment = ? AND login = ? AND device_identifier <> ?
            ORDER BY signed_in_at DESC, device_identifier DESC LIMIT -1 OFFSET ?
            """,
        arguments: [
            environment.number, device.login, device.deviceIdentifier, limits.devices - 1,
        ]
    ).map { DeviceKey(login: device.login, deviceIdentifier: $0) }
}

/// Notes that a device has signed in. Forgets the devices of its user that signed in longest ago,
/// beyond the limit.
func note(
    _ device: DeviceKey, in environment: EnvironmentID, within limits: SignInLimits,
    at now: Instant, _ db: Database
) throws {
    for other in try excessDevices(beside: device, in: environment, within: limits, db) {
        try forget(other, in: environment, db)
    }
    try db.execute(
        sql: """
            INSERT INTO devices (environment, login, device_identifier, signed_in_at)
            VALUES (?, ?, ?, ?)
            ON CONFLICT (environment, login, device_identifier) DO UPDATE
            SET signed_in_at = excluded.signed_in_at
            """,
        arguments: [
            environment.number, device.login, device.deviceIdentifier, now.milliseconds,
        ])
}

/// Deletes a device with everything that is kept for it.
private func forget(
    _ device: DeviceKey, in environment: EnvironmentID, _ db: Database
) throws {
    let tables = [
        "sessions", "outcomes", "device_progress", "device_files", "push_tokens", "devices",
    ]
    for table in tables {
        try db.execute(
            sql: """
                DELETE FROM \(table)
                WHERE environment = ? AND login = ? AND device_identifier = ?
                """,
            arguments: [environment.number, device.login, device.deviceIdentifier])
    }
}

// MARK: - Clients

extension SQLiteDatabase: ClientStore {
    package func remember(
        _ clients: [SeenClient], in environment: EnvironmentID, upTo max: Int
    ) async throws(StoreError) {
        try await write { db in
            try remember(clients.lastDaysOfUsers, in: environment, db)
            let present = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM clients WHERE environment = ?",
                arguments: [environment.number])
            var room = max - (present ?? 0)
            let update = try db.cachedStatement(
                sql: """
                    UPDATE clients SET day = max(day, ?)
                    WHERE environment = ? AND wire = ? AND fingerprint = ? AND device = ?
                    """)
            let insertion = try db.cachedStatement(
                sql: """
                    INSERT INTO clients (day, environment, wire, fingerprint, device)
                    VALUES (?, ?, ?, ?, ?)
                    """)
            for client in clients {
                let arguments: StatementArguments = [
                    client.day, environment.number, client.wire, client.fingerprint,
                    Data(client.device),
                ]
                try update.execute(arguments: arguments)
                guard db.changesCount == 0, room > 0 else { continue }
                try insertion.execute(arguments: arguments)
                room -= 1
            }
        }
    }

    private func remember(
        _ days: [(login: String, day: Int64)], in environment: EnvironmentID, _ db: Database
    ) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO user_days (environment, login, day)
                SELECT environment, login, ? FROM users WHERE environment = ? AND login = ?
                ON CONFLICT (environment, login) DO UPDATE SET day = max(day, excluded.day)
                """)
        for (login, day) in days {
            try statement.execute(arguments: [day, environment.number, login])
        }
    }

    package func seenVersions(
        in environment: EnvironmentID, since day: Int64
    ) async throws(StoreError) -> [SeenVersion] {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT wire, fingerprint, count(*) AS devices, max(day) AS last_day
                    FROM clients WHERE environment = ? AND day >= ?
                    GROUP BY wire, fingerprint ORDER BY wire, fingerprint
                    """, arguments: [environment.number, day]
            ).map { row in
                SeenVersion(
                    wire: try row.decode(String.self, forColumn: "wire"),
                    fingerprint: try row.decode(String.self, forColumn: "fingerprint"),
                    devices: try row.decode(Int.self, forColumn: "devices"),
                    lastDay: try row.decode(Int64.self, forColumn: "last_day"))
            }
        }
    }

    package func lastDays(
        ofDevices devices: Set<[UInt8]>, in environment: EnvironmentID
    ) async throws(StoreError) -> [[UInt8]: Int64] {
        try await read { db in
            let marks = repeatElement("?", count: devices.count).joined(separator: ", ")
            var arguments: StatementArguments = [environment.number]
            arguments += StatementArguments(devices.map { Data($0) })
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT device, max(day) AS last_day FROM clients
                    WHERE environment = ? AND device IN (\(marks)) GROUP BY device
                    """, arguments: arguments)
            return try rows.reduce(into: [:]) { days, row in
                let device = try row.decode(Data.self, forColumn: "device")
                days[[UInt8](device)] = try row.decode(Int64.self, forColumn: "last_day")
            }
        }
    }

    package func forgetClients(
        seenBefore day: Int64, limit: Int
    ) async throws(StoreError) -> Int {
        try await write { db in
            try db.execute(
                sql: """
                    DELETE FROM clients WHERE (environment, wire, fingerprint, device) IN (
                        SELECT environment, wire, fingerprint, device FROM clients
                        WHERE day < ? LIMIT ?)
                    """, arguments: [day, limit])
            return db.changesCount
        }
    }
}
