import GRDB
import SyncEngine

/// Adapts the stored records to a new version, and returns the number of renamed records.
///
/// It reads one record at a time, so memory is bounded by the largest record.
func carryOut(
    _ adaptation: Adaptation, in environment: EnvironmentID, _ db: Database
) throws -> Int {
    if adaptation.renewsHolders {
        try db.execute(
            sql: "DELETE FROM unique_values WHERE environment = ?",
            arguments: [environment.number])
    }
    guard adaptation.readsRecords else { return 0 }
    var renamed = 0
    var repeated: [RepeatedField: Int] = [:]
    var places = RowKey.after(0, in: environment)
    while let (place, record) = try firstRecord(in: places, db) {
        places = place + 1..<places.upperBound
        let adapted = try adaptation.adapted(record)
        if adapted.record != record {
            try rewrite(adapted.record, at: place, db)
            renamed += 1
        }
        if adapted.renamesFields {
            try rewriteHistory(of: record, by: adaptation, in: environment, db)
            try rewriteConflicts(of: record, by: adaptation, in: environment, db)
        }
        for value in adapted.uniqueValues {
            let holding = UniqueHolding(value: value, guid: record.guid)
            if try !takeIfFree(holding, in: environment, db) {
                repeated[RepeatedField(model: value.model, name: value.field), default: 0] += 1
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

private func firstRecord(
    in places: Range<Int64>, _ db: Database
) throws -> (place: Int64, record: StoredRecord)? {
    let statement = try db.cachedStatement(
        sql: """
            SELECT place, guid, model, owner, group_name, revision, is_deleted, is_conflicted,
                fields
            FROM records WHERE place >= ? AND place < ? ORDER BY place LIMIT 1
            """)
    let row = try Row.fetchOne(statement, arguments: [places.lowerBound, places.upperBound])
    return try row.map {
        (try $0.decode(Int64.self, forColumn: "place"), try StoredRecord(row: $0))
    }
}

// MARK: - Renaming

/// Rewrites a record in place. Its sequence stays, since no user has changed it.
private func rewrite(_ record: StoredRecord, at place: Int64, _ db: Database) throws {
    let statement = try db.cachedStatement(
        sql: "UPDATE records SET model = ?, fields = ? WHERE place = ?")
    try statement.execute(arguments: [record.model, record.fieldsText, place])
}

private func rewriteHistory(
    of record: StoredRecord, by adaptation: Adaptation, in environment: EnvironmentID,
    _ db: Database
) throws {
    let keys = try db.cachedStatement(
        sql: "SELECT id FROM history WHERE origin = \(originOfRecord)")
    let select = try db.cachedStatement(sql: "SELECT fields FROM history WHERE id = ?")
    let update = try db.cachedStatement(sql: "UPDATE history SET fields = ? WHERE id = ?")
    for id in try Int64.fetchAll(keys, arguments: [environment.number, record.guid]) {
        guard let text = try String.fetchOne(select, arguments: [id]) else { continue }
        let adapted = try adaptation.adaptedFields(text, of: record.model)
        if adapted != text { try update.execute(arguments: [adapted, id]) }
    }
}

/// Rewrites open and closed conflicts.
private func rewriteConflicts(
    of record: StoredRecord, by adaptation: Adaptation, in environment: EnvironmentID,
    _ db: Database
) throws {
    let conflict = "environment = ? AND guid = ? AND revision = ?"
    let keys = try db.cachedStatement(
        sql: "SELECT revision FROM conflicts WHERE environment = ? AND guid = ?")
    let select = try db.cachedStatement(sql: "SELECT sides FROM conflicts WHERE \(conflict)")
    let update = try db.cachedStatement(
        sql: "UPDATE conflicts SET sides = ? WHERE \(conflict)")
    for revision in try Int64.fetchAll(keys, arguments: [environment.number, record.guid]) {
        let key: StatementArguments = [environment.number, record.guid, revision]
        guard let text = try String.fetchOne(select, arguments: key) else { continue }
        let adapted = try adaptation.adaptedConflict(text, of: record.model)
        if adapted != text { try update.execute(arguments: [adapted] + key) }
    }
}
