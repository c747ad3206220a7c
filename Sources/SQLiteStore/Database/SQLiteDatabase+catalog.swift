package import Administration
import Foundation
import GRDB
package import SyncEngine

/// Versions and locks.
extension SQLiteDatabase {
    package func catalog(
        before number: Int64?, limit: Int
    ) async throws(StoreError) -> [CatalogVersion] {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT \(catalogColumns) FROM catalog WHERE number < ?
                    ORDER BY number DESC LIMIT ?
                    """, arguments: [number ?? .max, limit]
            ).map(CatalogVersion.init(row:))
        }
    }

    package func catalogVersion(_ number: Int64) async throws(StoreError) -> CatalogVersion? {
        try await read { db in
            try Row.fetchOne(
                db, sql: "SELECT \(catalogColumns) FROM catalog WHERE number = ?",
                arguments: [number]
            ).map(CatalogVersion.init(row:))
        }
    }

    package func catalogVersion(tag: String) async throws(StoreError) -> CatalogVersion? {
        try await read { db in
            try Row.fetchOne(
                db, sql: "SELECT \(catalogColumns) FROM catalog WHERE tag = ? AND tag <> ''",
                arguments: [tag]
            ).map(CatalogVersion.init(row:))
        }
    }

    package func catalogVersion(
        equalTo version: EnvironmentVersion
    ) async throws(StoreError) -> CatalogVersion? {
        try await read { db in
            try Row.fetchOne(
                db,
                sql: """
                    SELECT \(catalogColumns) FROM catalog WHERE fingerprint = ? AND source = ?
                    ORDER BY number LIMIT 1
                    """, arguments: [version.fingerprint, Data(version.source)]
            ).map(CatalogVersion.init(row:))
        }
    }

    package func catalogSource(_ number: Int64) async throws(StoreError) -> [UInt8]? {
        try await read { db in
            try Data.fetchOne(
                db, sql: "SELECT source FROM catalog WHERE number = ?", arguments: [number]
            ).map(Array.init)
        }
    }

    package func catalogSource(
        withFingerprint fingerprint: String
    ) async throws(StoreError) -> [UInt8]? {
        try await read { db in
            try Data.fetchOne(
                db,
                sql: "SELECT source FROM catalog WHERE fingerprint = ? ORDER BY number LIMIT 1",
                arguments: [fingerprint]
            ).map(Array.init)
        }
    }

    package func catalogSource(withDigest digest: String) async throws(StoreError) -> [UInt8]? {
        try await read { db in
            try Data.fetchOne(
                db,
                sql: "SELECT source FROM catalog WHERE digest = ? ORDER BY number DESC LIMIT 1",
                arguments: [digest]
            ).map(Array.init)
        }
    }

    package func addToCatalog(_ version: EnvironmentVersion) async throws(StoreError) -> Int64 {
        try await write { db in try catalogNumber(of: version, db) }
    }

    package func label(
        _ number: Int64, tag: String?, note: String?
    ) async throws(StoreError) -> LabelResult {
        try await write { db in
            let holder = try tag.flatMap { tag in
                try Int64.fetchOne(
                    db, sql: "SELECT number FROM catalog WHERE tag = ? AND tag <> ''",
                    arguments: [tag])
            }
            if let holder, holder != number { return .tagTaken(number: holder) }
            try db.execute(
                sql: """
                    UPDATE catalog SET tag = coalesce(?, tag), note = coalesce(?, note)
                    WHERE number = ?
                    """, arguments: [tag, note, number])
            return db.changesCount == 1 ? .changed : .versionUnknown
        }
    }

    package func deployments(
        of environment: EnvironmentID, before number: Int64?, limit: Int
    ) async throws(StoreError) -> [LoggedDeployment] {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT id, catalog_number, fingerprint, author, deployed_at, fill
                    FROM versions
                    WHERE environment = ? AND id < ? ORDER BY id DESC LIMIT ?
                    """, arguments: [environment.number, number ?? .max, limit]
            ).map { row in
                LoggedDeployment(
                    number: try row.number("id", as: .sequence),
                    version: try row.number("catalog_number", as: .sequence),
                    fingerprint: try row.decode(String.self, forColumn: "fingerprint"),
                    author: try row.decode(String.self, forColumn: "author"),
                    deployedAt: try row.instant("deployed_at"), fill: try row.fill())
            }
        }
    }

    package func setLock(
        _ isLocked: Bool, of environment: EnvironmentID
    ) async throws(StoreError) {
        try await write { db in
            try db.execute(
                sql: "UPDATE environments SET is_locked = ? WHERE id = ?",
                arguments: [isLocked, environment.number])
            guard db.changesCount == 1 else { throw StoreError.environmentGone }
        }
    }
}

private let catalogColumns = """
    number, vendor, application, digest, fingerprint, tag, note, author, added_at,
    length(source) AS size
    """

/// Returns the number of a version in the catalog, to which it is added unless it is there.
func catalogNumber(of version: EnvironmentVersion, _ db: Database) throws -> Int64 {
    let source = Data(version.source)
    let application = version.application
    let present = try Int64.fetchOne(
        db, sql: "SELECT min(number) FROM catalog WHERE fingerprint = ? AND source = ?",
        arguments: [version.fingerprint, source])
    if let present {
        try db.execute(
            sql: """
                UPDATE catalog SET vendor = ?, application = ?
                WHERE number = ? AND vendor IS NULL
                """, arguments: [application?.vendor, application?.application, present])
        return present
    }
    try db.execute(
        sql: """
            INSERT INTO catalog (number, vendor, application, digest, fingerprint, source, author,
                added_at)
            VALUES ((SELECT coalesce(max(number), 0) + 1 FROM catalog), ?, ?, ?, ?, ?, ?, ?)
            """,
        arguments: [
            application?.vendor, application?.application, version.digest, version.fingerprint,
            source, version.author, version.deployedAt.milliseconds,
        ])
    return db.lastInsertedRowID
}

extension ApplicationName {
    init?(row: Row) throws {
        let vendor = try row.decode(String?.self, forColumn: "vendor")
        let application = try row.decode(String?.self, forColumn: "application")
        guard let vendor, let application else { return nil }
        self.init(vendor: vendor, application: application)
    }
}

extension CatalogVersion {
    fileprivate init(row: Row) throws {
        self.init(
            number: try row.number("number", as: .sequence),
            application: try ApplicationName(row: row),
            digest: try row.decode(String.self, forColumn: "digest"),
            fingerprint: try row.decode(String.self, forColumn: "fingerprint"),
            tag: try row.decode(String.self, forColumn: "tag"),
            note: try row.decode(String.self, forColumn: "note"),
            author: try row.decode(String.self, forColumn: "author"),
            addedAt: try row.instant("added_at"),
            size: try row.decode(Int.self, forColumn: "size"))
    }
}
