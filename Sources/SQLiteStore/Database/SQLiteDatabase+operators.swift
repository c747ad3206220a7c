package import Administration
import Foundation
import GRDB
package import SyncEngine

extension SQLiteDatabase: AdministrationStore {
    package func operators() async throws(StoreError) -> [Operator] {
        try await read { db in try allOperators(db) }
    }

    package func changeOperators<Refusal: Error>(
        setup: [UInt8]?, at now: Instant,
        deciding: @escaping @Sendable ([Operator], Bool) -> Result<OperatorChange, Refusal>
    ) async throws(StoreError) -> Refusal? {
        try await write { db in
            let found = try setup.map { hash in
                try Int.fetchOne(
                    db,
                    sql: "SELECT 1 FROM operator_setups WHERE token_hash = ? AND expires_at > ?",
                    arguments: [Data(hash), now.milliseconds])
            }
            switch deciding(try allOperators(db), found.flatMap { $0 } != nil) {
            case .failure(let refusal): return refusal
            case .success(let change):
                try carryOut(change, db)
                return nil
            }
        }
    }

    package func addSetup(
        tokenHash: [UInt8], expiresAt: Instant, at now: Instant
    ) async throws(StoreError) -> Bool {
        try await write { db in
            guard try allOperators(db).isEmpty else { return false }
            try db.execute(
                sql: "DELETE FROM operator_setups WHERE expires_at <= ?",
                arguments: [now.milliseconds])
            try db.execute(
                sql: "INSERT INTO operator_setups VALUES (?, ?)",
                arguments: [Data(tokenHash), expiresAt.milliseconds])
            return true
        }
    }

    package func open(
        _ session: OperatorSession, passwordHash: String, keeping max: Int
    ) async throws(StoreError) -> Bool {
        try await write { db in
            let present = try Int.fetchOne(
                db, sql: "SELECT 1 FROM operators WHERE name = ? AND password_hash = ?",
                arguments: [session.name, passwordHash])
            guard present != nil else { return false }
            try db.execute(
                sql: "INSERT INTO operator_sessions VALUES (?, ?, ?, ?)",
                arguments: [
                    Data(session.tokenHash), session.name, session.usedAt.milliseconds,
                    session.confirmedAt.milliseconds,
                ])
            try db.execute(
                sql: """
                    DELETE FROM operator_sessions WHERE name = ?1 AND token_hash NOT IN (
                        SELECT token_hash FROM operator_sessions WHERE name = ?1
                        ORDER BY used_at DESC, token_hash LIMIT ?2)
                    """, arguments: [session.name, max])
            return true
        }
    }

    package func operatorSession(
        tokenHash: [UInt8], usedAfter moment: Instant
    ) async throws(StoreError) -> OpenOperatorSession? {
        try await read { db in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT operators.*, used_at, confirmed_at
                    FROM operator_sessions JOIN operators USING (name)
                    WHERE token_hash = ? AND used_at > ?
                    """, arguments: [Data(tokenHash), moment.milliseconds])
            guard let row else { return nil }
            let person = try Operator(row: row)
            return OpenOperatorSession(
                session: OperatorSession(
                    tokenHash: tokenHash, name: person.name, usedAt: try row.instant("used_at"),
                    confirmedAt: try row.instant("confirmed_at")),
                person: person)
        }
    }

    package func renewOperatorSession(
        tokenHash: [UInt8], at now: Instant, confirmed isConfirmed: Bool
    ) async throws(StoreError) {
        let moments = isConfirmed ? "used_at = ?1, confirmed_at = ?1" : "used_at = ?1"
        try await write { db in
            try db.execute(
                sql: "UPDATE operator_sessions SET \(moments) WHERE token_hash = ?2",
                arguments: [now.milliseconds, Data(tokenHash)])
        }
    }

    package func endOperatorSession(tokenHash: [UInt8]) async throws(StoreError) {
        try await write { db in
            try db.execute(
                sql: "DELETE FROM operator_sessions WHERE token_hash = ?",
                arguments: [Data(tokenHash)])
        }
    }
}

// MARK: - Tokens

extension SQLiteDatabase {
    package func tokens(at now: Instant) async throws(StoreError) -> [NumberedToken] {
        try await read { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM operator_tokens WHERE expires_at > ? ORDER BY number",
                arguments: [now.milliseconds]
            ).map(NumberedToken.init(row:))
        }
    }

    package func add(
        _ token: OperatorToken, upTo max: Int
    ) async throws(StoreError) -> Int64? {
        try await write { db in
            try db.execute(
                sql: "DELETE FROM operator_tokens WHERE expires_at <= ?",
                arguments: [token.createdAt.milliseconds])
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM operator_tokens") ?? 0
            let author = try Int.fetchOne(
                db, sql: "SELECT 1 FROM operators WHERE name = ?", arguments: [token.author])
            guard count < max, author != nil else { return nil }
            try db.execute(
                sql: """
                    INSERT INTO operator_tokens (token_hash, name, scope, environment_name, author,
                        created_at, expires_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    Data(token.tokenHash), token.name, token.scope.rawValue, token.environment,
                    token.author, token.createdAt.milliseconds, token.expiresAt.milliseconds,
                ])
            return db.lastInsertedRowID
        }
    }

    package func token(
        hash: [UInt8], at now: Instant
    ) async throws(StoreError) -> NumberedToken? {
        try await read { db in
            try Row.fetchOne(
                db, sql: "SELECT * FROM operator_tokens WHERE token_hash = ? AND expires_at > ?",
                arguments: [Data(hash), now.milliseconds]
            ).map(NumberedToken.init(row:))
        }
    }

    package func revokeToken(_ number: Int64) async throws(StoreError) -> Bool {
        try await write { db in
            try db.execute(
                sql: "DELETE FROM operator_tokens WHERE number = ?", arguments: [number])
            return db.changesCount == 1
        }
    }
}

