/// The part of a store that forgets persons. Every call is one transaction, as in `Store`.
package protocol ErasureStore: Sendable {
    /// Returns the persons whose data was erased, by login, after a login. Copies have them too.
    func erasures(
        in environment: EnvironmentID, after login: String, limit: Int
    ) async throws(StoreError) -> [Erasure]

    /// Adds an erasure. One of the same login replaces the earlier one.
    func add(_ erasure: Erasure, in environment: EnvironmentID) async throws(StoreError)

    /// Forgets the values of records that were erased: their history but the last entry, their
    /// conflicts and links. Files that only they name become loose.
    ///
    /// Somebody may have changed a record since it was erased. It stays as it is, and is returned.
    func redact(
        _ guids: [String], in environment: EnvironmentID
    ) async throws(StoreError) -> [String]

    /// Forgets what is stored of a person beside records: the user with sessions, devices,
    /// outcomes, push tokens and resets, failed sign-ins, refused data, also of others for records
    /// that the person owns, loose files, changes of the person's group, the notifications that the
    /// person sent, or that were for the person alone, and the person as owner of purged records.
    func forgetPerson(
        _ login: String, in environment: EnvironmentID
    ) async throws(StoreError)
}

extension ErasureStore {
    /// All persons whose data was erased, by login.
    package func erasures(
        in environment: EnvironmentID
    ) async throws(StoreError) -> [Erasure] {
        try await erasures(in: environment, after: "", limit: .max)
    }
}

/// The erasure of what an environment stored of a person.
package struct Erasure: Hashable, Sendable {
    package let login: String
    package let at: Instant
    /// The operator, as in the activity log.
    package let author: String

    package init(login: String, at: Instant, author: String) {
        self.login = login
        self.at = at
        self.author = author
    }
}
