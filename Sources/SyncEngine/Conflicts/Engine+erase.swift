import ChangeRules
import DefinitionModel
import JSON

extension Engine {
    /// Deletes records of a person with all their values, as a change that devices receive. Their
    /// history has an entry without values; `ErasureStore.redact` forgets the earlier ones.
    ///
    /// Records of others and records without values are left as they are, so a repeat does no harm.
    /// Returns the guids of the person's records, all of them without values now.
    ///
    /// - Parameters:
    ///   - guids: At most as many as changes in a push.
    ///   - author: Named in the history.
    package func erase(
        _ guids: [String], of login: String, by author: String, at now: Instant
    ) async throws(SyncError) -> [String] {
        let need = ReadSet(
            environment: environment, device: DeviceKey(login: author, deviceIdentifier: ""),
            changeIDs: [], guids: guids, baseRevisions: [:])
        let erased = try await reading { () async throws(StoreError) in
            try await store.commit(need) { _ in
                []
            } deciding: { facts throws(StoreError) -> (WriteSet, [String]?) in
                guard isCurrent(facts.fingerprint) else { return (WriteSet(), nil) }
                var writes = WriteSet()
                writes.at = now
                let records = guids.sorted().compactMap { facts.records[$0] }
                    .filter { $0.owner.hasSameBytes(as: login) }
                for record in records where !record.isErased {
                    try erase(record, by: author, at: now, in: &writes)
                }
                return (writes, records.map(\.guid))
            }
        }
        guard let erased else { throw .definitionChanged }
        return erased
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
    /// Whether nothing is left of the record but its deletion.
    package var isErased: Bool { isDeleted && !isConflicted && fieldsText == "{}" }

    /// Whether the record was erased with its person, as its history tells. Then no edit brings it
    /// back: it would have the values that a device still holds.
    package func wasErased(by history: [HistoryEntry]?) -> Bool {
        isErased && history?.last { $0.kind.tookEffect }?.isErasure ?? false
    }
}

extension HistoryEntry {
    /// Whether an operator erased the record. Every other deletion is a change with an id.
    fileprivate var isErasure: Bool { kind == .deleted && changeID.isEmpty }
}
