import DefinitionModel
import Foundation
import GRDB
package import SyncEngine
package import UserAccounts

extension SQLiteDatabase {
    package func environment(
        named name: String
    ) async throws(StoreError) -> EnvironmentState? {
        try await read { db in try environmentState(named: name, db) }
    }

    package func environments() async throws(StoreError) -> [EnvironmentDeployment] {
        try await read { db in
            try Row.fetchAll(db, sql: "SELECT name, version FROM environments ORDER BY id").map {
                EnvironmentDeployment(
                    name: try $0.decode(String.self, forColumn: "name"),
                    deployment: try $0.number("version", as: .sequence))
            }
        }
    }

    package func versions(
        of environment: EnvironmentID
    ) async throws(StoreError) -> [StoredVersion] {
        try await read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT id, source, deployed_after, fill, follows_back FROM versions
                    WHERE environment = ? ORDER BY id
                    """,
                arguments: [environment.number])
            return try rows.map { row in
                StoredVersion(
                    source: [UInt8](try row.decode(Data.self, forColumn: "source")),
                    sequence: try row.decode(Int64?.self, forColumn: "deployed_after"),
                    number: try row.number("id", as: .sequence), fill: try row.fill(),
                    followsBack: try row.decode(Bool.self, forColumn: "follows_back"))
            }
        }
    }

    package func key(
        _ key: EnvironmentKey, of environment: EnvironmentID, orStoring fresh: [UInt8]
    ) async throws(StoreError) -> [UInt8] {
        let column = key.column
        return try await write { db in
            let bytes = try Data.fetchOne(
                db,
                sql: """
                    UPDATE environments SET \(column) = coalesce(\(column), ?) WHERE id = ?
                    RETURNING \(column)
                    """,
                arguments: [Data(fresh), environment.number])
            guard let bytes else { throw StoreError.environmentGone }
            return [UInt8](bytes)
        }
    }
}

extension SQLiteDatabase: AccountStore {
    package func users(in environment: EnvironmentID) async throws(StoreError) -> [User] {
        try await read { db in
            let rows = try Row.fetchAll(
                db,
                sql: "SELECT * FROM users WHERE environment = ? ORDER BY login",
                arguments: [environment.number])
            return try rows.map(User.init(row:))
        }
    }

    package func users(matching query: UserQuery) async throws(StoreError) -> [ListedUser] {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM users LEFT JOIN user_days USING (environment, login)
                    WHERE environment = :environment AND login > :after
                    AND (instr(lower(login), lower(:part)) > 0
                        OR instr(lower(mail), lower(:part)) > 0
                        OR instr(lower(group_name), lower(:part)) > 0)
                    ORDER BY login LIMIT :limit
                    """,
                arguments: [
                    "environment": query.environment.number, "after": query.after,
                    "part": query.search, "limit": query.limit,
                ]
            ).map { row in
                ListedUser(
                    try User(row: row), lastDay: try row.decode(Int64?.self, forColumn: "day"))
            }
        }
    }

    /// Without its name, the index is passed over for the primary key.
    static let loginsByMail = """
        SELECT login FROM users INDEXED BY users_by_folded_mail
        WHERE environment = ? AND lower(mail) = lower(?) LIMIT ?
        """

    package func logins(
        withMail mail: String, in environment: EnvironmentID, limit: Int
    ) async throws(StoreError) -> [String] {
        try await read { db in
            try String.fetchAll(
                db, sql: Self.loginsByMail, arguments: [environment.number, mail, limit])
        }
    }

    package func userCount(in environment: EnvironmentID) async throws(StoreError) -> Int {
        try await read { db in
            let count = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM users WHERE environment = ?",
                arguments: [environment.number])
            return count ?? 0
        }
    }

    package func user(
        _ login: String, in environment: EnvironmentID
    ) async throws(StoreError) -> User? {
        try await read { db in try storedUser(login, in: environment, db) }
    }

    package func changeUser<Refusal: Error>(
        _ login: String, in environment: EnvironmentID, comparing names: AccountNames?,
        deciding: @escaping @Sendable (User?, OtherAccounts) -> Result<UserChange, Refusal>
    ) async throws(StoreError) -> Refusal? {
        while true {
            let step: (isOver: Bool, refusal: Refusal?) = try await write { db in
                let present = try storedUser(login, in: environment, db)
                let others = try names.map {
                    try otherAccounts($0, than: login, in: environment, db)
                }
                switch deciding(present, others ?? .notAsked) {
                case .failure(let refusal): return (true, refusal)
                case .success(let change):
                    let isOver = try carryOut(
                        change, of: login, replacing: present, in: environment, db)
                    return (isOver, nil)
                }
            }
            if step.isOver { return step.refusal }
        }
    }
}

