package import SyncEngine

/// The rows that a call found which creates records.
package struct FoundByCreation: Equatable, Sendable {
    /// Revisions by guid.
    package var records: [String: Int64] = [:]
    /// Ids of changes.
    package var outcomes: Set<String> = []
    package var purgedGuids: Set<String> = []

    package init(
        records: [String: Int64] = [:], outcomes: Set<String> = [], purgedGuids: Set<String> = []
    ) {
        (self.records, self.outcomes) = (records, outcomes)
        self.purgedGuids = purgedGuids
    }
}

extension Store {
    /// Creates the records that are not there and were not purged, and decides the changes that
    /// have no outcome.
    ///
    /// - Parameters:
    ///   - created: The records that the call expects to be absent.
    ///   - areNew: Whether it expects the outcomes to be absent.
    package func create(
        _ guids: [String], expecting created: Set<String>, changes: [String], areNew: Bool,
        areTraceless: Bool = false, in environment: EnvironmentID
    ) async throws -> FoundByCreation {
        var need = ReadSet(
            environment: environment, device: .test, changeIDs: changes, guids: guids,
            baseRevisions: [:])
        (need.createdGuids, need.areChangesNew) = (created, areNew)
        return try await commit(need) { _ in
            []
        } deciding: { facts throws(StoreError) in
            var writes = WriteSet(
                records: guids.filter {
                    facts.records[$0] == nil && !facts.purgedGuids.contains($0)
                }.map { .test($0) })
            writes.outcomes = changes.filter { facts.outcomes[$0] == nil }.map {
                StoredOutcome(changeID: $0, text: "{}", isTraceless: areTraceless)
            }
            let found = FoundByCreation(
                records: facts.records.mapValues(\.revision),
                outcomes: Set(facts.outcomes.keys), purgedGuids: facts.purgedGuids)
            return (writes, found)
        }
    }
}
