import GRDB
import SyncEngine
import Testing

@testable import SQLiteStore

@Suite("A copy has every column") struct CopiedColumnsTests {
    /// The heads of environments are copied separately, the catalog is filled by their versions,
    /// and operators and row ids belong to the file.
    private let others: Set<String> = [
        "environments", "versions", "failed_sign_ins", "deliveries", "grdb_migrations",
        "sqlite_sequence", "catalog", "operators", "operator_sessions", "operator_setups",
        "operator_tokens", "activities", "drafts", "account_codes",
        "sign_in_tickets", "clients", "user_days", "waiting_push_tokens",
    ]

    @Test func everyColumnOfFileIsCopied() async throws {
        let test = try TestDatabase()
        let stored = try await test.database.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT tables.name || '.' || columns.name
                    FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
                    WHERE tables.type = 'table'
                        AND columns.name NOT IN ('environment', 'id', 'origin')
                    """)
        }.filter { column in !others.contains { column.hasPrefix("\($0).") } }
        let copied = EnvironmentTable.allCases.flatMap { table in
            table.columns.map { "\(table.rawValue).\($0.name)" }
        }
        #expect(
            Set(stored.map { $0 == "records.place" ? "records.sequence" : $0 }) == Set(copied))
    }
}
