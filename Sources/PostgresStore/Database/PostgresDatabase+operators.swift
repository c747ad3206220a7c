package import Administration
package import SyncEngine

extension PostgresDatabase: AdministrationStore {
    package func operators() async throws(StoreError) -> [Operator] {
        try await ask { transaction in try allOperators(transaction) }
    }

    package func changeOperators<Refusal: Error>(
        setup: [UInt8]?, at now: Instant,
        deciding: @escaping @Sendable ([Operator], Bool) -> Result<OperatorChange, Refusal>
    ) async throws(StoreError) -> Refusal? {
        try await write { transaction in
            transaction.later(lockOfOperators)
            let found = try transaction.rows(
                "SELECT 1 FROM operator_setups WHERE token_hash = $1 AND expires_at > $2",
                [.bytes(setup), .integer(now.milliseconds)])
            switch deciding(try allOperators(transaction), found.count > 0) {
            case .failure(let refusal): return refusal
            case .success(let change):
                transaction.later(statements(for: change))
                return nil
            }
        }
    }

    package func addSetup(
        tokenHash: [UInt8], expiresAt: Instant, at now: Instant
    ) async throws(StoreError) -> Bool {
        try await write { transaction in
            transaction.later(lockOfOperators)
            guard try allOperators(transaction).isEmpty else { return false }
            transaction.later([
                Statement(
                    "DELETE FROM operator_setups WHERE expires_at <= $1",
                    [.integer(now.milliseconds)]),
                Statement(
                    "INSERT INTO operator_setups VALUES ($1, $2)",
                    [.bytes(tokenHash), .integer(expiresAt.milliseconds)]),
            ])
            return true
        }
    }

    package func open(
        _ session: OperatorSession, passwordHash: String, keeping max: Int
    ) async throws(StoreError) -> Bool {
        try await write { transaction in
            let present = try transaction.rows(
                "SELECT 1 FROM operators WHERE name = $1 AND password_hash = $2 FOR UPDATE",
                [.text(session.name), .text(passwordHash)])
            guard present.count == 1 else { return false }
            transaction.later([
                Statement(
                    "INSERT INTO operator_sessions VALUES ($1, $2, $3, $4)",
                    [
                        .bytes(session.tokenHash), .text(session.name),
                        .integer(session.usedAt.milliseconds),
                        .integer(session.confirmedAt.milliseconds),
                    ]),
                Statement(
                    """
                    DELETE FROM operator_sessions WHERE token_hash IN (
                        SELECT token_hash FROM operator_sessions WHERE name = $1
                        ORDER BY used_at DESC, token_hash OFFSET $2)
                    """, [.text(session.name), .integer(Int64(max))]),
            ])
            return true
        }
    }

    package func operatorSession(
        tokenHash: [UInt8], usedAfter moment: Instant
    ) async throws(StoreError) -> OpenOperatorSession? {
        try await ask { transaction in
            try transaction.rows(
                """
                SELECT name, scope, password_hash, created_at, used_at, confirmed_at
                FROM operator_sessions JOIN operators USING (name)
                WHERE token_hash = $1 AND used_at > $2
                """, [.bytes(tokenHash), .integer(moment.milliseconds)]
            ).map { row in
                let person = try Operator(row: &row)
                return OpenOperatorSession(
                    session: OperatorSession(
                        tokenHash: tokenHash, name: person.name, usedAt: try row.instant(),
                        confirmedAt: try row.instant()),
                    person: person)
            }.first
        }
    }

    package func renewOperatorSession(
        tokenHash: [UInt8], at now: Instant, confirmed isConfirmed: Bool
    ) async throws(StoreError) {
        let moments = isConfirmed ? "used_at = $2, confirmed_at = $2" : "used_at = $2"
        _ = try await write { transaction in
            try transaction.rows(
                "UPDATE operator_sessions SET \(moments) WHERE token_hash = $1",
                [.bytes(tokenHash), .integer(now.milliseconds)]
            ).changedCount
        }
    }

    package func endOperatorSession(tokenHash: [UInt8]) async throws(StoreError) {
        _ = try await write { transaction in
            try transaction.rows(
                "DELETE FROM operator_sessions WHERE token_hash = $1", [.bytes(tokenHash)]
            ).changedCount
        }
    }
}

// MARK: - Tokens

extension PostgresDatabase {
    package func tokens(at now: Instant) async throws(StoreError) -> [NumberedToken] {
        try await ask { transaction in
            try transaction.rows(
                """
                SELECT \(tokenColumns) FROM operator_tokens WHERE expires_at > $1 ORDER BY number
                """, [.integer(now.milliseconds)]
            ).map { try NumberedToken(row: &$0) }
        }
    }

    package func add(
        _ token: OperatorToken, upTo max: Int
    ) async throws(StoreError) -> Int64? {
        try await write { transaction in
            transaction.later([
                Statement(lockOfOperators),
                Statement(
                    "DELETE FROM operator_tokens WHERE expires_at <= $1",
                    [.integer(token.createdAt.milliseconds)]),
            ])
            var row = try transaction.rows(
                """
                INSERT INTO operator_tokens (token_hash, name, scope, environment_name, author,
                    created_at, expires_at)
                SELECT $1, $2, $3, $4, $5, $6, $7
                WHERE (SELECT count(*) FROM operator_tokens) < $8
                    AND EXISTS (SELECT 1 FROM operators WHERE name = $5)
                RETURNING number
                """,
                [
                    .bytes(token.tokenHash), .text(token.name), .text(token.scope.rawValue),
                    .text(token.environment), .text(token.author),
                    .integer(token.createdAt.milliseconds), .integer(token.expiresAt.milliseconds),
                    .integer(Int64(max)),
                ]
            ).first
            return try row?.int64()
        }
    }

