import Foundation
import GRDB
package import SyncEngine
package import UserAccounts

extension SQLiteDatabase {
    package func signInState(
        of source: SignInSource, in environment: EnvironmentID, at now: Instant
    ) async throws(StoreError) -> SignInState {
        try await read { db in
            SignInState(
                user: try storedUser(source.login, in: environment, db),
                failed: try failures(of: source, in: environment, at: now, db),
                fingerprint: try currentFingerprint(of: environment, db))
        }
    }

    package func addFailedSignIn(
        of source: SignInSource, in environment: EnvironmentID, at now: Instant, keeping max: Int
    ) async throws(StoreError) {
        try await write { db in
            try forgetOldFailures(in: environment, at: now, db)
            try db.execute(
                sql: """
                    INSERT INTO failed_sign_ins (environment, login, origin, count, last_at)
                    VALUES (?, ?, ?, 1, ?)
                    ON CONFLICT (environment, login, origin) DO UPDATE
                    SET count = count + 1, last_at = excluded.last_at
                    """,
                arguments: [
                    environment.number, source.login, Data(source.origin), now.milliseconds,
                ])
            try forgetFailures(in: environment, beyond: max, db)
        }
    }

    package func openSession(
        _ session: Session, passwordHash: String, from source: SignInSource,
        within limits: SignInLimits, at now: Instant
    ) async throws(StoreError) -> Bool {
        try await makeRoom(for: session.device, in: session.environment, within: limits)
        return try await write { db in
            let user = try storedUser(session.login, in: session.environment, db)
            guard user?.passwordHash == passwordHash else { return false }
            try db.execute(
                sql: """
                    DELETE FROM failed_sign_ins WHERE environment = ? AND login = ? AND origin = ?
                    """,
                arguments: [session.environment.number, source.login, Data(source.origin)])
            try db.execute(
                sql: "DELETE FROM sessions WHERE expires_at <= ?", arguments: [now.milliseconds])
            try endOldestSessions(ofUserOf: session, beyond: limits.sessions - 1, db)
            try insert(session, db)
            try note(session.device, in: session.environment, within: limits, at: now, db)
            return true
        }
    }

    package var presumesSessions: Bool { false }

    package func presumedSession(
        tokenHash: [UInt8], in environment: EnvironmentID, at now: Instant
    ) -> OpenSession? { nil }

    package func session(
        tokenHash: [UInt8], in environment: EnvironmentID, at now: Instant
    ) async throws(StoreError) -> OpenSession? {
        let row = accounts.row(of: environment)
        if let row,
            let known = sessions.session(tokenHash: tokenHash, in: environment, at: row, now)
        {
            return known
        }
        let found = try await read { db in
            try storedSession(tokenHash: tokenHash, in: environment, at: now, db)
        }
        if let row, let found { sessions.keep(found, from: row) }
        return found
    }

    package func endSession(tokenHash: [UInt8]) async throws(StoreError) {
        try await write { db in
            try db.execute(
                sql: "DELETE FROM sessions WHERE token_hash = ?", arguments: [Data(tokenHash)])
        }
    }

    package func sessions(
        of login: String, in environment: EnvironmentID, at now: Instant
    ) async throws(StoreError) -> [Session] {
        try await read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT token_hash, login, device_category, device_identifier, expires_at,
                        opened_at
                    FROM sessions WHERE environment = ? AND login = ? AND expires_at > ?
                    ORDER BY device_identifier, token_hash
                    """,
                arguments: [environment.number, login, now.milliseconds])
            return try rows.map { row in
                try Session(
                    row: row,
                    tokenHash: [UInt8](try row.decode(Data.self, forColumn: "token_hash")),
                    environment: environment)
            }
        }
    }

    package func signedInDevices(
        _ query: SignedInQuery
    ) async throws(StoreError) -> [SignedInDevice] {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT login, device_identifier, device_category,
                        max(expires_at) AS expires_at
                    FROM sessions WHERE environment = ? AND expires_at > ?
                    AND (login, device_identifier, device_category) > (?, ?, ?)
                    AND (instr(lower(login), lower(?)) > 0
                        OR instr(lower(device_identifier), lower(?)) > 0)
                    GROUP BY login, device_identifier, device_category
                    ORDER BY login, device_identifier, device_category LIMIT ?
                    """,
                arguments: [
                    query.environment.number, query.moment.milliseconds, query.after.login,
                    query.after.identifier, query.after.category, query.search, query.search,
                    query.limit,
                ]
            ).map { try SignedInDevice(row: $0) }
        }
    }
}

extension SignedInDevice {
    fileprivate init(row: Row) throws {
        self.init(
            place: ListPosition(
                login: try row.decode(String.self, forColumn: "login"),
                identifier: try row.decode(String.self, forColumn: "device_identifier"),
                category: try row.decode(String.self, forColumn: "device_category")),
            expiresAt: Instant(milliseconds: try row.decode(Int64.self, forColumn: "expires_at")))
    }
}

