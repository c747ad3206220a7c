package import SyncEngine

extension AdministrationStore {
    /// Returns a version by number or tag; nil if there is none.
    package func catalogVersion(
        named name: String
    ) async throws(StoreError) -> CatalogVersion? {
        if let number = Int64(name) { return try await catalogVersion(number) }
        return try await catalogVersion(tag: name)
    }
}
