package import SyncEngine

extension PostgresDatabase: SessionReader {
    package func reading<Value: Sendable>(
        countersOf environment: EnvironmentID,
        _ body: @escaping @Sendable (() throws -> AccountsRow?) throws -> Value
    ) async throws(StoreError) -> Value {
        try await ask(plans: .generic) { transaction in
            try body { try counters(of: environment, transaction) }
        }
    }

    package func storedSessions(
        _ tokenHashes: Set<[UInt8]>, in environment: EnvironmentID
    ) async throws(StoreError) -> [[UInt8]: Result<OpenSession, StoreError>] {
        try await ask(plans: .generic) { transaction in
            let rows = try transaction.rows(
                """
                SELECT token_hash, sessions.login, device_category, device_identifier, expires_at,
                    opened_at, group_name, is_admin, environments.version, sequence, horizon,
                    fingerprint, epoch
                FROM unnest($2::bytea[]) AS wanted (wanted_hash)
                JOIN sessions ON token_hash = wanted_hash
                JOIN users USING (environment, login)
                JOIN environments ON environments.id = sessions.environment
                JOIN versions ON versions.id = environments.version
                WHERE sessions.environment = $1
                """, [.integer(environment.number), .byteStrings(Array(tokenHashes))])
            var found: [[UInt8]: Result<OpenSession, StoreError>] = [:]
            try rows.each { row in
                let tokenHash = try row.bytes()
                found[tokenHash] = Result {
                    try OpenSession(row: &row, tokenHash: tokenHash, environment: environment)
                }.mapError { StoreError($0) }
            }
            return found
        }
    }
}

/// Nil if there is no such environment.
private func counters(
    of environment: EnvironmentID, _ transaction: PGTransaction
) throws -> AccountsRow? {
    let rows = try transaction.rows(
        "SELECT accounts, version, sequence, horizon FROM environments WHERE id = $1",
        [.integer(environment.number)])
    guard var row = rows.first else { return nil }
    return AccountsRow(
        accounts: try row.int64(),
        moment: EnvironmentMoment(
            deployment: try row.number(as: .sequence), sequence: try row.number(as: .sequence),
            purgeHorizon: try row.number(as: .sequence)))
}

extension OpenSession {
    fileprivate init(row: inout Row, tokenHash: [UInt8], environment: EnvironmentID) throws {
        self.init(
            session: SyncEngine.Session(
                tokenHash: tokenHash, environment: environment, login: try row.text(),
                deviceCategory: try row.text(), deviceIdentifier: try row.text(),
                expiresAt: try row.instant(), openedAt: try row.optionalInstant()),
            group: try row.text(), isAdmin: try row.flag(),
            moment: EnvironmentMoment(
                deployment: try row.number(as: .sequence), sequence: try row.number(as: .sequence),
                purgeHorizon: try row.number(as: .sequence)),
            fingerprint: try row.text(), epoch: try row.int64())
    }
}
