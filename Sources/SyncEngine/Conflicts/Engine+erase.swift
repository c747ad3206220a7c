import ChangeRules
import DefinitionModel
import JSON

extension Engine {
    /// Deletes records of a person with all their values, as a change that devices receive. Their
    /// history has an entry without values; `ErasureStore.redact` forgets the earlier ones.
    ///
    /// Records of others and records without values are left as they are, so a repeat does no harm.
    ///
    /// - Parameters:
    ///   - guids: At most as many as changes in a push.
    ///   - author: Named in the history.
    package func erase(
        _ guids: [String], of login: String, by author: String, at now: Instant
    ) async throws(SyncError) {
        let need = ReadSet(
            environment: environment, device: DeviceKey(login: author, deviceIdentifier: ""),
            changeIDs: [], guids: guids, baseRevisions: [:])
        let isDone = try await reading { () async throws(StoreError) in
            try await store.commit(need) { _ in
                []
            } deciding: { facts throws(StoreError) -> (WriteSet, Bool) in
                guard isCurrent(facts.fingerprint) else { return (WriteSet(), false) }
                var writes = WriteSet()
                writes.at = now
                for guid in guids.sorted() {
                    guard let record = facts.records[guid], record.owner.hasSameBytes(as: login),
                        !record.isErased
                    else { continue }
                    try erase(record, by: author, at: now, in: &writes)
                }
                return (writes, true)
            }
        }
        guard isDone else { throw .definitionChanged }
    }

    private func erase(
        _ record: StoredRecord, by author: String, at now: Instant, in writes: inout WriteSet
    ) throws(StoreError) {
        let fields = try JSONText.fields(record.fieldsText)
        var next = record
        next.revision += 1
        next.isDeleted = true
        next.isConflicted = false
        next.fieldsText = "{}"
        writes.records.append(next)
        writes.closedConflicts.append(record.guid)
        if let model = rules.definition.models.first(where: { $0.name == record.model }) {
            writes.freedValues += model.uniqueValues(in: fields).map {
                UniqueHolding(value: $0, guid: record.guid)
            }
        }
        writes.history.append(
            HistoryEntry(
                guid: record.guid, revision: next.revision, kind: .deleted, changeID: "",
                login: author, deviceCategory: "", deviceIdentifier: "", at: now,
                wasDeleted: record.isDeleted, fieldsText: "{}"))
    }
}

extension StoredRecord {
    fileprivate var isErased: Bool { isDeleted && !isConflicted && fieldsText == "{}" }
}
