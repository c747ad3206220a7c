import SyncEngine

/// Adapts the stored records to a new version, and returns the number of renamed records.
///
/// Reads records in batches, which bounds the memory.
func carryOut(
    _ adaptation: Adaptation, in environment: EnvironmentID, _ transaction: Transaction
) throws -> Int {
    if adaptation.renewsHolders {
        _ = try transaction.rows(
            "DELETE FROM unique_values WHERE environment = $1", [.integer(environment.number)])
    }
    guard adaptation.readsRecords else { return 0 }
    var renamed = 0
    var repeated: [RepeatedField: Int] = [:]
    var last: Int64 = 0
    while true {
        let some = try records(after: last, in: environment, transaction)
        guard let end = some.last?.sequence else { break }
        last = end
        for (_, record) in some {
            let adapted = try adaptation.adapted(record)
            if adapted.record != record { renamed += 1 }
            try write(adapted, insteadOf: record, by: adaptation, in: environment, transaction)
            for value in adapted.uniqueValues {
                let holding = UniqueHolding(value: value, guid: record.guid)
                if try !takeIfFree(holding, in: environment, transaction) {
                    repeated[RepeatedField(model: value.model, name: value.field), default: 0] += 1
                }
            }
        }
    }
    guard repeated.isEmpty else { throw DeploymentRefusal(repeated) }
    return renamed
}

private struct RepeatedField: Hashable {
    let model: String
    let name: String
}

extension DeploymentRefusal {
    fileprivate init(_ repeated: [RepeatedField: Int]) {
        self = .valuesNotUnique(
            repeated.sorted { ($0.key.model, $0.key.name) < ($1.key.model, $1.key.name) }.map {
                RepeatedValues(model: $0.key.model, field: $0.key.name, records: $0.value)
            })
    }
}

private func records(
    after sequence: Int64, in environment: EnvironmentID, _ transaction: Transaction
) throws -> [(sequence: Int64, record: StoredRecord)] {
    let mostAtATime = 64
    return try transaction.rows(
        """
        SELECT sequence, \(Columns.record) FROM records
        WHERE environment = $1 AND sequence > $2 ORDER BY sequence LIMIT $3
        """,
        [
            .integer(environment.number), .integer(sequence), .integer(Int64(mostAtATime)),
        ]
    ).map { (try $0.int64(), try StoredRecord(row: &$0)) }
}

// MARK: - Renaming

/// Rewrites a record in place. Its sequence stays, since no user has changed it.
private func write(
    _ adapted: AdaptedRecord, insteadOf record: StoredRecord, by adaptation: Adaptation,
    in environment: EnvironmentID, _ transaction: Transaction
) throws {
    if adapted.record != record {
        _ = try transaction.rows(
            "UPDATE records SET model = $3, fields = $4 WHERE environment = $1 AND guid = $2",
            [
                .integer(environment.number), .text(record.guid), .text(adapted.record.model),
                .text(adapted.record.fieldsText),
            ])
    }
    if adapted.renamesFields {
        try rewriteHistory(of: record, by: adaptation, in: environment, transaction)
        try rewriteConflicts(of: record, by: adaptation, in: environment, transaction)
    }
}

private func rewriteHistory(
    of record: StoredRecord, by adaptation: Adaptation, in environment: EnvironmentID,
    _ transaction: Transaction
) throws {
    let entries = try transaction.rows(
        "SELECT id, fields FROM history WHERE environment = $1 AND guid = $2",
        [.integer(environment.number), .text(record.guid)]
    ).map { (id: try $0.int64(), text: try $0.text()) }
    let changed = try entries.compactMap { entry -> (id: Int64, text: String)? in
        let adapted = try adaptation.adaptedFields(entry.text, of: record.model)
        return adapted == entry.text ? nil : (entry.id, adapted)
    }
    guard !changed.isEmpty else { return }
    _ = try transaction.rows(
        """
        UPDATE history SET fields = adapted.fields
        FROM unnest($1::bigint[], $2::text[]) AS adapted (id, fields)
        WHERE history.id = adapted.id
        """, [.integers(changed.map(\.id)), .texts(changed.map(\.text))])
}

/// Rewrites open and closed conflicts.
private func rewriteConflicts(
    of record: StoredRecord, by adaptation: Adaptation, in environment: EnvironmentID,
    _ transaction: Transaction
) throws {
    let key: [Parameter] = [.integer(environment.number), .text(record.guid)]
    let conflicts = try transaction.rows(
        "SELECT revision, sides FROM conflicts WHERE environment = $1 AND guid = $2", key
    ).map { (revision: try $0.int64(), text: try $0.text()) }
    for (revision, text) in conflicts {
        let adapted = try adaptation.adaptedConflict(text, of: record.model)
        guard adapted != text else { continue }
        _ = try transaction.rows(
            """
            UPDATE conflicts SET sides = $4
            WHERE environment = $1 AND guid = $2 AND revision = $3
            """, key + [.integer(revision), .text(adapted)])
    }
}
