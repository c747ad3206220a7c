import ChangeRules
import DefinitionModel
import JSON
import RecordSearch
import SyncEngine

/// The records that rows mean, and the ids of their changes.
extension ImportRun {
    /// Looks up what the opaque ids of the rows stand for.
    func identified(
        _ rows: ArraySlice<ImportedRow>
    ) async throws(SyncError) -> [IdentifiedRow] {
        let records = try await recordIDs(of: rows)
        return rows.map { row in
            let own = row.opaqueID.flatMap { records[row.model.name]?[ByteKey($0)] }
            var fields = row.fields
            for (field, related) in row.relatedIDs {
                let record = records[related.model]?[ByteKey(related.id)]
                fields[field] =
                    record.map { .value(.reference(guid: $0.guid)) } ?? .unreadable
            }
            return IdentifiedRow(
                row: row, guid: own?.guid ?? row.guid ?? row.id, name: own?.name,
                fields: fields)
        }
    }

    /// The records of the rows, by guid, also of deleted ones.
    func records(
        of rows: ArraySlice<IdentifiedRow>
    ) async throws(SyncError) -> [String: RecordView] {
        try await records(
            Dictionary(grouping: rows, by: \.row.model.name).mapValues { $0.map(\.guid) })
    }

    /// The guids of the deleted records to which rows refer.
    func deletedRecords(
        missedBy causes: some Sequence<Cause>
    ) async throws(SyncError) -> Set<String> {
        var guids: [String: [String]] = [:]
        for cause in causes {
            guard case .notFound(let guid, let model) = cause.reason else { continue }
            guids[model, default: []].append(guid)
        }
        return Set(try await records(guids).filter(\.value.isDeleted).keys)
    }

    /// - Parameter guids: By model.
    private func records(
        _ guids: [String: [String]]
    ) async throws(SyncError) -> [String: RecordView] {
        let caller = try await engine.operatorCaller(
            named: options.operatorName, device: Self.device)
        var found: [String: RecordView] = [:]
        for (model, guids) in guids {
            for some in guids.lists(of: Self.maxRows) {
                var query = FindQuery(
                    filter: .among(operand: "$guid", some.map { .string($0) }),
                    limit: Self.maxRows)
                query.includesDeleted = true
                repeat {
                    let page = try await engine.find(query, of: model, for: caller)
                    for record in page.records { found[record.guid] = record }
                    query.cursor = page.cursor
                } while query.cursor != nil
            }
        }
        return found
    }

    func changeID(_ action: ChangeAction, _ row: IdentifiedRow, base: Int64?) -> String {
        if row.row.isDeleted, action == .create { return "\(row.row.id)-created" }
        // A profile that the same row made may get related records that have come since.
        if keepsValues, action == .update { return "\(row.row.id)-\(base ?? 0)" }
        return row.row.id
    }

    /// The guids that ids stand for, with the id that is not its guid; by model and id.
    private func recordIDs(
        of rows: ArraySlice<ImportedRow>
    ) async throws(SyncError) -> [String: [ByteKey: (guid: String, name: String?)]] {
        var asked: [String: [String]] = [:]
        for row in rows {
            if let id = row.opaqueID { asked[row.model.name, default: []].append(id) }
            for related in row.relatedIDs.values {
                asked[related.model, default: []].append(related.id)
            }
        }
        var found: [String: [ByteKey: (guid: String, name: String?)]] = [:]
        for (model, ids) in asked {
            for (id, record) in zip(ids, try await engine.recordIDs(of: ids, in: model)) {
                guard let record else { continue }
                // An id in the form of a UUID is a name where a record of another model has that
                // guid: in a trial, also where an earlier row has made it.
                if isOfOtherModel(record, model),
                    let guid = engine.naming?.guid(of: id, in: model)
                {
                    found[model, default: [:]][ByteKey(id)] = (guid, id)
                } else {
                    found[model, default: [:]][ByteKey(id)] = (record.guid, record.name)
                }
            }
        }
        return found
    }

    private func isOfOtherModel(_ record: RecordID, _ model: String) -> Bool {
        options.isTrial && record.name == nil
            && trial.hasRecord(record.guid, ofOtherModelThan: model)
    }
}
