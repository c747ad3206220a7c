package import SyncEngine
import UserAccounts

extension PostgresDatabase {
    package func hasSignedIn(
        _ device: DeviceKey, in environment: EnvironmentID
    ) async throws(StoreError) -> Bool {
        try await ask { transaction in
            try transaction.rows(
                """
                SELECT 1 FROM devices
                WHERE environment = $1 AND login = $2 AND device_identifier = $3
                """, parameters(of: device, in: environment)
            ).count > 0
        }
    }

    package func forgetDevices(_ request: SweepRequest) async throws(StoreError) -> Int {
        for device in try await ask({ transaction in try oldDevices(for: request, transaction) }) {
            try await empty(device, in: request.environment)
        }
        return try await write { transaction in
            try lock(request.environment, transaction)
            let environment = Parameter.integer(request.environment.number)
            let old = try oldDevices(for: request, transaction)
            // From here on, no device of these users signs in.
            _ = try transaction.rows(
                """
                SELECT 1 FROM users WHERE environment = $1 AND login = ANY ($2)
                ORDER BY login FOR UPDATE
                """, [environment, .texts(old.map(\.login))])
            let forgotten = try transaction.rows(
                """
                DELETE FROM devices USING unnest($2::text[], $3::text[]) AS old (name, device)
                WHERE environment = $1 AND login = name AND device_identifier = device
                    AND signed_in_at < $4 AND \(hasNoSession)
                RETURNING login, device_identifier
                """,
                [
                    environment, .texts(old.map(\.login)), .texts(old.map(\.deviceIdentifier)),
                    .integer(request.before.milliseconds),
                ]
            ).map { DeviceKey(login: try $0.text(), deviceIdentifier: try $0.text()) }
            try forget(forgotten, in: request.environment, transaction)
            return try forgotten.count
                + forgetLooseTokens(request, limit: request.limit - forgotten.count, transaction)
        }
    }

    /// Empties the devices that the sign-in on a device would forget, before its transaction. If
    /// the sign-in fails, a device gets contents again, and its refused changes are decided again.
    func makeRoom(
        for device: DeviceKey, in environment: EnvironmentID, within limits: SignInLimits
    ) async throws(StoreError) {
        let excess = try await ask { transaction in
            try excessDevices(beside: device, in: environment, within: limits, transaction)
        }
        for other in excess { try await empty(other, in: environment) }
    }

    /// Deletes what a device may have many rows of. Changes that took effect are known by the
    /// history too.
    private func empty(
        _ device: DeviceKey, in environment: EnvironmentID
    ) async throws(StoreError) {
        try await forgetDeviceFiles(of: device, in: environment)
        try await writeInParts { transaction in
            try transaction.rows(
                """
                DELETE FROM outcomes WHERE ctid IN (
                    SELECT ctid FROM outcomes
                    WHERE environment = $1 AND login = $2 AND device_identifier = $3
                    LIMIT \(partRows))
                """, parameters(of: device, in: environment)
            ).changedCount
        }
    }
}

/// The devices without a session that signed in before a moment, the one of the longest ago first.
private func oldDevices(
    for request: SweepRequest, _ transaction: PGTransaction
) throws -> [DeviceKey] {
    try transaction.rows(
        """
        SELECT login, device_identifier FROM devices
        WHERE environment = $1 AND signed_in_at < $2 AND \(hasNoSession)
        ORDER BY signed_in_at, login, device_identifier LIMIT $3
        """,
        [
            .integer(request.environment.number), .integer(request.before.milliseconds),
            .integer(Int64(request.limit)),
        ]
    ).map { DeviceKey(login: try $0.text(), deviceIdentifier: try $0.text()) }
}

/// Deletes old push tokens of devices that are not known, of users without a session.
private func forgetLooseTokens(
    _ request: SweepRequest, limit: Int, _ transaction: PGTransaction
) throws -> Int {
    try transaction.rows(
        """
        DELETE FROM push_tokens WHERE at < $2 AND (environment, device_identifier, type) IN (
            SELECT environment, device_identifier, type FROM push_tokens
            WHERE environment = $1 AND at < $2 AND source = '' AND NOT EXISTS (
                SELECT 1 FROM devices
                WHERE devices.environment = push_tokens.environment
                    AND devices.login = push_tokens.login
                    AND devices.device_identifier = push_tokens.device_identifier)
            AND NOT EXISTS (
                SELECT 1 FROM sessions
                WHERE sessions.environment = push_tokens.environment
                    AND sessions.login = push_tokens.login)
            ORDER BY at, device_identifier, type LIMIT $3)
        """,
        [
            .integer(request.environment.number), .integer(request.before.milliseconds),
            .integer(Int64(limit)),
        ]
    ).changedCount
}

/// The other devices of the device's user that signed in longest ago, beyond the limit.
private func excessDevices(
    beside device: DeviceKey, in environment: EnvironmentID, within limits: SignInLimits,
    _ transaction: PGTransaction
) throws -> [DeviceKey] {
    try transaction.rows(
        """
        SELECT device_identifier FROM devices
        WHERE environment = $1 AND login = $2 AND device_identifier <> $3
        ORDER BY signed_in_at DESC, device_identifier DESC OFFSET $4
        """, parameters(of: device, in: environment) + [.integer(Int64(limits.devices - 1))]
    ).map { DeviceKey(login: device.login, deviceIdentifier: try $0.text()) }
}

private let hasNoSession = """
    NOT EXISTS (SELECT 1 FROM sessions
        WHERE sessions.environment = devices.environment AND sessions.login = devices.login
            AND sessions.device_identifier = devices.device_identifier)
    """

