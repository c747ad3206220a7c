import Foundation
import GRDB
import SyncEngine

/// A snapshot of the database. Writers do not wait for it, but the log grows while it is open.
struct SQLiteSnapshot: StoreSnapshot {
    private let connection: DatabaseSnapshot

    init(_ connection: DatabaseSnapshot) { self.connection = connection }

    func environments() async throws(StoreError) -> [String] {
        try await read { db in
            try String.fetchAll(db, sql: "SELECT name FROM environments ORDER BY id")
        }
    }

    func head(
        of name: String
    ) async throws(StoreError) -> (id: EnvironmentID, head: EnvironmentHead)? {
        try await read { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT * FROM environments WHERE name = ?", arguments: [name])
            guard let row else { return nil }
            let id = try row.number("id", as: .environment)
            let head = EnvironmentHead(
                instance: try row.decode(String.self, forColumn: "instance"),
                sequence: try row.number("sequence", as: .sequence),
                lastStamp: try row.instant("last_stamp"),
                purgeHorizon: try row.number("horizon", as: .sequence),
                cursorKey: try row.decode(Data?.self, forColumn: "cursor_key").map(Array.init),
                nameKey: try row.decode(Data?.self, forColumn: "name_key").map(Array.init),
                lastNotification: try row.number("last_notification", as: .sequence),
                lastClaimedNotification: try row.number("last_claimed", as: .sequence),
                epoch: try row.decode(Int64.self, forColumn: "epoch"),
                versions: try versions(in: id, db))
            return (EnvironmentID(number: id), head)
        }
    }

    func rows(
        of table: EnvironmentTable, in environment: EnvironmentID, _ range: KeyRange, limit: Int
    ) async throws(StoreError) -> [EnvironmentRow] {
        try await read { db in try fetchRows(of: table, in: environment, range, limit, db) }
    }

    func close() async {
        // All reads have completed.
        try? connection.close()
    }

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        do {
            return try await connection.read(body)
        } catch {
            throw StoreError(error)
        }
    }
}

private func versions(in environment: Int64, _ db: Database) throws -> [EnvironmentVersion] {
    let rows = try Row.fetchAll(
        db,
        sql: """
            SELECT versions.*, vendor, application
            FROM versions LEFT JOIN catalog ON catalog.number = catalog_number
            WHERE environment = ? ORDER BY id
            """, arguments: [environment])
    return try rows.map { row in
        EnvironmentVersion(
            digest: try row.decode(String.self, forColumn: "digest"),
            fingerprint: try row.decode(String.self, forColumn: "fingerprint"),
            source: Array(try row.decode(Data.self, forColumn: "source")),
            deployedAt: try row.instant("deployed_at"),
            sequence: try row.decode(Int64?.self, forColumn: "deployed_after"),
            author: try row.decode(String.self, forColumn: "author"),
            application: try ApplicationName(row: row), fill: try row.fill(),
            followsBack: try row.decode(Bool.self, forColumn: "follows_back"))
    }
}
