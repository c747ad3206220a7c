package import SyncEngine

extension PostgresDatabase {
    package func deploy(
        to name: String,
        deciding: @escaping @Sendable (EnvironmentState?) -> Result<NewVersion, DeploymentRefusal>
    ) async throws(StoreError) -> Result<Deployed, DeploymentRefusal> {
        try await write { transaction in
            try transaction.attempting { () -> Deployed in
                let present = try lockedState(named: name, transaction)
                let version = try deciding(present).get()
                let id = try present?.id ?? insertEnvironment(name, version.instance, transaction)
                try makeCurrent(version, in: id, after: present?.sequence ?? 0, transaction)
                if let present, present.fingerprint != version.fingerprint {
                    try noteReadPolicyChange(of: "", from: present.fingerprint, in: id, transaction)
                }
                let renamed = try version.adaptRecords(
                    in: PostgresDeployment(in: id, transaction))
                guard let state = try environmentState(named: name, transaction) else {
                    throw StoreError.environmentGone
                }
                return Deployed(state: state, renamedRecords: renamed)
            }
        }
    }
}

/// The values that deployments bring.
extension PostgresDatabase {
    package func fills() async throws(StoreError) -> [StoredFill] {
        try await ask { transaction in
            try transaction.rows(
                """
                SELECT environment, name, versions.id, fill
                FROM versions JOIN environments ON environments.id = environment
                WHERE fill IS NOT NULL ORDER BY versions.id
                """, []
            ).map { row in
                StoredFill(
                    environment: EnvironmentID(number: try row.number(as: .environment)),
                    name: try row.text(), deployment: try row.number(as: .sequence),
                    fill: try DeploymentFill(text: row.text()))
            }
        }
    }

    package func update(
        _ fill: DeploymentFill, ofDeployment number: Int64
    ) async throws(StoreError) {
        try await write { transaction in
            _ = try transaction.rows(
                "UPDATE versions SET fill = $2 WHERE id = $1",
                [.integer(number), .text(fill.text)])
        }
    }
}

extension Row {
    /// The column `fill` of a version.
    mutating func fill() throws -> DeploymentFill? {
        try optionalText().map { try DeploymentFill(text: $0) }
    }
}

extension PGTransaction {
    /// Rolls a refusal back without an error.
    fileprivate func attempting<Value>(
        _ body: () throws -> Value
    ) throws -> Result<Value, DeploymentRefusal> {
        later("SAVEPOINT attempt")
        do {
            return .success(try body())
        } catch let refusal as DeploymentRefusal {
            later("ROLLBACK TO SAVEPOINT attempt")
            return .failure(refusal)
        }
    }
}

private func lockedState(
    named name: String, _ transaction: PGTransaction
) throws -> EnvironmentState? {
    guard let found = try environmentState(named: name, transaction) else { return nil }
    try lock(found.id, transaction)
    return try environmentState(named: name, transaction)
}

/// Inserts an environment without a version; the same transaction must set one. If two processes
/// insert the same name, the unique key refuses the second, which then decides again.
private func insertEnvironment(
    _ name: String, _ instance: String, _ transaction: PGTransaction
) throws -> EnvironmentID {
    EnvironmentID(
        number: try number(
            transaction.rows(
                """
                INSERT INTO environments (name, instance, version) VALUES ($1, $2, 0) RETURNING id
                """, [.text(name), .text(instance)])))
}

private func makeCurrent(
    _ version: NewVersion, in environment: EnvironmentID, after sequence: Int64,
    _ transaction: PGTransaction
) throws {
    let next = EnvironmentVersion(version, after: sequence)
    let inserted = try transaction.rows(of: insertion(of: next, in: environment)).last
    guard let inserted else { throw StoreError.failed("a version was not written") }
    let id = try number(inserted)
    _ = try transaction.rows(
        "UPDATE environments SET version = $2 WHERE id = $1",
        [.integer(environment.number), .integer(id)])
}

/// Inserts a deployment. Its version is added to the catalog unless it is there. The last statement
/// returns the number of the deployment.
func insertion(
    of version: EnvironmentVersion, in environment: EnvironmentID
) -> [Statement] {
    cataloguing(version) + [
        Statement(
            """
            INSERT INTO versions (environment, digest, fingerprint, source, deployed_at,
                deployed_after, author, catalog_number, fill, follows_back)
            SELECT $1, $2, $3, $4, $5, $6, $7, min(number), $8, $9 FROM catalog
            WHERE fingerprint = $3 AND source = $4
            RETURNING id
            """,
            [
                .integer(environment.number), .text(version.digest), .text(version.fingerprint),
                .bytes(version.source), .integer(version.deployedAt.milliseconds),
                .integer(version.sequence), .text(version.author), .text(version.fill?.text),
                .flag(version.followsBack),
            ])
    ]
}

private func number(_ rows: Rows) throws -> Int64 {
    guard var row = rows.first else { throw StoreError.failed("a row was not written") }
    return try row.int64()
}