    package func token(
        hash: [UInt8], at now: Instant
    ) async throws(StoreError) -> NumberedToken? {
        try await ask { transaction in
            try transaction.rows(
                """
                SELECT \(tokenColumns) FROM operator_tokens
                WHERE token_hash = $1 AND expires_at > $2
                """, [.bytes(hash), .integer(now.milliseconds)]
            ).map { try NumberedToken(row: &$0) }.first
        }
    }

    package func revokeToken(_ number: Int64) async throws(StoreError) -> Bool {
        try await write { transaction in
            try transaction.rows(
                "DELETE FROM operator_tokens WHERE number = $1", [.integer(number)]
            ).changedCount == 1
        }
    }
}

// MARK: - Activities

extension PostgresDatabase {
    package func log(_ activity: Activity, at now: Instant) async throws(StoreError) {
        _ = try await write { transaction in
            try transaction.rows(
                """
                INSERT INTO activities (at, actor, origin, act, environment_name, target,
                    before_text,
                    after_text)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
                """,
                [
                    .integer(now.milliseconds), .text(activity.actor), .text(activity.origin),
                    .text(activity.act), .text(activity.environment), .text(activity.target),
                    .text(activity.before), .text(activity.after),
                ]
            ).changedCount
        }
    }

    package func activities(
        before number: Int64?, limit: Int
    ) async throws(StoreError) -> [LoggedActivity] {
        try await ask { transaction in
            try transaction.rows(
                """
                SELECT number, at, actor, origin, act, environment_name, target, before_text,
                    after_text
                FROM activities WHERE number < $1 ORDER BY number DESC LIMIT $2
                """, [.integer(number ?? .max), .integer(Int64(limit))]
            ).map { try LoggedActivity(row: &$0) }
        }
    }

    package func sweepActivities(
        before moment: Instant, limit: Int
    ) async throws(StoreError) -> Int {
        try await write { transaction in
            try transaction.rows(
                """
                DELETE FROM activities WHERE number IN (
                    SELECT number FROM activities WHERE at < $1 ORDER BY at LIMIT $2)
                """, [.integer(moment.milliseconds), .integer(Int64(limit))]
            ).changedCount
        }
    }
}

/// Held by everybody who changes operators or adds tokens.
private let lockOfOperators = "LOCK TABLE operators IN SHARE ROW EXCLUSIVE MODE"

private let tokenColumns =
    "number, token_hash, name, scope, environment_name, author, created_at, expires_at"

private func allOperators(_ transaction: PGTransaction) throws -> [Operator] {
    try transaction.rows(
        "SELECT name, scope, password_hash, created_at FROM operators ORDER BY name"
    ).map { try Operator(row: &$0) }
}

private func statements(for change: OperatorChange) -> [Statement] {
    switch change {
    case .remove(let name):
        return [Statement("DELETE FROM operators WHERE name = $1", [.text(name)])]
    case .write(let person, let endingSessions, let revokingTokens):
        let name = Parameter.text(person.name)
        var statements = [
            Statement("DELETE FROM operator_setups"),
            Statement(
                """
                INSERT INTO operators (name, scope, password_hash, created_at)
                VALUES ($1, $2, $3, $4)
                ON CONFLICT (name) DO UPDATE SET scope = excluded.scope,
                    password_hash = excluded.password_hash
                """,
                [
                    name, .text(person.scope.rawValue), .text(person.passwordHash),
                    .integer(person.createdAt.milliseconds),
                ]),
        ]
        if endingSessions {
            statements.append(
                Statement("DELETE FROM operator_sessions WHERE name = $1", [name]))
        }
        if revokingTokens {
            statements.append(
                Statement("DELETE FROM operator_tokens WHERE author = $1", [name]))
        }
        return statements
    }
}

extension Row {
    fileprivate mutating func operatorScope() throws -> AdminScope {
        let name = try text()
        guard let scope = AdminScope(rawValue: name) else {
            throw StoreError.unreadable("an operator has the scope '\(name)'", remedy: .laterWaggle)
        }
        return scope
    }
}

extension Operator {
    fileprivate init(row: inout Row) throws {
        self.init(
            name: try row.text(), scope: try row.operatorScope(), passwordHash: try row.text(),
            createdAt: try row.instant())
    }
}

extension NumberedToken {
    fileprivate init(row: inout Row) throws {
        let number = try row.number(as: .sequence)
        self.init(
            number: number,
            token: OperatorToken(
                tokenHash: try row.bytes(), name: try row.text(), scope: try row.operatorScope(),
                environment: try row.optionalText(), author: try row.text(),
                createdAt: try row.instant(), expiresAt: try row.instant()))
    }
}

extension LoggedActivity {
    fileprivate init(row: inout Row) throws {
        self.init(
            number: try row.number(as: .sequence), at: try row.instant(),
            activity: Activity(
                actor: try row.text(), origin: try row.text(), act: try row.text(),
                environment: try row.optionalText(), target: try row.text(),
                before: try row.text(), after: try row.text()))
    }
}
