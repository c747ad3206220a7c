package import SyncEngine
package import UserAccounts

extension PostgresDatabase {
    package func admitSignIn(
        of login: String, in environment: EnvironmentID, at now: Instant,
        waiting: @escaping @Sendable (FailedSignIns) -> Int64
    ) async throws(StoreError) -> SignInAdmission {
        try await write { transaction in
            try forgetOldFailures(at: now, transaction)
            let failures = try lockedFailures(of: login, in: environment, at: now, transaction)
            let seconds = waiting(failures)
            guard seconds == 0 else { return .wait(seconds: seconds) }
            let found = try transaction.rows(of: [
                Statement(
                    """
                    UPDATE failed_sign_ins SET count = count + 1, last_at = $3
                    WHERE environment = $1 AND login = $2
                    """,
                    [
                        .integer(environment.number), .text(login), .integer(now.milliseconds),
                    ]), currentState(of: environment),
            ])
            return .admitted(
                try storedUser(login, in: environment, transaction),
                fingerprint: try CurrentState(found[1]).fingerprint)
        }
    }

    package func openSession(
        _ session: SyncEngine.Session, passwordHash: String, at now: Instant
    ) async throws(StoreError) -> Bool {
        let opened = session
        return try await write { transaction in
            try endExpiredSessions(in: opened.environment, at: now, transaction)
            _ = try lockUser(opened.login, in: opened.environment, transaction)
            let user = try storedUser(opened.login, in: opened.environment, transaction)
            guard user?.passwordHash == passwordHash else { return false }
            _ = try transaction.rows(of: [
                Statement(
                    "DELETE FROM failed_sign_ins WHERE environment = $1 AND login = $2",
                    [.integer(opened.environment.number), .text(opened.login)]),
                insertion(of: opened),
            ])
            return true
        }
    }

    package func session(
        tokenHash: [UInt8], in environment: EnvironmentID, at now: Instant
    ) async throws(StoreError) -> OpenSession? {
        try await sessions.session(tokenHash: tokenHash, in: environment, at: now, on: self)
    }

    package func endSession(tokenHash: [UInt8]) async throws(StoreError) {
        let token = Parameter.bytes(tokenHash)
        _ = try await write { transaction in
            // The deletion changes the environment's row, which must be locked first.
            let found = try transaction.rows(
                "SELECT environment FROM sessions WHERE token_hash = $1", [token])
            guard var row = found.first else { return }
            try lock(EnvironmentID(number: try row.int64()), transaction)
            _ = try transaction.rows("DELETE FROM sessions WHERE token_hash = $1", [token])
        }
    }
}

/// Locks the login's failures, so that concurrent attempts run one after the other and each sees
/// the earlier ones.
private func lockedFailures(
    of login: String, in environment: EnvironmentID, at now: Instant,
    _ transaction: Transaction
) throws -> FailedSignIns {
    var row = try transaction.rows(
        """
        INSERT INTO failed_sign_ins AS known (environment, login, count, last_at)
        VALUES ($1, $2, 0, $3)
        ON CONFLICT (environment, login) DO UPDATE SET count = known.count
        RETURNING count, last_at
        """,
        [.integer(environment.number), .text(login), .integer(now.milliseconds)]
    ).first
    guard let count = try row?.int(), count > 0, let last = try row?.int64() else {
        return FailedSignIns(count: 0, last: nil)
    }
    return FailedSignIns(count: count, last: Instant(milliseconds: last))
}

/// Deletes failures after an hour without an attempt, which keeps the table small. Skips rows that
/// others have locked.
private func forgetOldFailures(at now: Instant, _ transaction: Transaction) throws {
    _ = try transaction.rows(
        """
        DELETE FROM failed_sign_ins WHERE (environment, login) IN (
            SELECT environment, login FROM failed_sign_ins WHERE last_at < $1
            FOR UPDATE SKIP LOCKED)
        """, [.integer(now.adding(seconds: -3600).milliseconds)])
}

/// The deletion changes the environment's row, which must be locked first. It is locked only if a
/// session has expired, since a sign-in need not wait for those who write records.
private func endExpiredSessions(
    in environment: EnvironmentID, at now: Instant, _ transaction: Transaction
) throws {
    let expired = "FROM sessions WHERE environment = $1 AND expires_at <= $2"
    let values = [Parameter.integer(environment.number), .integer(now.milliseconds)]
    guard try transaction.rows("SELECT 1 \(expired) LIMIT 1", values).count > 0 else { return }
    try lock(environment, transaction)
    _ = try transaction.rows("DELETE \(expired)", values)
}

private func insertion(of session: SyncEngine.Session) -> Statement {
    Statement(
        """
        INSERT INTO sessions (token_hash, environment, login, device_category,
            device_identifier, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6)
        """,
        [
            .bytes(session.tokenHash), .integer(session.environment.number),
            .text(session.login), .text(session.deviceCategory),
            .text(session.deviceIdentifier), .integer(session.expiresAt.milliseconds),
        ])
}
