import NativeCalls
import SQLiteStore
package import SyncEngine

extension TestBench {
    /// The stored record.
    package func stored(_ guid: String) async throws -> StoredRecord? {
        try await facts(of: guid).records[guid]
    }

    /// The history of a record, oldest first.
    package func history(of guid: String) async throws -> [HistoryEntry] {
        try await facts(of: guid).history[guid] ?? []
    }

    /// The guids of the records with these values.
    package func holders(of values: Set<UniqueValue>) async throws -> [UniqueValue: String] {
        try await facts(of: guid(0), holdersOf: values).holders
    }

    /// The facts for a batch with a base before the record's creation.
    private func facts(
        of guid: String, holdersOf values: Set<UniqueValue> = []
    ) async throws -> Facts {
        let need = ReadSet(
            environment: engine.environment,
            device: DeviceKey(login: "reader", deviceIdentifier: "desk"), changeIDs: [],
            guids: [guid], baseRevisions: [guid: 0])
        return try await store.commit(need) { _ in
            values
        } deciding: { facts throws(StoreError) in
            (WriteSet(), facts)
        }
    }
}
