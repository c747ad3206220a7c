package import SyncEngine
package import UserAccounts

extension PostgresDatabase {
    package func signInState(
        of source: SignInSource, in environment: EnvironmentID, at now: Instant
    ) async throws(StoreError) -> SignInState {
        try await ask { transaction in
            let found = try transaction.rows(of: [
                failures(of: source, in: environment, at: now), currentState(of: environment),
            ])
            var row = found[0].first
            let count = try row?.number(as: .sequence) ?? 0
            let last = try row?.instant()
            return SignInState(
                user: try storedUser(source.login, in: environment, transaction),
                failed: FailedSignIns(
                    count: Int(count), last: last),
                fingerprint: try CurrentState(found[1]).fingerprint)
        }
    }

    package func addFailedSignIn(
        of source: SignInSource, in environment: EnvironmentID, at now: Instant, keeping max: Int
    ) async throws(StoreError) {
        _ = try await write { transaction in
            try transaction.rows(of: [
                endOfOldFailures(in: environment, at: now),
                Statement(
                    """
                    INSERT INTO failed_sign_ins AS known
                        (environment, login, origin, count, last_at)
                    VALUES ($1, $2, $3, 1, $4)
                    ON CONFLICT (environment, login, origin) DO UPDATE
                    SET count = known.count + 1, last_at = excluded.last_at
                    """, parameters(of: source, in: environment) + [.integer(now.milliseconds)]),
                endOfFailures(in: environment, beyond: max),
            ]).count
        }
    }

    package func openSession(
        _ session: SyncEngine.Session, passwordHash: String, from source: SignInSource,
        within limits: SignInLimits, at now: Instant
    ) async throws(StoreError) -> Bool {
        let opened = session
        try await makeRoom(for: opened.device, in: opened.environment, within: limits)
        return try await write { transaction in
            try lockIfSessionsEnd(by: opened, within: limits, at: now, transaction)
            _ = try lockUser(opened.login, in: opened.environment, transaction)
            let user = try storedUser(opened.login, in: opened.environment, transaction)
            guard user?.passwordHash == passwordHash else { return false }
            _ = try transaction.rows(of: [
                Statement(
                    """
                    DELETE FROM failed_sign_ins
                    WHERE environment = $1 AND login = $2 AND origin = $3
                    """, parameters(of: source, in: opened.environment)),
                expiry(before: opened, at: now),
                endOfOldestSessions(ofUserOf: opened, beyond: limits.sessions - 1),
                insertion(of: opened),
            ])
            try note(opened.device, in: opened.environment, within: limits, at: now, transaction)
            return true
        }
    }

    package func session(
        tokenHash: [UInt8], in environment: EnvironmentID, at now: Instant
    ) async throws(StoreError) -> OpenSession? {
        try await sessions.session(tokenHash: tokenHash, in: environment, at: now, from: self)
    }

    package var presumesSessions: Bool { true }

    package func presumedSession(
        tokenHash: [UInt8], in environment: EnvironmentID, at now: Instant
    ) -> OpenSession? {
        sessions.presumedSession(tokenHash: tokenHash, in: environment, at: now)
    }

    package func endSession(tokenHash: [UInt8]) async throws(StoreError) {
        let token = Parameter.bytes(tokenHash)
        _ = try await write { transaction in
            // The deletion changes the environment's row, which must be locked first.
            let found = try transaction.rows(
                "SELECT environment FROM sessions WHERE token_hash = $1", [token])
            guard var row = found.first else { return }
            try lock(EnvironmentID(number: try row.number(as: .environment)), transaction)
            _ = try transaction.rows("DELETE FROM sessions WHERE token_hash = $1", [token])
        }
    }

    package func sessions(
        of login: String, in environment: EnvironmentID, at now: Instant
    ) async throws(StoreError) -> [SyncEngine.Session] {
        try await ask { transaction in
            try transaction.rows(
                """
                SELECT token_hash, device_category, device_identifier, expires_at, opened_at
                FROM sessions WHERE environment = $1 AND login = $2 AND expires_at > $3
                ORDER BY device_identifier COLLATE "C", token_hash
                """, [.integer(environment.number), .text(login), .integer(now.milliseconds)]
            ).map { row in
                SyncEngine.Session(
                    tokenHash: try row.bytes(), environment: environment, login: login,
                    deviceCategory: try row.text(), deviceIdentifier: try row.text(),
                    expiresAt: Instant(milliseconds: try row.int64()),
                    openedAt: try row.optionalInstant())
            }
        }
    }

