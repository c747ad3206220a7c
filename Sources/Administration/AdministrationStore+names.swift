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

    /// Returns the number of the version that has a tag; nil if none has it, or the version that is
    /// to be added is in the catalog already and has it.
    package func holder(
        ofTag tag: String, otherThan version: EnvironmentVersion
    ) async throws(StoreError) -> Int64? {
        guard !tag.isEmpty, let holder = try await catalogVersion(tag: tag) else { return nil }
        let source = try await catalogSource(holder.number)
        let isSame = holder.fingerprint == version.fingerprint && source == version.source
        return isSame ? nil : holder.number
    }
}
