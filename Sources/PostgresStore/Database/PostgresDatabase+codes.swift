package import SyncEngine
package import UserAccounts

extension PostgresDatabase {
    package func accountCodes(
        in environment: EnvironmentID, at now: Instant
    ) async throws(StoreError) -> [AccountCode] {
        try await ask { transaction in
            try transaction.rows(
                """
                SELECT \(codeColumns) FROM account_codes
                WHERE environment = $1 AND expires_at > $2 ORDER BY created_at, hash
                """, [.integer(environment.number), .integer(now.milliseconds)]
            ).map { try AccountCode(row: &$0) }
        }
    }

    package func accountCode(
        hash: [UInt8], in environment: EnvironmentID, at now: Instant
    ) async throws(StoreError) -> AccountCode? {
        try await ask { transaction in
            try storedCode(hash, in: environment, at: now, transaction)
        }
    }

    package func addAccountCode(
        _ code: AccountCode, in environment: EnvironmentID, keeping max: Int,
        sparing spared: Instant?, at now: Instant
    ) async throws(StoreError) -> AccountCodeAddition {
        try await write { transaction in
            try lock(environment, transaction)
            if let login = code.login {
                guard try lockUser(login, in: environment, transaction) else {
                    return .userUnknown
                }
            }
            let number = Parameter.integer(environment.number)
            if let spared {
                let recent = try transaction.rows(
                    """
                    SELECT 1 FROM account_codes
                    WHERE environment = $1 AND login = $2 AND expires_at > $3 AND created_at > $4
                    """,
                    [
                        number, .text(code.login), .integer(now.milliseconds),
                        .integer(spared.milliseconds),
                    ])
                if recent.count > 0 { return .recent }
            }
            _ = try transaction.rows(
                """
                DELETE FROM account_codes
                WHERE environment = $1 AND (expires_at <= $2 OR login = $3)
                """, [number, .integer(now.milliseconds), .text(code.login)])
            var row = try transaction.rows(
                "SELECT count(*) FROM account_codes WHERE environment = $1", [number]
            ).first
            guard try row?.int() ?? 0 < max else { return .full }
            _ = try transaction.rows(
                "INSERT INTO account_codes VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
                [
                    number, .bytes(code.hash), .text(code.group), .text(code.login),
                    .integer(code.usesLeft), .text(code.author),
                    .integer(code.createdAt.milliseconds), .integer(code.expiresAt.milliseconds),
                ])
            return .added
        }
    }

    package func removeAccountCode(
        hash: [UInt8], in environment: EnvironmentID
    ) async throws(StoreError) -> Bool {
        try await write { transaction in
            try transaction.rows(
                "DELETE FROM account_codes WHERE environment = $1 AND hash = $2",
                [.integer(environment.number), .bytes(hash)]
            ).changedCount == 1
        }
    }

    package func useAccountCode<Refusal: Error>(
        hash: [UInt8], for login: String, in environment: EnvironmentID, at now: Instant,
        deciding: @escaping @Sendable (AccountCode?, User?) -> Result<User, Refusal>
    ) async throws(StoreError) -> Refusal? {
        try await write { transaction in
            // The user may not exist yet, and then cannot be locked.
            try lock(environment, transaction)
            _ = try lockUser(login, in: environment, transaction)
            let parameters: [Parameter] = [.integer(environment.number), .bytes(hash)]
            let code = try storedCode(
                hash, in: environment, at: now, locking: "FOR UPDATE", transaction)
            switch deciding(code, try storedUser(login, in: environment, transaction)) {
            case .failure(let refusal): return refusal
            case .success(let user):
                try save(user, in: environment, transaction)
                try endSessions(of: user.login, in: environment, transaction)
                let isLast = (code?.usesLeft ?? 1) <= 1
                _ = try transaction.rows(
                    (isLast
                        ? "DELETE FROM account_codes"
                        : "UPDATE account_codes SET uses_left = uses_left - 1")
                        + " WHERE environment = $1 AND hash = $2", parameters)
                return nil
            }
        }
    }
}

private let codeColumns = "hash, group_name, login, uses_left, author, created_at, expires_at"

/// By the primary key; nil if there is no valid code with this hash.
private func storedCode(
    _ hash: [UInt8], in environment: EnvironmentID, at now: Instant, locking lock: String = "",
    _ transaction: PGTransaction
) throws -> AccountCode? {
    try transaction.rows(
        """
        SELECT \(codeColumns) FROM account_codes
        WHERE environment = $1 AND hash = $2 AND expires_at > $3 \(lock)
        """, [.integer(environment.number), .bytes(hash), .integer(now.milliseconds)]
    ).map { try AccountCode(row: &$0) }.first
}

extension AccountCode {
    fileprivate init(row: inout Row) throws {
        let hash = try row.bytes()
        let (group, login) = (try row.optionalText(), try row.optionalText())
        self.init(
            hash: hash,
            purpose: login.map { .reset(login: $0) } ?? .invitation(group: group ?? ""),
            usesLeft: try row.int64(), author: try row.text(), createdAt: try row.instant(),
            expiresAt: try row.instant())
    }
}

// MARK: - Tickets of sign-ins

extension PostgresDatabase {
    package func addSignInTicket(
        _ ticket: SignInTicket, in environment: EnvironmentID, keeping max: Int, at now: Instant
    ) async throws(StoreError) -> SignInTicketAddition {
        try await write { transaction in
            try lock(environment, transaction)
            let number = Parameter.integer(environment.number)
            _ = try transaction.rows(
                "DELETE FROM sign_in_tickets WHERE environment = $1 AND expires_at <= $2",
                [number, .integer(now.milliseconds)])
            var former = try transaction.rows(
                "SELECT body FROM sign_in_tickets WHERE environment = $1 AND hash = $2",
                [number, .bytes(ticket.hash)]
            ).first
            if let body = try former?.text() { return .present(body: body) }
            var row = try transaction.rows(
                "SELECT count(*) FROM sign_in_tickets WHERE environment = $1", [number]
            ).first
            guard try row?.int() ?? 0 < max else { return .full }
            _ = try transaction.rows(
                "INSERT INTO sign_in_tickets VALUES ($1, $2, $3, $4)",
                [
                    number, .bytes(ticket.hash), .text(ticket.body),
                    .integer(ticket.expiresAt.milliseconds),
                ])
            return .added
        }
    }

    package func takeSignInTicket(
        hash: [UInt8], in environment: EnvironmentID, at now: Instant
    ) async throws(StoreError) -> SignInTicket? {
        try await write { transaction in
            var row = try transaction.rows(
                """
                DELETE FROM sign_in_tickets WHERE environment = $1 AND hash = $2
                RETURNING body, expires_at
                """, [.integer(environment.number), .bytes(hash)]
            ).first
            guard let body = try row?.text(), let expiresAt = try row?.instant() else {
                return nil
            }
            return expiresAt > now
                ? SignInTicket(hash: hash, body: body, expiresAt: expiresAt) : nil
        }
    }
}
