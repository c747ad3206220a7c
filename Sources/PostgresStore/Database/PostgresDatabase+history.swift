import ChangeRules
import DefinitionModel
package import SyncEngine

extension PostgresDatabase {
    package func history(
        _ request: HistoryRequest
    ) async throws(StoreError) -> RecordHistory? {
        try await read { transaction in
            let found = try transaction.rows(of: [
                currentState(of: request.environment),
                records(of: [request.guid], in: request.environment),
                ownershipChanges(of: [request.guid], after: 0, in: request.environment),
                entries(for: request),
            ])
            guard let record = try byGuid(found[1])[ByteKey(request.guid)] else { return nil }
            var total = 0
            let page = try found[3].map { row in
                total = try row.int()
                return (number: try row.number(as: .sequence), entry: try HistoryEntry(row: &row))
            }.prefix(request.limit)
            return RecordHistory(
                fingerprint: try CurrentState(found[0]).fingerprint, record: record,
                ownershipChanges: try allByText(found[2]) { try OwnershipChange(row: &$0) }[
                    ByteKey(request.guid)] ?? [],
                entries: page.map(\.entry), numbers: page.map(\.number),
                hasMore: total > page.count)
        }
    }

    package func openConflictCount(
        in environment: EnvironmentID
    ) async throws(StoreError) -> Int {
        try await ask { transaction in
            var row = try transaction.rows(
                "SELECT count(*) FROM conflicts WHERE environment = $1 AND is_open",
                [.integer(environment.number)]
            ).first
            return try row?.int() ?? 0
        }
    }

    package func openConflictsByModel(
        in environment: EnvironmentID
    ) async throws(StoreError) -> [ModelConflicts] {
        try await ask { transaction in
            try transaction.rows(
                """
                SELECT model, count(*) FROM conflicts JOIN records USING (environment, guid)
                WHERE environment = $1 AND is_open GROUP BY model ORDER BY model
                """, [.integer(environment.number)]
            ).map { ModelConflicts(model: try $0.text(), count: try $0.int()) }
        }
    }

    package func conflicted(
        _ request: ConflictedRequest
    ) async throws(StoreError) -> ConflictedPage {
        try await read { transaction in
            let found = try transaction.rows(of: [
                currentState(of: request.environment), conflictedRecords(for: request),
            ])
            var total = 0
            let all = try found[1].map { row in
                total = try row.int()
                return try StoredRecord(row: &row)
            }
            let disputed = Disputed(of: all, limit: request.maxBytes)
            let open = try allByText(
                try transaction.rows(of: [openConflicts(of: disputed, in: request.environment)])[0]
            ) { try StoredConflict(row: &$0) }
            var records: [StoredRecord] = []
            var conflicts: [String: [StoredConflict]] = [:]
            var bytes = 0
            for record in all where records.count < request.limit && bytes < request.maxBytes {
                let own = open[ByteKey(record.guid)] ?? []
                conflicts[record.guid] = own
                bytes += own.reduce(record.fieldsText.utf8.count) { $0 + $1.text.utf8.count }
                records.append(record)
            }
            return ConflictedPage(
                fingerprint: try CurrentState(found[0]).fingerprint, records: records,
                conflicts: conflicts, bytes: bytes, hasMore: total > records.count)
        }
    }
}

/// Reads the newest entries, until their texts reach the limit in bytes. The size of a text is
/// known without reading it. The first column is the number of entries without that limit, which is
/// one more than requested if there are so many, and the second one is the entry's number.
private func entries(for request: HistoryRequest) -> Statement {
    Statement(
        """
        SELECT total, id, \(Columns.entry) FROM (
            SELECT *, count(*) OVER () AS total,
                sum(octet_length(fields)) OVER (ORDER BY id DESC) - octet_length(fields) AS before
            FROM (SELECT id, \(Columns.entry) FROM history
                WHERE environment = $1 AND guid = $2 AND id < $3
                ORDER BY id DESC LIMIT $4) AS next) AS measured
        WHERE before < $5 ORDER BY id DESC
        """,
        [
            .integer(request.environment.number), .text(request.guid),
            .integer(request.before ?? .max), .integer(Int64(request.limit) + 1),
            .integer(Int64(max(1, request.maxBytes))),
        ])
}

/// Reads records in the order of model and guid, until their fields reach the limit in bytes. The
/// first column is their number without that limit, which is one more than requested if there are
/// so many.
private func conflictedRecords(for request: ConflictedRequest) -> Statement {
    Statement(
        """
        SELECT total, \(Columns.record) FROM (
            SELECT *, count(*) OVER () AS total,
                sum(octet_length(fields)) OVER (ORDER BY model, guid) - octet_length(fields)
                    AS before
            FROM (SELECT \(Columns.record) FROM records
                WHERE environment = $1 AND is_conflicted AND ($2::text IS NULL OR model = $2)
                    AND ($3 OR guid = ANY ($4)) AND (model, guid) > ($5, $6)
                ORDER BY model, guid LIMIT $7) AS next) AS measured
        WHERE before < $8 ORDER BY model, guid
        """,
        [
            .integer(request.environment.number), .text(request.model),
            .flag(request.guids == nil), .texts(request.guids ?? []),
            .text(request.after?.model ?? ""), .text(request.after?.guid ?? ""),
            .integer(Int64(request.limit) + 1), .integer(Int64(max(1, request.maxBytes))),
        ])
}