// MARK: - Activities

extension SQLiteDatabase {
    package func log(_ activity: Activity, at now: Instant) async throws(StoreError) {
        try await write { db in
            try db.execute(
                sql: """
                    INSERT INTO activities (at, actor, origin, act, environment_name, target,
                        before_text, after_text)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    now.milliseconds, activity.actor, activity.origin, activity.act,
                    activity.environment, activity.target, activity.before, activity.after,
                ])
        }
    }

    package func activities(
        before number: Int64?, limit: Int
    ) async throws(StoreError) -> [LoggedActivity] {
        try await read { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM activities WHERE number < ? ORDER BY number DESC LIMIT ?",
                arguments: [number ?? .max, limit]
            ).map(LoggedActivity.init(row:))
        }
    }

    package func sweepActivities(
        before moment: Instant, limit: Int
    ) async throws(StoreError) -> Int {
        try await write { db in
            try db.execute(
                sql: """
                    DELETE FROM activities WHERE number IN (
                        SELECT number FROM activities WHERE at < ? ORDER BY at LIMIT ?)
                    """, arguments: [moment.milliseconds, limit])
            return db.changesCount
        }
    }
}

private func allOperators(_ db: Database) throws -> [Operator] {
    try Row.fetchAll(db, sql: "SELECT * FROM operators ORDER BY name").map(Operator.init(row:))
}

private func carryOut(_ change: OperatorChange, _ db: Database) throws {
    switch change {
    case .remove(let name):
        try db.execute(sql: "DELETE FROM operators WHERE name = ?", arguments: [name])
    case .write(let person, let endingSessions, let revokingTokens):
        try db.execute(sql: "DELETE FROM operator_setups")
        try db.execute(
            sql: """
                INSERT INTO operators (name, scope, password_hash, created_at) VALUES (?, ?, ?, ?)
                ON CONFLICT (name) DO UPDATE SET scope = excluded.scope,
                    password_hash = excluded.password_hash
                """,
            arguments: [
                person.name, person.scope.rawValue, person.passwordHash,
                person.createdAt.milliseconds,
            ])
        if endingSessions {
            try db.execute(
                sql: "DELETE FROM operator_sessions WHERE name = ?", arguments: [person.name])
        }
        if revokingTokens {
            try db.execute(
                sql: "DELETE FROM operator_tokens WHERE author = ?", arguments: [person.name])
        }
    }
}

private func operatorScope(_ row: Row) throws -> AdminScope {
    let name = try row.decode(String.self, forColumn: "scope")
    guard let scope = AdminScope(rawValue: name) else {
        throw StoreError.unreadable("an operator has the scope '\(name)'", remedy: .laterWaggle)
    }
    return scope
}

extension Operator {
    fileprivate init(row: Row) throws {
        self.init(
            name: try row.decode(String.self, forColumn: "name"), scope: try operatorScope(row),
            passwordHash: try row.decode(String.self, forColumn: "password_hash"),
            createdAt: try row.instant("created_at"))
    }
}

extension NumberedToken {
    fileprivate init(row: Row) throws {
        self.init(
            number: try row.number("number", as: .sequence),
            token: OperatorToken(
                tokenHash: Array(try row.decode(Data.self, forColumn: "token_hash")),
                name: try row.decode(String.self, forColumn: "name"), scope: try operatorScope(row),
                environment: try row.decode(String?.self, forColumn: "environment_name"),
                author: try row.decode(String.self, forColumn: "author"),
                createdAt: try row.instant("created_at"),
                expiresAt: try row.instant("expires_at")))
    }
}

extension LoggedActivity {
    fileprivate init(row: Row) throws {
        self.init(
            number: try row.number("number", as: .sequence), at: try row.instant("at"),
            activity: Activity(
                actor: try row.decode(String.self, forColumn: "actor"),
                origin: try row.decode(String.self, forColumn: "origin"),
                act: try row.decode(String.self, forColumn: "act"),
                environment: try row.decode(String?.self, forColumn: "environment_name"),
                target: try row.decode(String.self, forColumn: "target"),
                before: try row.decode(String.self, forColumn: "before_text"),
                after: try row.decode(String.self, forColumn: "after_text")))
    }
}