/// Notes that a device has signed in. Forgets the devices of its user that signed in longest ago,
/// beyond the limit. The user must be locked.
func note(
    _ device: DeviceKey, in environment: EnvironmentID, within limits: SignInLimits,
    at now: Instant, _ transaction: PGTransaction
) throws {
    let others = try excessDevices(beside: device, in: environment, within: limits, transaction)
    if !others.isEmpty { try forget(others, in: environment, transaction) }
    _ = try transaction.rows(
        """
        INSERT INTO devices (environment, login, device_identifier, signed_in_at)
        VALUES ($1, $2, $3, $4)
        ON CONFLICT (environment, login, device_identifier) DO UPDATE
        SET signed_in_at = excluded.signed_in_at
        """, parameters(of: device, in: environment) + [.integer(now.milliseconds)])
}

/// Deletes devices with everything that is kept for them.
private func forget(
    _ devices: [DeviceKey], in environment: EnvironmentID, _ transaction: PGTransaction
) throws {
    let tables = [
        "sessions", "outcomes", "device_progress", "device_files", "push_tokens", "devices",
    ]
    _ = try transaction.rows(
        of: tables.map { table in
            Statement(
                """
                WITH of_old AS MATERIALIZED (\(rowLocations(
                    in: table, of: "unnest($2::text[], $3::text[]) AS old (name, device)",
                    where: "login = name AND device_identifier = device")))
                DELETE FROM \(table) USING of_old WHERE \(table).ctid = location
                """,
                [
                    .integer(environment.number), .texts(devices.map(\.login)),
                    .texts(devices.map(\.deviceIdentifier)),
                ])
        })
}

private func parameters(of device: DeviceKey, in environment: EnvironmentID) -> [Parameter] {
    [.integer(environment.number), .text(device.login), .text(device.deviceIdentifier)]
}

// MARK: - Clients

extension PostgresDatabase: ClientStore {
    package func remember(
        _ clients: [SeenClient], in environment: EnvironmentID, upTo max: Int
    ) async throws(StoreError) {
        // In one order everywhere, so that no two processes wait for each other.
        let ordered = clients.sorted { $0.device.lexicographicallyPrecedes($1.device) }
        try await write { transaction in
            let number = Parameter.integer(environment.number)
            var count = try transaction.rows(
                "SELECT count(*) FROM clients WHERE environment = $1", [number]
            ).first
            let room = Int64(max) - (try count?.int64() ?? 0)
            _ = try transaction.rows(
                of: ordered.enumerated().map { place, client in
                    Statement(
                        """
                        INSERT INTO clients (environment, wire, fingerprint, device, day)
                        SELECT $1, $2, $3, $4, $5
                        WHERE $6 > 0 OR EXISTS (SELECT 1 FROM clients WHERE environment = $1
                            AND wire = $2 AND fingerprint = $3 AND device = $4)
                        ON CONFLICT (environment, wire, fingerprint, device)
                            DO UPDATE SET day = greatest(clients.day, excluded.day)
                        """,
                        [
                            number, .text(client.wire), .text(client.fingerprint),
                            .bytes(client.device), .integer(client.day),
                            .integer(room - Int64(place)),
                        ])
                })
            try remember(clients.lastDaysOfUsers, in: environment, transaction)
        }
    }

    /// A user who is removed meanwhile is waited for, and left out.
    private func remember(
        _ days: [(login: String, day: Int64)], in environment: EnvironmentID,
        _ transaction: PGTransaction
    ) throws {
        _ = try transaction.rows(
            of: days.map { login, day in
                Statement(
                    """
                    INSERT INTO user_days (environment, login, day)
                    SELECT environment, login, $3 FROM users
                    WHERE environment = $1 AND login = $2 FOR KEY SHARE
                    ON CONFLICT (environment, login)
                        DO UPDATE SET day = greatest(user_days.day, excluded.day)
                    """, [.integer(environment.number), .text(login), .integer(day)])
            })
    }

    package func seenVersions(
        in environment: EnvironmentID, since day: Int64
    ) async throws(StoreError) -> [SeenVersion] {
        try await ask { transaction in
            try transaction.rows(
                """
                SELECT wire, fingerprint, count(*), max(day)
                FROM clients WHERE environment = $1 AND day >= $2
                GROUP BY wire, fingerprint ORDER BY wire, fingerprint
                """, [.integer(environment.number), .integer(day)]
            ).map { row in
                SeenVersion(
                    wire: try row.text(), fingerprint: try row.text(),
                    devices: Int(try row.int64()), lastDay: try row.int64())
            }
        }
    }

    package func lastDays(
        ofDevices devices: Set<[UInt8]>, in environment: EnvironmentID
    ) async throws(StoreError) -> [[UInt8]: Int64] {
        try await ask { transaction in
            let days = try transaction.rows(
                """
                SELECT device, max(day) FROM clients
                WHERE environment = $1 AND device = ANY ($2) GROUP BY device
                """, [.integer(environment.number), .byteStrings(Array(devices))]
            ).map { row in (try row.bytes(), try row.int64()) }
            return Dictionary(uniqueKeysWithValues: days)
        }
    }

    package func forgetClients(
        seenBefore day: Int64, limit: Int
    ) async throws(StoreError) -> Int {
        try await write { transaction in
            try transaction.rows(
                """
                DELETE FROM clients WHERE (environment, wire, fingerprint, device) IN (
                    SELECT environment, wire, fingerprint, device FROM clients
                    WHERE day < $1 LIMIT $2)
                """, [.integer(day), .integer(Int64(limit))]
            ).changedCount
        }
    }
}
