import SyncEngine
import Testing

@testable import PostgresStore

@Suite("A copy has every column", .timeLimit(.minutes(20))) struct CopiedColumnsTests {
    /// The heads of environments and the contents of files are copied separately, the catalog is
    /// filled by the versions, and operators belong to the database.
    private let others: Set<String> = [
        "environments", "versions", "failed_sign_ins", "deliveries", "migrations", "bodies",
        "body_parts", "uploads", "contents", "catalog", "operators", "operator_sessions",
        "operator_setups", "operator_tokens", "activities", "drafts", "account_codes",
        "sign_in_tickets", "clients", "user_days", "waiting_push_tokens",
    ]

    @Test func everyColumnOfSchemaIsCopied() async throws {
        let store = try await TestServer().open()
        let text = try await store.text(
            """
            SELECT string_agg(table_name || '.' || column_name, ' ')
            FROM information_schema.columns
            WHERE table_schema = 'waggle' AND column_name NOT IN ('environment', 'id')
            """)
        let stored = (text ?? "").split(separator: " ").filter { column in
            !others.contains { column.hasPrefix("\($0).") }
        }
        let copied = EnvironmentTable.allCases.flatMap { table in
            table.columns.map { "\(table.rawValue).\($0.name)" }
        }
        #expect(Set(stored.map(String.init)) == Set(copied))
    }
}
