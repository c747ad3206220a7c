import SyncEngine

/// Calls `visit` with some records at a time, until it says that it has seen enough, or until there
/// are no more. `statement` reads so many records at most, those after the last one. False when
/// enough was seen.
///
/// Few at first, since that may be enough, then more; fewer again where they are large.
func visitSome(
    _ transaction: Transaction, _ visit: ([StoredRecord]) throws -> Bool,
    statement: (_ last: StoredRecord?, _ count: Int64) -> Statement
) throws -> Bool {
    let (mostBytes, mostRecords) = (4 << 20, 512)
    var count = 32
    var last: StoredRecord?
    while true {
        let some = try transaction.rows(of: [statement(last, Int64(count))])[0]
            .map { try StoredRecord(row: &$0) }
        guard try visit(some) else { return false }
        guard some.count == count else { return true }
        last = some.last
        let bytes = some.reduce(0) { $0 + $1.fieldsText.utf8.count }
        count = bytes > mostBytes ? max(1, count / 2) : min(mostRecords, count * 2)
    }
}

/// Goes through the records of a scope in the order of group, owner and guid, by an index that has
/// no entries of others. There are few groups, so they are looked up one by one.
func walk(
    _ plan: SearchPlan, _ transaction: Transaction, visit: ([StoredRecord]) throws -> Bool
) throws {
    try forEachRun(of: plan, transaction) { run in
        try visitSome(transaction, visit) { last, count in
            let rest = last.map { run.after($0) } ?? run
            return Statement(
                "SELECT \(Columns.record) FROM \(rest.source) ORDER BY owner, guid LIMIT $7",
                rest.parameters + [.integer(count)])
        }
    }
}

/// Whether the scope has so few records that it is quicker to walk than to follow the many links to
/// the records that a narrowing names.
func isScopeLess(
    than narrowing: Narrowing, in plan: SearchPlan, _ transaction: Transaction
) throws -> Bool {
    let few: Int64 = 1000
    let hasManyLinks = try narrowing.targets.contains { target in
        let rows = try transaction.rows(
            "SELECT 1 FROM links WHERE environment = $1 AND target = $2 LIMIT $3",
            [.integer(plan.environment.number), .text(target), .integer(few + 1)])
        return rows.count > few
    }
    guard hasManyLinks else { return false }
    var count: Int64 = 0
    try forEachRun(of: plan, transaction) { run in
        let rows = try transaction.rows(
            "SELECT 1 FROM \(run.source) LIMIT $7", run.parameters + [.integer(few + 1)])
        count += Int64(rows.count)
        return count <= few
    }
    return count <= few
}

/// What of a scope's records is in one group, after an owner and a guid.
private struct Run {
    let plan: SearchPlan
    let group: String
    let owners: SearchScope.Owners
    var owner = ""
    var guid = ""

    func after(_ record: StoredRecord) -> Run {
        var run = self
        (run.owner, run.guid) = (record.owner, record.guid)
        return run
    }

    /// After `FROM`; its parameters are the first six.
    var source: String {
        let clause =
            switch owners {
            case .nobody: "false AND $6::text IS NULL"
            case .everybody: "$6::text IS NULL"
            case .allBut: "owner <> $6"
            case .only: "owner = $6"
            }
        return """
            \(scope) AND group_name = $3 AND (owner, guid) > ($4, $5) AND \(clause)
            """
    }

    var parameters: [Parameter] {
        let login: String? =
            switch owners {
            case .nobody, .everybody: nil
            case .allBut(let login), .only(let login): login
            }
        return [
            .integer(plan.environment.number), .text(plan.scope.model), .text(group),
            .text(owner), .text(guid), .text(login),
        ]
    }
}

/// Calls `visit` with each, until it says that it has seen enough.
private func forEachRun(
    of plan: SearchPlan, _ transaction: Transaction, visit: (Run) throws -> Bool
) throws {
    var group = try nextGroup(of: plan, comparing: ">=", plan.start?.group ?? "", transaction)
    while let name = group {
        let owners = plan.scope.owners(inGroup: name)
        var run = Run(plan: plan, group: name, owners: owners)
        if let start = plan.start, start.group.utf8.elementsEqual(name.utf8) {
            (run.owner, run.guid) = (start.owner, start.guid)
        }
        if owners != .nobody, try !visit(run) { return }
        group = try nextGroup(of: plan, comparing: ">", name, transaction)
    }
}

private func nextGroup(
    of plan: SearchPlan, comparing comparison: String, _ group: String, _ transaction: Transaction
) throws -> String? {
    try transaction.rows(
        """
        SELECT group_name FROM \(scope) AND group_name \(comparison) $3
        ORDER BY group_name LIMIT 1
        """, [.integer(plan.environment.number), .text(plan.scope.model), .text(group)]
    ).map { try $0.text() }.first
}

private let scope = """
    records WHERE (NOT is_deleted OR is_conflicted) AND environment = $1 AND model = $2
    """
