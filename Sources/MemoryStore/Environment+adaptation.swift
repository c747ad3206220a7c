import DefinitionModel
import SyncEngine

extension Environment {
    /// Adapts the stored records to a new version. Returns the number of renamed records, and the
    /// unique fields of the new version in which several records have the same value.
    mutating func carryOut(
        _ adaptation: Adaptation
    ) throws(StoreError) -> (renamed: Int, repeated: [RepeatedValues]) {
        if adaptation.renewsHolders { holders = [:] }
        guard adaptation.readsRecords else { return (0, []) }
        var renamed = 0
        var repeated: [UniqueValue] = []
        for (key, record) in records.sorted(by: { $0.value.sequence < $1.value.sequence }) {
            let adapted = try adaptation.adapted(record.stored)
            if adapted.record != record.stored { renamed += 1 }
            records[key]?.stored = adapted.record
            if adapted.renamesFields { try adaptPast(of: record.stored, by: adaptation) }
            for value in adapted.uniqueValues {
                if holders[value] == nil {
                    holders[value] = record.stored.guid
                } else {
                    repeated.append(value)
                }
            }
        }
        return (renamed, counted(repeated))
    }

    /// Adapts a record's history and its conflicts, open and closed.
    private mutating func adaptPast(
        of record: StoredRecord, by adaptation: Adaptation
    ) throws(StoreError) {
        let key = ByteKey(record.guid)
        history[key] = try history[key]?.map { entry throws(StoreError) in
            entry.with(
                fieldsText: try adaptation.adaptedFields(entry.fieldsText, of: record.model))
        }
        conflicts[key] = try conflicts[key]?.map { conflict throws(StoreError) in
            let stored = conflict.stored
            let text = try adaptation.adaptedConflict(stored.text, of: record.model)
            return Conflict(
                stored: StoredConflict(
                    guid: stored.guid, revision: stored.revision, device: stored.device,
                    text: text),
                isOpen: conflict.isOpen)
        }
    }
}

/// Counts repeated values by model and field.
private func counted(_ repeated: [UniqueValue]) -> [RepeatedValues] {
    let fields = Dictionary(grouping: repeated) { [$0.model, $0.field] }.values
    return fields.map {
        RepeatedValues(model: $0[0].model, field: $0[0].field, records: $0.count)
    }.sorted { ($0.model, $0.field) < ($1.model, $1.field) }
}

extension HistoryEntry {
    fileprivate func with(fieldsText: String) -> HistoryEntry {
        HistoryEntry(
            guid: guid, revision: revision, kind: kind, changeID: changeID, login: login,
            deviceCategory: deviceCategory, deviceIdentifier: deviceIdentifier, at: at,
            wasDeleted: wasDeleted, fieldsText: fieldsText)
    }
}
