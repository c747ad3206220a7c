package import Notifications
package import SyncEngine

extension PostgresDatabase {
    package func register(
        _ token: PushToken, in environment: EnvironmentID, max: Int, ofGuest guest: GuestSource?
    ) async throws(StoreError) -> Bool {
        try await write { transaction in
            guard try lockUser(token.device.login, in: environment, transaction) else {
                return false
            }
            return try store(token, in: environment, max: max, ofGuest: guest, transaction)
        }
    }

    package func unregister(
        type: String, of device: DeviceKey, text: String?, in environment: EnvironmentID
    ) async throws(StoreError) {
        _ = try await write { transaction in
            try transaction.rows(
                """
                DELETE FROM push_tokens
                WHERE environment = $1 AND device_identifier = $2 AND type = $3 AND login = $4
                    AND token = coalesce($5, token)
                """,
                [
                    .integer(environment.number), .text(device.deviceIdentifier), .text(type),
                    .text(device.login), .text(text),
                ]
            ).changedCount
        }
    }

    package func pushTokens(
        _ query: PushTokenQuery
    ) async throws(StoreError) -> [HeldPushToken] {
        try await ask { transaction in
            try transaction.rows(
                """
                SELECT login, device_identifier, device_category, type, token, at, group_name
                FROM push_tokens JOIN users USING (environment, login)
                WHERE \(isOfAudience) AND (device_identifier, type) > ($6, $7)
                    AND ($8 OR type = ANY ($9))
                ORDER BY device_identifier, type LIMIT $10
                """,
                parameters(of: query.audience, in: query.environment) + [
                    .text(query.after?.deviceIdentifier ?? ""), .text(query.after?.type ?? ""),
                    .flag(query.types == nil), .texts(query.types?.sorted() ?? []),
                    .integer(Int64(query.limit)),
                ]
            ).map { try HeldPushToken(row: &$0) }
        }
    }

    package func countPushTokens(
        of audience: NotificationAudience, in environment: EnvironmentID
    ) async throws(StoreError) -> [String: Int] {
        try await ask { transaction in
            let counts = try transaction.rows(
                """
                SELECT type, count(*) FROM push_tokens JOIN users USING (environment, login)
                WHERE \(isOfAudience) GROUP BY type
                """, parameters(of: audience, in: environment)
            ).map { (try $0.text(), try $0.int()) }
            // Swift takes the two ways to write a character for the same.
            return Dictionary(counts, uniquingKeysWith: +)
        }
    }
}

/// The condition of `NotificationAudience.includes` in SQL.
private let isOfAudience = """
    environment = $1 AND ($2::text IS NULL OR device_category = $2)
        AND ($3::text IS NULL OR group_name = $3) AND ($4 OR login = ANY ($5))
    """

private func parameters(
    of audience: NotificationAudience, in environment: EnvironmentID
) -> [Parameter] {
    [
        .integer(environment.number), .text(audience.deviceCategory), .text(audience.group),
        .flag(audience.logins == nil), .texts(audience.logins ?? []),
    ]
}

/// Stores a token of a user, who must be locked, or returns false if the user has too many and is
/// no guest.
func store(
    _ token: PushToken, in environment: EnvironmentID, max: Int, ofGuest guest: GuestSource? = nil,
    _ transaction: PGTransaction
) throws -> Bool {
    if let guest {
        try deleteOldest(
            before: token, from: guest.hash, in: environment, keeping: guest.max - 1, transaction)
    }
    if try countOfOthers(than: token, in: environment, transaction) >= max {
        guard guest != nil else { return false }
        try deleteOldest(before: token, in: environment, keeping: max - 1, transaction)
    }
    _ = try transaction.rows(
        """
        INSERT INTO push_tokens
            (environment, device_identifier, type, login, device_category, token, at, source)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT (environment, device_identifier, type) DO UPDATE SET
            login = excluded.login, device_category = excluded.device_category,
            token = excluded.token, at = excluded.at, source = excluded.source
        """,
        [
            .integer(environment.number), .text(token.device.deviceIdentifier),
            .text(token.type), .text(token.device.login), .text(token.deviceCategory),
            .text(token.text), .integer(token.at.milliseconds), .bytes(guest?.hash ?? []),
        ])
    return true
}

private func countOfOthers(
    than token: PushToken, in environment: EnvironmentID, _ transaction: PGTransaction
) throws -> Int {
    try transaction.rows(
        """
        SELECT count(*) FROM push_tokens
        WHERE environment = $1 AND login = $2 AND (device_identifier, type) <> ($3, $4)
        """,
        [
            .integer(environment.number), .text(token.device.login),
            .text(token.device.deviceIdentifier), .text(token.type),
        ]
    ).map { try $0.int() }.first ?? 0
}

/// Deletes the other tokens of a user, or those of a source, but for a number of the newest.
private func deleteOldest(
    before token: PushToken, from source: [UInt8]? = nil, in environment: EnvironmentID,
    keeping count: Int, _ transaction: PGTransaction
) throws {
    _ = try transaction.rows(
        """
        DELETE FROM push_tokens
        WHERE environment = $1 AND (device_identifier, type) IN (
            SELECT device_identifier, type FROM push_tokens
            WHERE environment = $1 AND login = $2 AND (device_identifier, type) <> ($3, $4)
                \(source == nil ? "" : "AND source = $6")
            ORDER BY at DESC, device_identifier, type OFFSET $5)
        """,
        [
            .integer(environment.number), .text(token.device.login),
            .text(token.device.deviceIdentifier), .text(token.type), .integer(Int64(count)),
        ] + (source.map { [.bytes($0)] } ?? []))
}

extension HeldPushToken {
    fileprivate init(row: inout Row) throws {
        self.init(
            token: PushToken(
                device: DeviceKey(login: try row.text(), deviceIdentifier: try row.text()),
                deviceCategory: try row.text(), type: try row.text(), text: try row.text(),
                at: try row.instant()),
            group: try row.text())
    }
}
