package import SyncEngine

extension PostgresDatabase {
    package func commit<Result: Sendable>(
        _ need: Need, reading request: PageRequest?,
        wanting:
            @escaping @Sendable ([String: StoredRecord]) throws(StoreError) -> Set<UniqueValue>,
        deciding: @escaping @Sendable (Facts) throws(StoreError) -> (Writes, Result)
    ) async throws(StoreError) -> Committed<Result> {
        try await commits.commit(
            need, reading: request, on: self, wanting: wanting, deciding: deciding)
    }
}
