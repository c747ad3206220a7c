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

    /// Returns the number of the version that has a tag; nil if none has it, or `number`.
    package func holder(
        ofTag tag: String, otherThan number: Int64?
    ) async throws(StoreError) -> Int64? {
        guard !tag.isEmpty, let holder = try await catalogVersion(tag: tag) else { return nil }
        return holder.number == number ? nil : holder.number
    }
}
