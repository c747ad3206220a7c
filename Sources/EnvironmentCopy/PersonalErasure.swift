package import SyncEngine

/// Erases what an environment stores of a person: the values, history, conflicts and files of the
/// records that the person owns, the account with its devices and outcomes, notifications and
/// refused data. The records become tombstones, so that devices drop them.
///
/// A repeat completes what was interrupted. Memory holds a page of rows.
package struct PersonalErasure {
    package typealias Database = Store & ErasureStore & CopyableStore

    private let engine: Engine
    private let store: any Database
    private static let recordsAtATime = 100
    private static let maxAttempts = 8

    /// `store` is the engine's own store.
    package init(engine: Engine, store: any Database) {
        self.engine = engine
        self.store = store
    }

    /// Erases the person, and returns the number of records. The person is listed first, so that
    /// an interrupted erasure is known. `login` is compared by its bytes.
    package func run(_ erasure: Erasure, at now: Instant) async throws -> Int {
        try await store.add(erasure, in: engine.environment)
        // Devices of the person push nothing from now on.
        try await store.forgetPerson(erasure.login, in: engine.environment)
        let snapshot = try await store.snapshot()
        let result: Result<Int, any Error>
        do {
            result = .success(try await eraseRecords(of: erasure, in: snapshot, at: now))
        } catch {
            result = .failure(error)
        }
        await snapshot.close()
        // Files that were loosened with the records.
        try await store.forgetPerson(erasure.login, in: engine.environment)
        return try result.get()
    }

    private func eraseRecords(
        of erasure: Erasure, in snapshot: any StoreSnapshot, at now: Instant
    ) async throws -> Int {
        var pages = RowPages(
            table: .records, environment: engine.environment, snapshot: snapshot,
            size: PageSize(most: Self.recordsAtATime), wrapped: CopyError.source)
        var count = 0
        while let page = try await pages.next() {
            let guids = page.rows.compactMap { row in
                owner(of: row) == .text(erasure.login) ? row.first?.text : nil
            }
            guard !guids.isEmpty else { continue }
            count += try await erase(guids, erasure, at: now)
        }
        return count
    }

    /// Returns the number of records. Devices that do not know of the erasure yet may bring a
    /// record back before its past is forgotten: then it is erased again.
    private func erase(
        _ guids: [String], _ erasure: Erasure, at now: Instant
    ) async throws -> Int {
        var left = guids
        for _ in 0..<Self.maxAttempts {
            let erased = try await engine.erase(
                left, of: erasure.login, by: erasure.author, at: now)
            left = try await store.redact(erased, in: engine.environment)
            if left.isEmpty { return guids.count }
        }
        throw SyncError.store(.busy)
    }

    private func owner(of row: EnvironmentRow) -> Cell? {
        zip(EnvironmentTable.records.columns, row).first { $0.0.name == "owner" }?.1
    }
}
