import Foundation
import GRDB
package import SyncEngine
package import UserAccounts

extension SQLiteDatabase {
    package func accountCodes(
        in environment: EnvironmentID, at now: Instant
    ) async throws(StoreError) -> [AccountCode] {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM account_codes WHERE environment = ? AND expires_at > ?
                    ORDER BY created_at, hash
                    """, arguments: [environment.number, now.milliseconds]
            ).map(AccountCode.init(row:))
        }
    }

    package func accountCode(
        hash: [UInt8], in environment: EnvironmentID, at now: Instant
    ) async throws(StoreError) -> AccountCode? {
        try await read { db in try storedCode(hash, in: environment, at: now, db) }
    }

    package func addAccountCode(
        _ code: AccountCode, in environment: EnvironmentID, keeping max: Int,
        sparing spared: Instant?, at now: Instant
    ) async throws(StoreError) -> AccountCodeAddition {
        try await write { db in
            if let login = code.login, try storedUser(login, in: environment, db) == nil {
                return .userUnknown
            }
            if let login = code.login, let spared {
                let recent = try Int.fetchOne(
                    db,
                    sql: """
                        SELECT 1 FROM account_codes
                        WHERE environment = ? AND login = ? AND expires_at > ? AND created_at > ?
                        """,
                    arguments: [
                        environment.number, login, now.milliseconds, spared.milliseconds,
                    ])
                if recent != nil { return .recent }
            }
            try db.execute(
                sql: """
                    DELETE FROM account_codes
                    WHERE environment = ? AND (expires_at <= ? OR login = ?)
                    """, arguments: [environment.number, now.milliseconds, code.login])
            let count = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM account_codes WHERE environment = ?",
                arguments: [environment.number])
            guard (count ?? 0) < max else { return .full }
            try db.execute(
                sql: "INSERT INTO account_codes VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    environment.number, Data(code.hash), code.group, code.login, code.usesLeft,
                    code.author, code.createdAt.milliseconds, code.expiresAt.milliseconds,
                ])
            return .added
        }
    }

    package func removeAccountCode(
        hash: [UInt8], in environment: EnvironmentID
    ) async throws(StoreError) -> Bool {
        try await write { db in
            try db.execute(
                sql: "DELETE FROM account_codes WHERE environment = ? AND hash = ?",
                arguments: [environment.number, Data(hash)])
            return db.changesCount == 1
        }
    }

    package func useAccountCode<Refusal: Error>(
        hash: [UInt8], for login: String, in environment: EnvironmentID, at now: Instant,
        deciding: @escaping @Sendable (AccountCode?, User?) -> Result<User, Refusal>
    ) async throws(StoreError) -> Refusal? {
        try await write { db in
            let arguments: StatementArguments = [environment.number, Data(hash)]
            let code = try storedCode(hash, in: environment, at: now, db)
            switch deciding(code, try storedUser(login, in: environment, db)) {
            case .failure(let refusal): return refusal
            case .success(let user):
                try save(user, in: environment, db)
                try endSessions(of: user.login, in: environment, db)
                let isLast = (code?.usesLeft ?? 1) <= 1
                try db.execute(
                    sql: (isLast
                        ? "DELETE FROM account_codes"
                        : "UPDATE account_codes SET uses_left = uses_left - 1")
                        + " WHERE environment = ? AND hash = ?", arguments: arguments)
                return nil
            }
        }
    }
}

/// By the primary key; nil if there is no valid code with this hash.
private func storedCode(
    _ hash: [UInt8], in environment: EnvironmentID, at now: Instant, _ db: Database
) throws -> AccountCode? {
    try Row.fetchOne(
        db,
        sql: """
            SELECT * FROM account_codes WHERE environment = ? AND hash = ? AND expires_at > ?
            """, arguments: [environment.number, Data(hash), now.milliseconds]
    ).map(AccountCode.init(row:))
}

extension AccountCode {
    fileprivate init(row: Row) throws {
        let login = try row.decode(String?.self, forColumn: "login")
        let group = try row.decode(String?.self, forColumn: "group_name")
        self.init(
            hash: [UInt8](try row.decode(Data.self, forColumn: "hash")),
            purpose: login.map { .reset(login: $0) } ?? .invitation(group: group ?? ""),
            usesLeft: try row.decode(Int64.self, forColumn: "uses_left"),
            author: try row.decode(String.self, forColumn: "author"),
            createdAt: try row.instant("created_at"), expiresAt: try row.instant("expires_at"))
    }
}

// MARK: - Tickets of sign-ins

extension SQLiteDatabase {
    package func addSignInTicket(
        _ ticket: SignInTicket, in environment: EnvironmentID, keeping max: Int, at now: Instant
    ) async throws(StoreError) -> SignInTicketAddition {
        try await write { db in
            try db.execute(
                sql: "DELETE FROM sign_in_tickets WHERE environment = ? AND expires_at <= ?",
                arguments: [environment.number, now.milliseconds])
            if let body = try storedBody(ticket.hash, in: environment, db) {
                return .present(body: body)
            }
            let count = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM sign_in_tickets WHERE environment = ?",
                arguments: [environment.number])
            guard (count ?? 0) < max else { return .full }
            try db.execute(
                sql: "INSERT INTO sign_in_tickets VALUES (?, ?, ?, ?)",
                arguments: [
                    environment.number, Data(ticket.hash), ticket.body,
                    ticket.expiresAt.milliseconds,
                ])
            return .added
        }
    }

    package func takeSignInTicket(
        hash: [UInt8], in environment: EnvironmentID, at now: Instant
    ) async throws(StoreError) -> SignInTicket? {
        try await write { db in
            let row = try Row.fetchOne(
                db,
                sql: """
                    DELETE FROM sign_in_tickets WHERE environment = ? AND hash = ?
                    RETURNING body, expires_at
                    """, arguments: [environment.number, Data(hash)])
            guard let row else { return nil }
            let ticket = SignInTicket(
                hash: hash, body: try row.decode(String.self, forColumn: "body"),
                expiresAt: try row.instant("expires_at"))
            return ticket.expiresAt > now ? ticket : nil
        }
    }
}

private func storedBody(
    _ hash: [UInt8], in environment: EnvironmentID, _ db: Database
) throws -> String? {
    try String.fetchOne(
        db, sql: "SELECT body FROM sign_in_tickets WHERE environment = ? AND hash = ?",
        arguments: [environment.number, Data(hash)])
}
