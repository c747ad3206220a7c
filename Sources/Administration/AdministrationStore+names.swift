package import SyncEngine

extension AdministrationStore {
    /// Returns a version by number or tag; nil if there is none. The database is not asked for a
    /// text that can be neither.
    package func catalogVersion(
        named name: String
    ) async throws(StoreError) -> CatalogVersion? {
        if let number = Int64(name) { return try await catalogVersion(number) }
        guard isLegalLabel(tag: name) else { return nil }
        return try await catalogVersion(tag: name)
    }
}