/// Returns false if so much is kept for a user to remove that only a part of it was deleted.
private func carryOut(
    _ change: UserChange, of login: String, replacing present: User?,
    in environment: EnvironmentID, _ db: Database
) throws -> Bool {
    switch change {
    case .remove:
        guard try deletePart(of: login, in: environment, db) < partRows else { return false }
        if let present {
            try noteReadPolicyChange(of: login, from: present.group, in: environment, db)
        }
        for table in ["users", "outcomes"] {
            try db.execute(
                sql: "DELETE FROM \(table) WHERE environment = ? AND login = ?",
                arguments: [environment.number, login])
        }
    case .write(let user, let endingSessions):
        if let present, !present.group.hasSameBytes(as: user.group) {
            try noteReadPolicyChange(of: login, from: present.group, in: environment, db)
        }
        try save(user, in: environment, db)
        if let present, user.endsResets(madeFor: present) {
            try db.execute(
                sql: "DELETE FROM account_codes WHERE environment = ? AND login = ?",
                arguments: [environment.number, login])
        }
        if endingSessions { try endSessions(of: user.login, in: environment, db) }
    case .unlock:
        try db.execute(
            sql: "DELETE FROM failed_sign_ins WHERE environment = ? AND login = ?",
            arguments: [environment.number, login])
    }
    return true
}

func storedUser(_ login: String, in environment: EnvironmentID, _ db: Database) throws -> User? {
    try Row.fetchOne(
        db, sql: "SELECT * FROM users WHERE environment = ? AND login = ?",
        arguments: [environment.number, login]
    ).map(User.init(row:))
}

/// SQLite's `lower` changes ASCII letters only.
private func otherAccounts(
    _ names: AccountNames, than login: String, in environment: EnvironmentID, _ db: Database
) throws -> OtherAccounts {
    let row = try Row.fetchOne(
        db,
        sql: """
            SELECT
                EXISTS (SELECT 1 FROM users WHERE environment = :environment AND login <> :login
                    AND lower(login) = lower(:login)) AS logins,
                EXISTS (SELECT 1 FROM users INDEXED BY users_by_folded_mail
                    WHERE environment = :environment AND lower(mail) = lower(:mail)
                    AND login <> :login AND mail <> '') AS mails,
                (SELECT count(*) FROM (SELECT 1 FROM users WHERE environment = :environment
                    LIMIT :most)) AS users
            """,
        arguments: [
            "environment": environment.number, "login": login, "mail": names.mail,
            "most": names.mostUsers,
        ])
    guard let row else { return .notAsked }
    return OtherAccounts(
        haveLogin: try row.decode(Bool.self, forColumn: "logins"),
        haveMail: try row.decode(Bool.self, forColumn: "mails"),
        count: try row.decode(Int.self, forColumn: "users"))
}

func environmentState(named name: String, _ db: Database) throws -> EnvironmentState? {
    let row = try Row.fetchOne(
        db,
        sql: """
            SELECT environments.id, instance, sequence, version, digest, fingerprint, source,
                is_locked, epoch, deployed_at
            FROM environments JOIN versions ON versions.id = environments.version
            WHERE name = ?
            """,
        arguments: [name])
    guard let row else { return nil }
    let id = try row.number("id", as: .environment)
    return EnvironmentState(
        id: EnvironmentID(number: id), name: name,
        instance: try row.decode(String.self, forColumn: "instance"),
        sequence: try row.number("sequence", as: .sequence),
        deployment: try row.number("version", as: .sequence),
        digest: try row.decode(String.self, forColumn: "digest"),
        fingerprint: try row.decode(String.self, forColumn: "fingerprint"),
        source: [UInt8](try row.decode(Data.self, forColumn: "source")),
        deployedAt: try row.instant("deployed_at"),
        isLocked: try row.decode(Bool.self, forColumn: "is_locked"),
        epochs: EpochChain(
            current: try row.decode(Int64.self, forColumn: "epoch"),
            ended: try endedEpochs(of: id, db)))
}

func save(_ user: User, in environment: EnvironmentID, _ db: Database) throws {
    try db.execute(
        sql: """
            INSERT INTO users (environment, login, group_name, mail, is_admin, password_hash,
                made_at, changed_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (environment, login) DO UPDATE SET group_name = excluded.group_name,
                mail = excluded.mail, is_admin = excluded.is_admin,
                password_hash = excluded.password_hash, made_at = excluded.made_at,
                changed_at = excluded.changed_at
            """,
        arguments: [
            environment.number, user.login, user.group, user.mail, user.isAdmin,
            user.passwordHash, user.madeAt?.milliseconds, user.changedAt?.milliseconds,
        ])
}

/// Deletes the user's sessions, and the failed sign-ins, which belong to the old password.
func endSessions(
    of login: String, in environment: EnvironmentID, _ db: Database
) throws {
    for table in ["sessions", "failed_sign_ins"] {
        try db.execute(
            sql: "DELETE FROM \(table) WHERE environment = ? AND login = ?",
            arguments: [environment.number, login])
    }
}

extension User {
    fileprivate init(row: Row) throws {
        self.init(
            login: try row.decode(String.self, forColumn: "login"),
            group: try row.decode(String.self, forColumn: "group_name"),
            mail: try row.decode(String.self, forColumn: "mail"),
            isAdmin: try row.decode(Bool.self, forColumn: "is_admin"),
            passwordHash: try row.decode(String.self, forColumn: "password_hash"),
            madeAt: try row.optionalInstant("made_at"),
            changedAt: try row.optionalInstant("changed_at"))
    }
}