    package func signedInDevices(
        _ query: SignedInQuery
    ) async throws(StoreError) -> [SignedInDevice] {
        let order = ["login", "device_identifier", "device_category"]
            .map { "\($0) COLLATE \"C\"" }.joined(separator: ", ")
        return try await ask { transaction in
            try transaction.rows(
                """
                SELECT login, device_identifier, device_category, max(expires_at)
                FROM sessions WHERE environment = $1 AND expires_at > $2
                AND (\(order)) > ($3, $4, $5)
                AND (strpos(lower(login COLLATE "C"), lower($6 COLLATE "C")) > 0
                    OR strpos(lower(device_identifier COLLATE "C"), lower($6 COLLATE "C")) > 0)
                GROUP BY login, device_identifier, device_category ORDER BY \(order) LIMIT $7
                """,
                [
                    .integer(query.environment.number), .integer(query.moment.milliseconds),
                    .text(query.after.login), .text(query.after.identifier),
                    .text(query.after.category), .text(query.search),
                    .integer(Int64(query.limit)),
                ]
            ).map { row in
                SignedInDevice(
                    place: SignedInDevice.ListPosition(
                        login: try row.text(), identifier: try row.text(),
                        category: try row.text()),
                    expiresAt: Instant(milliseconds: try row.int64()))
            }
        }
    }
}

private func parameters(of source: SignInSource, in environment: EnvironmentID) -> [Parameter] {
    [.integer(environment.number), .text(source.login), .bytes(source.origin)]
}

private func failures(
    of source: SignInSource, in environment: EnvironmentID, at now: Instant
) -> Statement {
    Statement(
        """
        SELECT count, last_at FROM failed_sign_ins
        WHERE environment = $1 AND login = $2 AND origin = $3 AND last_at >= $4
        """,
        parameters(of: source, in: environment) + [
            .integer(now.adding(seconds: -FailedSignIns.keptSeconds).milliseconds)
        ])
}

/// Deletes the failures of sources that have not failed for an hour. Skips rows that others have
/// locked.
private func endOfOldFailures(in environment: EnvironmentID, at now: Instant) -> Statement {
    Statement(
        """
        DELETE FROM failed_sign_ins WHERE (environment, login, origin) IN (
            SELECT environment, login, origin FROM failed_sign_ins
            WHERE environment = $1 AND last_at < $2 FOR UPDATE SKIP LOCKED)
        """,
        [
            .integer(environment.number),
            .integer(now.adding(seconds: -FailedSignIns.keptSeconds).milliseconds),
        ])
}

/// Keeps the failures of the sources that failed last. Skips rows that others have locked.
private func endOfFailures(in environment: EnvironmentID, beyond max: Int) -> Statement {
    Statement(
        """
        DELETE FROM failed_sign_ins WHERE (environment, login, origin) IN (
            SELECT environment, login, origin FROM failed_sign_ins WHERE environment = $1
            ORDER BY last_at DESC, login DESC, origin DESC OFFSET $2 FOR UPDATE SKIP LOCKED)
        """, [.integer(environment.number), .integer(Int64(max))])
}

private func endOfOldestSessions(
    ofUserOf session: SyncEngine.Session, beyond max: Int
) -> Statement {
    Statement(
        """
        DELETE FROM sessions WHERE token_hash IN (
            SELECT token_hash FROM sessions WHERE environment = $1 AND login = $2
            ORDER BY expires_at DESC, token_hash DESC OFFSET $3)
        """,
        [.integer(session.environment.number), .text(session.login), .integer(Int64(max))])
}

/// Locks the environment if the sign-in ends sessions, since their deletion changes its row, and
/// the row is locked before the user. Other sign-ins need not wait for those who write records.
private func lockIfSessionsEnd(
    by session: SyncEngine.Session, within limits: SignInLimits, at now: Instant,
    _ transaction: PGTransaction
) throws {
    var row = try transaction.rows(
        """
        SELECT EXISTS (SELECT 1 FROM sessions WHERE environment = $1 AND expires_at <= $2)
            OR (SELECT count(*) FROM sessions WHERE environment = $1 AND login = $3) >= $4
            OR (SELECT count(*) FROM devices WHERE environment = $1 AND login = $3) >= $5
        """,
        [
            .integer(session.environment.number), .integer(now.milliseconds),
            .text(session.login), .integer(Int64(limits.sessions)),
            .integer(Int64(limits.devices)),
        ]
    ).first
    if try row?.flag() ?? false { try lock(session.environment, transaction) }
}

/// Deletes the expired sessions of the environment, and any with the token of the new one.
private func expiry(before session: SyncEngine.Session, at now: Instant) -> Statement {
    Statement(
        """
        DELETE FROM sessions
        WHERE expires_at <= $2 AND (environment = $1 OR token_hash = $3)
        """,
        [
            .integer(session.environment.number), .integer(now.milliseconds),
            .bytes(session.tokenHash),
        ])
}

private func insertion(of session: SyncEngine.Session) -> Statement {
    Statement(
        """
        INSERT INTO sessions (token_hash, environment, login, device_category,
            device_identifier, expires_at, opened_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        """,
        [
            .bytes(session.tokenHash), .integer(session.environment.number),
            .text(session.login), .text(session.deviceCategory),
            .text(session.deviceIdentifier), .integer(session.expiresAt.milliseconds),
            .integer(session.openedAt?.milliseconds),
        ])
}
