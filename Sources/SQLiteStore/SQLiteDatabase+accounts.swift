import Foundation
import GRDB
package import SyncEngine

extension SQLiteDatabase {
    package func environment(
        named name: String
    ) async throws(StoreError) -> EnvironmentState? {
        try await read { db in try environmentState(named: name, db) }
    }

    package func deploy(
        to name: String, deciding: @escaping @Sendable (EnvironmentState?) -> NewVersion?
    ) async throws(StoreError) -> EnvironmentState? {
        try await write { db in
            let present = try environmentState(named: name, db)
            guard let version = deciding(present) else { return present }
            let id = try present?.id.number ?? insertEnvironment(name, version.instance, db)
            try db.execute(
                sql: """
                    INSERT INTO versions (environment, digest, fingerprint, source, deployed_at)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [
                    id, version.digest, version.fingerprint, Data(version.source),
                    version.deployedAt.milliseconds,
                ])
            try db.execute(
                sql: "UPDATE environments SET version = ? WHERE id = ?",
                arguments: [db.lastInsertedRowID, id])
            return try environmentState(named: name, db)
        }
    }

    package func versions(of environment: EnvironmentID) async throws(StoreError) -> [[UInt8]] {
        try await read { db in
            try Data.fetchAll(
                db,
                sql: """
                    SELECT source FROM versions WHERE environment = ?
                    GROUP BY fingerprint ORDER BY min(id)
                    """,
                arguments: [environment.number]
            ).map { [UInt8]($0) }
        }
    }

    package func users(in environment: EnvironmentID) async throws(StoreError) -> [User] {
        try await read { db in
            let rows = try Row.fetchAll(
                db,
                sql: "SELECT * FROM users WHERE environment = ? ORDER BY login",
                arguments: [environment.number])
            return try rows.map(User.init(row:))
        }
    }

    package func changeUser<Refusal: Error>(
        _ login: String, in environment: EnvironmentID,
        deciding: @escaping @Sendable (User?) -> Result<UserChange, Refusal>
    ) async throws(StoreError) -> Refusal? {
        try await write { db in
            switch deciding(try user(login, in: environment, db)) {
            case .failure(let refusal): return refusal
            case .success(.remove):
                try db.execute(
                    sql: "DELETE FROM users WHERE environment = ? AND login = ?",
                    arguments: [environment.number, login])
            case .success(.write(let user, let endingSessions)):
                try save(user, in: environment, db)
                if endingSessions { try endSessions(of: user.login, in: environment, db) }
            }
            return nil
        }
    }
}

func user(_ login: String, in environment: EnvironmentID, _ db: Database) throws -> User? {
    try Row.fetchOne(
        db, sql: "SELECT * FROM users WHERE environment = ? AND login = ?",
        arguments: [environment.number, login]
    ).map(User.init(row:))
}

/// Its version is set before the transaction ends; until then it refers to none.
private func insertEnvironment(_ name: String, _ instance: String, _ db: Database) throws -> Int64 {
    try db.execute(
        sql: "INSERT INTO environments (name, instance, version) VALUES (?, ?, 0)",
        arguments: [name, instance])
    return db.lastInsertedRowID
}

private func environmentState(named name: String, _ db: Database) throws -> EnvironmentState? {
    let row = try Row.fetchOne(
        db,
        sql: """
            SELECT environments.id, instance, sequence, digest, fingerprint, source
            FROM environments JOIN versions ON versions.id = environments.version
            WHERE name = ?
            """,
        arguments: [name])
    guard let row else { return nil }
    let id = EnvironmentID(number: try row.decode(Int64.self, forColumn: "id"))
    let places = Place.after(0, in: id)
    let hasRecords = try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM records WHERE place >= ? AND place < ?)",
        arguments: [places.lowerBound, places.upperBound])
    return EnvironmentState(
        id: id, name: name,
        instance: try row.decode(String.self, forColumn: "instance"),
        sequence: try row.decode(Int64.self, forColumn: "sequence"),
        digest: try row.decode(String.self, forColumn: "digest"),
        fingerprint: try row.decode(String.self, forColumn: "fingerprint"),
        source: [UInt8](try row.decode(Data.self, forColumn: "source")),
        hasRecords: hasRecords ?? false)
}

private func save(_ user: User, in environment: EnvironmentID, _ db: Database) throws {
    try db.execute(
        sql: """
            INSERT INTO users (environment, login, group_name, mail, is_admin, password_hash)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (environment, login) DO UPDATE SET group_name = excluded.group_name,
                mail = excluded.mail, is_admin = excluded.is_admin,
                password_hash = excluded.password_hash
            """,
        arguments: [
            environment.number, user.login, user.group, user.mail, user.isAdmin,
            user.passwordHash,
        ])
}

/// With the failures of the old password: the new one has not failed yet.
private func endSessions(
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
            passwordHash: try row.decode(String.self, forColumn: "password_hash"))
    }
}
