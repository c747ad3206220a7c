package import SyncEngine

extension PostgresDatabase {
    package func find(_ search: Search) async throws(StoreError) -> Searched {
        try await read { transaction in
            var search = search
            try candidates(of: search.plan, transaction) { some in
                try consider(some, in: &search, transaction)
                return !search.isDone
            }
            var choice = search.choice
            let environment = search.plan.environment
            for guid in choice?.guids ?? [] where choice?.isFull == false {
                let found = try byGuid(
                    transaction.rows(of: [records(of: [guid], in: environment)])[0])
                guard let record = found[guid] else { continue }
                try choice?.take(
                    record,
                    conflicts: record.isConflicted
                        ? try openConflicts(of: guid, in: environment, transaction) : [])
            }
            let state = try transaction.rows(of: [currentState(of: environment)])[0]
            return Searched(fingerprint: try CurrentState(state).fingerprint, choice: choice)
        }
    }
}

private func openConflicts(
    of guid: String, in environment: EnvironmentID, _ transaction: Transaction
) throws -> [StoredConflict] {
    try allByText(transaction.rows(of: [openConflicts(of: [guid], in: environment)])[0]) {
        try StoredConflict(row: &$0)
    }[guid] ?? []
}

/// Considers some records. Reads the related records of all of them at once.
private func consider(
    _ some: [FoundRecord], in search: inout Search, _ transaction: Transaction
) throws {
    let candidates = try some.compactMap { try search.candidate($0) }
    let wanted = Set(candidates.flatMap(\.wanted))
    let found =
        wanted.isEmpty
        ? ByBytes([])
        : try byGuid(
            transaction.rows(of: [records(of: Array(wanted), in: search.plan.environment)])[0])
    for candidate in candidates where !search.isDone {
        try search.consider(candidate, with: found.dictionary(of: candidate.wanted))
    }
}

/// Calls `visit` with batches of candidates, until it returns false.
private func candidates(
    of plan: SearchPlan, _ transaction: Transaction, visit: ([FoundRecord]) throws -> Bool
) throws {
    guard let narrowing = plan.narrowing, try !isScopeLess(than: narrowing, in: plan, transaction)
    else { return try walk(plan, transaction, visit: visit) }
    if !narrowing.guids.isEmpty {
        guard try visit(try found(narrowing.guids, in: plan, transaction)) else { return }
    }
    if !narrowing.values.isEmpty {
        guard try visitHolders(of: narrowing.values, in: plan, transaction, visit) else { return }
    }
    for target in narrowing.targets {
        guard try visitRecords(naming: target, in: plan, transaction, visit) else { return }
    }
}

// MARK: - Narrowed search

/// Returns the records in the order of the guids.
private func found(
    _ guids: [String], in plan: SearchPlan, _ transaction: Transaction
) throws -> [FoundRecord] {
    let rows = try transaction.rows(
        "SELECT \(Columns.found) FROM records WHERE environment = $1 AND guid = ANY ($2)",
        [.integer(plan.environment.number), .texts(guids)])
    let found = ByBytes(
        try rows.map { try FoundRecord(row: &$0) }.map { ($0.record.guid, $0) })
    return guids.compactMap { found[$0] }
}

/// Visits the records with one of the values. A deleted record in conflict has a value without
/// being its registered holder.
private func visitHolders(
    of values: [UniqueValue], in plan: SearchPlan, _ transaction: Transaction,
    _ visit: ([FoundRecord]) throws -> Bool
) throws -> Bool {
    let rows = try transaction.rows(of: [holders(of: values, in: plan.environment)])[0]
    let holders = try rows.map { row -> String in
        _ = try row.int()
        return try row.text()
    }
    guard try visit(try found(holders.sorted(), in: plan, transaction)) else {
        return false
    }
    return try visitSome(transaction, visit) { last, count in
        Statement(
            """
            SELECT \(Columns.found) FROM records
            WHERE environment = $1 AND model = $2 AND is_deleted AND is_conflicted
                AND guid > $3
            ORDER BY guid LIMIT $4
            """,
            [
                .integer(plan.environment.number), .text(plan.scope.model),
                .text(last?.record.guid ?? ""), .integer(count),
            ])
    }
}

private func visitRecords(
    naming target: String, in plan: SearchPlan, _ transaction: Transaction,
    _ visit: ([FoundRecord]) throws -> Bool
) throws -> Bool {
    try visitSome(transaction, visit) { last, count in
        Statement(
            """
            SELECT \(Columns.found)
            FROM links JOIN records ON records.environment = $1 AND guid = source
            WHERE links.environment = $1 AND target = $2 AND source > $3
            ORDER BY source LIMIT $4
            """,
            [
                .integer(plan.environment.number), .text(target),
                .text(last?.record.guid ?? ""), .integer(count),
            ])
    }
}
