package import Administration
package import SyncEngine

extension PostgresDatabase: DesignerChannel {
    package func tell(_ news: DesignerNews) async throws(StoreError) {
        _ = try await write { transaction in
            try transaction.rows(
                "SELECT pg_notify($1, $2)",
                [.text(PostgresListener.designers), .text(news.text)]
            ).count
        }
    }
}