private func storedSession(
    tokenHash: [UInt8], in environment: EnvironmentID, at now: Instant, _ db: Database
) throws -> OpenSession? {
    let statement = try db.cachedStatement(
        sql: """
            SELECT sessions.login, device_category, device_identifier, expires_at, opened_at,
                group_name, is_admin, environments.version, sequence, horizon, fingerprint,
                epoch
            FROM sessions
            JOIN users USING (environment, login)
            JOIN environments ON environments.id = sessions.environment
            JOIN versions ON versions.id = environments.version
            WHERE token_hash = ? AND sessions.environment = ? AND expires_at > ?
            """)
    let arguments: StatementArguments = [
        Data(tokenHash), environment.number, now.milliseconds,
    ]
    return try Row.fetchOne(statement, arguments: arguments).map {
        try OpenSession(row: $0, tokenHash: tokenHash, environment: environment)
    }
}

private func failures(
    of source: SignInSource, in environment: EnvironmentID, at now: Instant, _ db: Database
) throws -> FailedSignIns {
    let row = try Row.fetchOne(
        db,
        sql: """
            SELECT count, last_at FROM failed_sign_ins
            WHERE environment = ? AND login = ? AND origin = ? AND last_at >= ?
            """,
        arguments: [
            environment.number, source.login, Data(source.origin),
            now.adding(seconds: -FailedSignIns.keptSeconds).milliseconds,
        ])
    guard let row else { return .nothing }
    return FailedSignIns(
        count: Int(try row.number("count", as: .sequence)),
        last: try row.instant("last_at"))
}

/// Deletes the failures of sources that have not failed for an hour.
private func forgetOldFailures(
    in environment: EnvironmentID, at now: Instant, _ db: Database
) throws {
    try db.execute(
        sql: "DELETE FROM failed_sign_ins WHERE environment = ? AND last_at < ?",
        arguments: [
            environment.number,
            now.adding(seconds: -FailedSignIns.keptSeconds).milliseconds,
        ])
}

/// Keeps the failures of the sources that failed last.
private func forgetFailures(
    in environment: EnvironmentID, beyond max: Int, _ db: Database
) throws {
    try db.execute(
        sql: """
            DELETE FROM failed_sign_ins WHERE (environment, login, origin) IN (
                SELECT environment, login, origin FROM failed_sign_ins WHERE environment = ?
                ORDER BY last_at DESC, login DESC, origin DESC LIMIT -1 OFFSET ?)
            """, arguments: [environment.number, max])
}

private func endOldestSessions(
    ofUserOf session: Session, beyond max: Int, _ db: Database
) throws {
    try db.execute(
        sql: """
            DELETE FROM sessions WHERE token_hash IN (
                SELECT token_hash FROM sessions WHERE environment = ? AND login = ?
                ORDER BY expires_at DESC, token_hash DESC LIMIT -1 OFFSET ?)
            """, arguments: [session.environment.number, session.login, max])
}

private func insert(_ session: Session, _ db: Database) throws {
    try db.execute(
        sql: """
            INSERT INTO sessions (token_hash, environment, login, device_category,
                device_identifier, expires_at, opened_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
        arguments: [
            Data(session.tokenHash), session.environment.number, session.login,
            session.deviceCategory, session.deviceIdentifier, session.expiresAt.milliseconds,
            session.openedAt?.milliseconds,
        ])
}

extension Session {
    fileprivate init(row: Row, tokenHash: [UInt8], environment: EnvironmentID) throws {
        self.init(
            tokenHash: tokenHash, environment: environment,
            login: try row.decode(String.self, forColumn: "login"),
            deviceCategory: try row.decode(String.self, forColumn: "device_category"),
            deviceIdentifier: try row.decode(String.self, forColumn: "device_identifier"),
            expiresAt: try row.instant("expires_at"),
            openedAt: try row.optionalInstant("opened_at"))
    }
}

extension OpenSession {
    fileprivate init(row: Row, tokenHash: [UInt8], environment: EnvironmentID) throws {
        self.init(
            session: try Session(row: row, tokenHash: tokenHash, environment: environment),
            group: try row.decode(String.self, forColumn: "group_name"),
            isAdmin: try row.decode(Bool.self, forColumn: "is_admin"),
            moment: EnvironmentMoment(
                deployment: try row.number("version", as: .sequence),
                sequence: try row.number("sequence", as: .sequence),
                purgeHorizon: try row.number("horizon", as: .sequence)),
            fingerprint: try row.decode(String.self, forColumn: "fingerprint"),
            epoch: try row.decode(Int64.self, forColumn: "epoch"))
    }
}
