import SyncEngine

/// A transaction on its own connection, without an idle timeout. The server keeps old row versions
/// while it is open.
struct PostgresSnapshot: StoreSnapshot {
    private let connection = Connection()

    func open(_ database: PostgresDatabase) async throws {
        try await database.open(
            connection, readying: [Statement("SET idle_in_transaction_session_timeout TO 0")])
        let (result, _) = await connection.run { server in
            try server.exchange([
                Statement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
                // The first query takes the snapshot.
                Statement("SELECT 1 FROM environments LIMIT 1"),
            ]).count
        }
        _ = try result.get()
    }

    func environments() async throws(StoreError) -> [String] {
        try await read { transaction in
            try transaction.rows("SELECT name FROM environments ORDER BY id").map {
                try $0.text()
            }
        }
    }

    func head(
        of name: String
    ) async throws(StoreError) -> (id: EnvironmentID, head: EnvironmentHead)? {
        try await read { transaction in
            let rows = try transaction.rows(of: [
                Statement(
                    """
                    SELECT id, instance, sequence, last_stamp, horizon, cursor_key, name_key,
                        last_notification, last_claimed, epoch
                    FROM environments WHERE name = $1
                    """, [.text(name)]),
                Statement(
                    """
                    SELECT versions.digest, versions.fingerprint, versions.source, deployed_at,
                        deployed_after, versions.author, vendor, application, fill, follows_back
                    FROM versions JOIN environments ON environments.id = environment
                        LEFT JOIN catalog ON catalog.number = catalog_number
                    WHERE name = $1 ORDER BY versions.id
                    """, [.text(name)]),
            ])
            guard var row = rows[0].first else { return nil }
            let id = EnvironmentID(number: try row.number(as: .environment))
            let versions = try rows[1].map { try EnvironmentVersion(row: &$0) }
            return (id, try EnvironmentHead(row: &row, versions: versions))
        }
    }

    func rows(
        of table: EnvironmentTable, in environment: EnvironmentID, _ range: KeyRange, limit: Int
    ) async throws(StoreError) -> [EnvironmentRow] {
        try await read { transaction in
            let reading = try selection(of: table, in: environment, range, limit: limit)
            return try table.rows(try transaction.rows(of: [reading])[0])
        }
    }

    func close() async { await connection.close() }

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (PGTransaction) throws -> Value
    ) async throws(StoreError) -> Value {
        let (result, _) = await connection.run { server in try PGTransaction.ask(on: server, body) }
        do {
            return try result.get()
        } catch {
            throw StoreError(error)
        }
    }
}

extension EnvironmentHead {
    fileprivate init(row: inout Row, versions: [EnvironmentVersion]) throws {
        self.init(
            instance: try row.text(), sequence: try row.number(as: .sequence),
            lastStamp: try row.instant(), purgeHorizon: try row.number(as: .sequence),
            cursorKey: try row.optionalBytes(), nameKey: try row.optionalBytes(),
            lastNotification: try row.number(as: .sequence),
            lastClaimedNotification: try row.number(as: .sequence), epoch: try row.int64(),
            versions: versions)
    }
}

extension EnvironmentVersion {
    fileprivate init(row: inout Row) throws {
        self.init(
            digest: try row.text(), fingerprint: try row.text(), source: try row.bytes(),
            deployedAt: try row.instant(), sequence: try row.optionalInt64(),
            author: try row.text(), application: try ApplicationName(row: &row),
            fill: try row.fill(), followsBack: try row.flag())
    }
}
