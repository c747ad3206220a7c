import SyncEngine

/// The tables. A released migration never changes; further changes take a new one.
enum PostgresSchema {
    /// The schema of the tables, so that other programs can share the database.
    static let name = "waggle"

    /// A database has the version of its last migration.
    static let migrations: [[String]] = [
        accounts + records + lists + files + bodies + notifications, recordsByCreation,
        stamps + names, accountChanges, tracelessOutcomes, deliveries,
        devices + conflictsByAuthor, refusals + deviceFiles, catalog + operators, drafts,
        refusedContents, epochs, accountCodes, erasures, signInTickets, sightChanges, fills,
        clients, foldedNames, waitingPushTokens, guestSources, accountTimes, userDays,
        followedNames, historyByRecord,
    ]

    /// Key of the advisory lock, unlikely to be used by other programs: "Wagl" in ASCII.
    private static let lockNumber: Int64 = 0x5761_676C

    /// Migrates the schema in one transaction under an advisory lock.
    static func bringUpToDate(_ connection: PGConnection, creating: Bool) throws {
        try checkServer(connection)
        let ending = PGTransaction.write(
            on: connection,
            { transaction in
                _ = try transaction.rows("SELECT pg_advisory_xact_lock($1)", [.integer(lockNumber)])
                let version = try version(creating: creating, transaction)
                guard version <= migrations.count else {
                    throw StoreError.unreadable(
                        "the database was written by a later version of waggle",
                        remedy: .laterWaggle)
                }
                for migration in migrations[version...] { try carryOut(migration, transaction) }
                if version < migrations.count {
                    _ = try transaction.rows(
                        "UPDATE migrations SET version = $1", [.integer(Int64(migrations.count))])
                }
            }, then: .nothing)
        switch ending {
        case .committed: break
        case .failed(let error): throw error
        // A retry sees whether the transaction has committed.
        case .unknown: throw Failure.lost("while the tables were made")
        }
    }

    private static func checkServer(_ connection: PGConnection) throws {
        let rows = try connection.exchange([
            Statement("SELECT current_setting('server_version_num')::bigint"),
            Statement("SELECT current_setting('server_encoding')"),
        ])
        var (version, encoding) = (rows[0].first, rows[1].first)
        // `pg_current_xact_id` needs PostgreSQL 13.
        guard let number = try version?.int64(), number >= 130_000 else {
            throw StoreError.unreadable(
                "the server is older than PostgreSQL 13", remedy: .otherDatabase)
        }
        guard try encoding?.text() == "UTF8" else {
            throw StoreError.unreadable(
                "the database does not store texts as UTF-8: create it with ENCODING 'UTF8'",
                remedy: .otherDatabase)
        }
    }

    /// Returns the number of migrations that have run; 0 for a new database.
    private static func version(
        creating: Bool, _ transaction: PGTransaction
    ) throws -> Int {
        let found = try transaction.rows(of: [
            Statement("SELECT 1 FROM pg_namespace WHERE nspname = $1", [.text(name)]),
            Statement("SELECT 1 FROM pg_tables WHERE schemaname = $1", [.text(name)]),
            Statement(
                "SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = 'migrations'",
                [.text(name)]),
        ])
        guard creating || found[1].count > 0 else {
            throw StoreError.unreadable(
                "there is nothing of waggle in it", remedy: .deployment)
        }
        if found[0].count == 0 { _ = try transaction.rows("CREATE SCHEMA \(name)") }
        if found[2].count == 0 {
            guard found[1].count == 0 else {
                throw StoreError.unreadable(
                    "the database has a schema '\(name)' of another program",
                    remedy: .otherDatabase)
            }
            _ = try transaction.rows("CREATE TABLE migrations (version bigint NOT NULL)")
            _ = try transaction.rows("INSERT INTO migrations VALUES (0)")
        }
        var row = try transaction.rows("SELECT version FROM migrations").first
        return try row?.int() ?? 0
    }

    private static func carryOut(_ migration: [String], _ transaction: PGTransaction) throws {
        for statement in migration { _ = try transaction.rows(statement) }
    }
}
