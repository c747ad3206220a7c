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
        try await write { transaction in
            try lock(request.environment, transaction)
            let environment = Parameter.integer(request.environment.number)
            let old = try transaction.rows(
                """
                SELECT login, device_identifier FROM devices
                WHERE environment = $1 AND signed_in_at < $2 AND \(hasNoSession)
                ORDER BY signed_in_at, login, device_identifier LIMIT $3
                """,
                [
                    environment, .integer(request.before.milliseconds),
                    .integer(Int64(request.limit)),
                ]
            ).map { DeviceKey(login: try $0.text(), deviceIdentifier: try $0.text()) }
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
            return forgotten.count
        }
    }
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
    let others = try transaction.rows(
        """
        SELECT device_identifier FROM devices
        WHERE environment = $1 AND login = $2 AND device_identifier <> $3
        ORDER BY signed_in_at DESC, device_identifier DESC OFFSET $4
        """, parameters(of: device, in: environment) + [.integer(Int64(limits.devices - 1))]
    ).map { DeviceKey(login: device.login, deviceIdentifier: try $0.text()) }
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
    _ = try transaction.rows(
        of: ["sessions", "outcomes", "device_progress", "push_tokens", "devices"].map { table in
            Statement(
                """
                DELETE FROM \(table) USING unnest($2::text[], $3::text[]) AS old (name, device)
                WHERE environment = $1 AND login = name AND device_identifier = device
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
