import Foundation
import GRDB
package import SyncEngine

extension SQLiteDatabase {
    package func deploy(
        to name: String,
        deciding: @escaping @Sendable (EnvironmentState?) -> Result<NewVersion, DeploymentRefusal>
    ) async throws(StoreError) -> Result<Deployed, DeploymentRefusal> {
        do {
            let deployed = try await pool.write { db in
                let present = try environmentState(named: name, db)
                let version = try deciding(present).get()
                let id = try present?.id ?? insertEnvironment(name, version.instance, db)
                try makeCurrent(version, in: id, after: present?.sequence ?? 0, db)
                if let present, present.fingerprint != version.fingerprint {
                    try noteReadPolicyChange(of: "", from: present.fingerprint, in: id, db)
                }
                let renamed = try version.adaptRecords(in: SQLiteDeployment(in: id, db))
                return try environmentState(named: name, db).map {
                    Deployed(state: $0, renamedRecords: renamed)
                }
            }
            guard let deployed else { throw StoreError.environmentGone }
            return .success(deployed)
        } catch let refusal as DeploymentRefusal {
            return .failure(refusal)
        } catch {
            throw StoreError(error)
        }
    }
}

/// The values that deployments bring.
extension SQLiteDatabase {
    package func fills() async throws(StoreError) -> [StoredFill] {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT v.id, e.id AS environment, name, fill
                    FROM versions AS v JOIN environments AS e ON e.id = v.environment
                    WHERE fill IS NOT NULL ORDER BY v.id
                    """
            ).map { row in
                StoredFill(
                    environment: EnvironmentID(
                        number: try row.number("environment", as: .environment)),
                    name: try row.decode(String.self, forColumn: "name"),
                    deployment: try row.number("id", as: .sequence),
                    fill: try DeploymentFill(text: row.decode(String.self, forColumn: "fill")))
            }
        }
    }

    package func update(
        _ fill: DeploymentFill, ofDeployment number: Int64
    ) async throws(StoreError) {
        try await write { db in
            try db.execute(
                sql: "UPDATE versions SET fill = ? WHERE id = ?", arguments: [fill.text, number])
        }
    }
}

extension Row {
    /// The column `fill` of a version.
    func fill() throws -> DeploymentFill? {
        try decode(String?.self, forColumn: "fill").map { try DeploymentFill(text: $0) }
    }
}

/// Inserts an environment without a version. The same transaction must set one.
func insertEnvironment(
    _ name: String, _ instance: String, _ db: Database
) throws -> EnvironmentID {
    try db.execute(
        sql: """
            INSERT INTO environments (id, name, instance, version)
            VALUES (\(freshID(in: "environments")), ?, ?, 0)
            """,
        arguments: [name, instance])
    return EnvironmentID(number: db.lastInsertedRowID)
}

private func makeCurrent(
    _ version: NewVersion, in environment: EnvironmentID, after sequence: Int64, _ db: Database
) throws {
    try insert(EnvironmentVersion(version, after: sequence), in: environment.number, db)
    try db.execute(
        sql: "UPDATE environments SET version = ? WHERE id = ?",
        arguments: [db.lastInsertedRowID, environment.number])
}

/// Inserts a deployment. Its version is added to the catalog unless it is there.
func insert(_ version: EnvironmentVersion, in environment: Int64, _ db: Database) throws {
    let number = try catalogNumber(of: version, db)
    try db.execute(
        sql: """
            INSERT INTO versions (id, environment, digest, fingerprint, source, deployed_at,
                deployed_after, author, catalog_number, fill, follows_back)
            VALUES (\(freshID(in: "versions")), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
        arguments: [
            environment, version.digest, version.fingerprint, Data(version.source),
            version.deployedAt.milliseconds, version.sequence, version.author, number,
            version.fill?.text, version.followsBack,
        ])
}
