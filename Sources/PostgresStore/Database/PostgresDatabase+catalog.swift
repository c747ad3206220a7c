package import Administration
package import SyncEngine

/// Versions and locks.
extension PostgresDatabase {
    package func catalog(
        before number: Int64?, limit: Int
    ) async throws(StoreError) -> [CatalogVersion] {
        try await ask { transaction in
            try transaction.rows(
                """
                SELECT \(catalogColumns) FROM catalog WHERE number < $1
                ORDER BY number DESC LIMIT $2
                """, [.integer(number ?? .max), .integer(Int64(limit))]
            ).map { try CatalogVersion(row: &$0) }
        }
    }

    package func catalogVersion(_ number: Int64) async throws(StoreError) -> CatalogVersion? {
        try await ask { transaction in
            try transaction.rows(
                "SELECT \(catalogColumns) FROM catalog WHERE number = $1", [.integer(number)]
            ).map { try CatalogVersion(row: &$0) }.first
        }
    }

    package func catalogVersion(tag: String) async throws(StoreError) -> CatalogVersion? {
        try await ask { transaction in
            try transaction.rows(
                "SELECT \(catalogColumns) FROM catalog WHERE tag = $1 AND tag <> ''", [.text(tag)]
            ).map { try CatalogVersion(row: &$0) }.first
        }
    }

    package func catalogVersion(
        equalTo version: EnvironmentVersion
    ) async throws(StoreError) -> CatalogVersion? {
        try await ask { transaction in
            try transaction.rows(
                """
                SELECT \(catalogColumns) FROM catalog WHERE fingerprint = $1 AND source = $2
                ORDER BY number LIMIT 1
                """, [.text(version.fingerprint), .bytes(version.source)]
            ).map { try CatalogVersion(row: &$0) }.first
        }
    }

    package func catalogSource(_ number: Int64) async throws(StoreError) -> [UInt8]? {
        try await ask { transaction in
            try transaction.rows(
                "SELECT source FROM catalog WHERE number = $1", [.integer(number)]
            ).map { try $0.bytes() }.first
        }
    }

    package func catalogSource(
        withFingerprint fingerprint: String
    ) async throws(StoreError) -> [UInt8]? {
        try await ask { transaction in
            try transaction.rows(
                "SELECT source FROM catalog WHERE fingerprint = $1 ORDER BY number LIMIT 1",
                [.text(fingerprint)]
            ).map { try $0.bytes() }.first
        }
    }

    package func catalogSource(withDigest digest: String) async throws(StoreError) -> [UInt8]? {
        try await ask { transaction in
            try transaction.rows(
                "SELECT source FROM catalog WHERE digest = $1 ORDER BY number DESC LIMIT 1",
                [.text(digest)]
            ).map { try $0.bytes() }.first
        }
    }

    package func addToCatalog(_ version: EnvironmentVersion) async throws(StoreError) -> Int64 {
        try await write { transaction in
            let adding = cataloguing(version)
            let found = Statement(
                "SELECT min(number) FROM catalog WHERE fingerprint = $1 AND source = $2",
                [.text(version.fingerprint), .bytes(version.source)])
            var row = try transaction.rows(of: adding + [found]).last?.first
            guard let number = try row?.int64() else {
                throw StoreError.failed("a version was not written")
            }
            return number
        }
    }

    package func label(
        _ number: Int64, tag: String?, note: String?
    ) async throws(StoreError) -> LabelResult {
        try await write { transaction in
            transaction.later(lockOfCatalog)
            var row = try transaction.rows(
                "SELECT number FROM catalog WHERE tag = $1 AND tag <> ''", [.text(tag)]
            ).first
            if let holder = try row?.int64(), holder != number {
                return .tagTaken(number: holder)
            }
            let changed = try transaction.rows(
                """
                UPDATE catalog SET tag = coalesce($2, tag), note = coalesce($3, note)
                WHERE number = $1
                """, [.integer(number), .text(tag), .text(note)])
            return changed.changedCount == 1 ? .changed : .versionUnknown
        }
    }

    package func deployments(
        of environment: EnvironmentID, before number: Int64?, limit: Int
    ) async throws(StoreError) -> [LoggedDeployment] {
        try await ask { transaction in
            try transaction.rows(
                """
                SELECT id, catalog_number, fingerprint, author, deployed_at, fill FROM versions
                WHERE environment = $1 AND id < $2 ORDER BY id DESC LIMIT $3
                """,
                [
                    .integer(environment.number), .integer(number ?? .max),
                    .integer(Int64(limit)),
                ]
            ).map { row in
                LoggedDeployment(
                    number: try row.number(as: .sequence),
                    version: try row.number(as: .sequence),
                    fingerprint: try row.text(), author: try row.text(),
                    deployedAt: try row.instant(), fill: try row.fill())
            }
        }
    }

    package func setLock(
        _ isLocked: Bool, of environment: EnvironmentID
    ) async throws(StoreError) {
        try await write { transaction in
            let changed = try transaction.rows(
                "UPDATE environments SET is_locked = $2 WHERE id = $1",
                [.integer(environment.number), .flag(isLocked)])
            guard changed.changedCount == 1 else { throw StoreError.environmentGone }
        }
    }
}

private let catalogColumns = """
    number, vendor, application, digest, fingerprint, tag, note, author, added_at,
    octet_length(source)::bigint
    """

/// Taken after the lock of an environment. Numbers are given in its order.
private let lockOfCatalog = "LOCK TABLE catalog IN SHARE ROW EXCLUSIVE MODE"

/// Adds a version to the catalog unless it is there.
func cataloguing(_ version: EnvironmentVersion) -> [Statement] {
    let application = version.application
    let names: [Parameter] = [.text(application?.vendor), .text(application?.application)]
    let content: [Parameter] = [.text(version.fingerprint), .bytes(version.source)]
    return [
        Statement(lockOfCatalog),
        Statement(
            """
            UPDATE catalog SET vendor = $1, application = $2
            WHERE fingerprint = $3 AND source = $4 AND vendor IS NULL
            """, names + content),
        Statement(
            """
            INSERT INTO catalog (number, vendor, application, digest, fingerprint, source, author,
                added_at)
            SELECT coalesce(max(number), 0) + 1, $1, $2, $5, $3, $4, $6, $7 FROM catalog
            HAVING NOT EXISTS (
                SELECT 1 FROM catalog WHERE fingerprint = $3 AND source = $4)
            """,
            names + content + [
                .text(version.digest), .text(version.author),
                .integer(version.deployedAt.milliseconds),
            ]),
    ]
}

extension ApplicationName {
    init?(row: inout Row) throws {
        let vendor = try row.optionalText()
        let application = try row.optionalText()
        guard let vendor, let application else { return nil }
        self.init(vendor: vendor, application: application)
    }
}

extension CatalogVersion {
    fileprivate init(row: inout Row) throws {
        self.init(
            number: try row.number(as: .sequence), application: try ApplicationName(row: &row),
            digest: try row.text(), fingerprint: try row.text(), tag: try row.text(),
            note: try row.text(), author: try row.text(),
            addedAt: try row.instant(), size: try row.int())
    }
}
