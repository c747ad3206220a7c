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

    package func addAccountCode(
        _ code: AccountCode, in environment: EnvironmentID, keeping max: Int, at now: Instant
    ) async throws(StoreError) -> AccountCodeAddition {
        try await write { db in
            if let login = code.login, try storedUser(login, in: environment, db) == nil {
                return .userUnknown
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
            let code = try Row.fetchOne(
                db,
                sql: """
                    SELECT * FROM account_codes
                    WHERE environment = ? AND hash = ? AND expires_at > ?
                    """, arguments: arguments + [now.milliseconds]
            ).map(AccountCode.init(row:))
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
