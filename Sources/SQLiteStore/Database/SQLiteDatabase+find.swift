import GRDB
package import SyncEngine

extension SQLiteDatabase {
    package func find(_ search: Search) async throws(StoreError) -> Searched {
        try await read { db in
            var search = search
            try candidates(of: search.plan, db) { found in
                try consider(found, in: &search, db)
                return !search.isDone
            }
            var choice = search.choice
            let environment = search.plan.environment
            for guid in choice?.guids ?? [] where choice?.isFull == false {
                guard let record = try found(guid, in: environment, db)?.record else { continue }
                try choice?.take(
                    record,
                    conflicts: record.isConflicted
                        ? try openConflicts(of: guid, in: environment, db) : [])
            }
            return Searched(
                fingerprint: try currentFingerprint(of: environment, db), choice: choice)
        }
    }
}

private func consider(
    _ record: FoundRecord, in search: inout Search, _ db: Database
) throws {
    guard let candidate = try search.candidate(record) else { return }
    var wanted: [String: StoredRecord] = [:]
    for guid in candidate.wanted {
        wanted[guid] = try found(guid, in: search.plan.environment, db)?.record
    }
    try search.consider(candidate, with: wanted)
}

/// Calls `visit` with each candidate, until it returns false.
private func candidates(
    of plan: SearchPlan, _ db: Database, visit: (FoundRecord) throws -> Bool
) throws {
    guard let narrowing = plan.narrowing, try !isScopeLess(than: narrowing, in: plan, db) else {
        return try walk(plan, db, visit: visit)
    }
    for guid in narrowing.guids {
        if let found = try found(guid, in: plan.environment, db), try !visit(found) { return }
    }
    if !narrowing.values.isEmpty {
        guard try visitHolders(of: narrowing.values, in: plan, db, visit) else { return }
    }
    for target in narrowing.targets {
        guard try visitRecords(naming: target, in: plan, db, visit) else { return }
    }
}

// MARK: - Narrowed search

private func found(
    _ guid: String, in environment: EnvironmentID, _ db: Database
) throws -> FoundRecord? {
    let statement = try db.cachedStatement(
        sql: "SELECT \(FoundRecord.columns) FROM records WHERE environment = ? AND guid = ?")
    return try Row.fetchOne(statement, arguments: [environment.number, guid])
        .map(FoundRecord.init(row:))
}

/// Visits the records with one of the values. A deleted record in conflict has a value without
/// being its registered holder.
private func visitHolders(
    of values: [UniqueValue], in plan: SearchPlan, _ db: Database,
    _ visit: (FoundRecord) throws -> Bool
) throws -> Bool {
    let holders = try values.compactMap { try holder(of: $0, in: plan.environment, db) }
    for guid in Set(holders).sorted() {
        guard let found = try found(guid, in: plan.environment, db) else { continue }
        guard try visit(found) else { return false }
    }
    let statement = try db.cachedStatement(
        sql: """
            SELECT \(FoundRecord.columns) FROM records INDEXED BY records_disputed
            WHERE environment = ? AND model = ? AND is_deleted AND is_conflicted
            """)
    let rows = try Row.fetchCursor(
        statement, arguments: [plan.environment.number, plan.scope.model])
    while let row = try rows.next() {
        guard try visit(try FoundRecord(row: row)) else { return false }
    }
    return true
}

private func visitRecords(
    naming target: String, in plan: SearchPlan, _ db: Database,
    _ visit: (FoundRecord) throws -> Bool
) throws -> Bool {
    let statement = try db.cachedStatement(
        sql: "SELECT source FROM links WHERE environment = ? AND target = ?")
    let sources = try String.fetchCursor(
        statement, arguments: [plan.environment.number, target])
    while let source = try sources.next() {
        guard let found = try found(source, in: plan.environment, db) else { continue }
        guard try visit(found) else { return false }
    }
    return true
}
