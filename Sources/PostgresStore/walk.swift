import DefinitionModel
import SyncEngine

/// Calls `visit` with batches of records, until it returns false or no more follow. `statement`
/// reads at most `count` records after the last one. Returns false if `visit` did.
///
/// The first batch is small, since it may suffice. Later ones double, and shrink while records are
/// large.
func visitSome(
    _ transaction: Transaction, _ visit: ([FoundRecord]) throws -> Bool,
    statement: (_ last: FoundRecord?, _ count: Int64) -> Statement
) throws -> Bool {
    let (mostBytes, mostRecords) = (4 << 20, 512)
    var count = 32
    var last: FoundRecord?
    while true {
        let some = try transaction.rows(of: [statement(last, Int64(count))])[0]
            .map { try FoundRecord(row: &$0) }
        guard try visit(some) else { return false }
        guard some.count == count else { return true }
        last = some.last
        let bytes = some.reduce(0) { $0 + $1.record.fieldsText.utf8.count }
        count = bytes > mostBytes ? max(1, count / 2) : min(mostRecords, count * 2)
    }
}

/// Walks the records of a scope in the order of group, owner, creation and guid. The index contains
/// no other records. There are few groups, so each is looked up on its own.
func walk(
    _ plan: SearchPlan, _ transaction: Transaction, visit: ([FoundRecord]) throws -> Bool
) throws {
    try forEachRun(of: plan, transaction) { run in
        try visitSome(transaction, visit) { last, count in
            let rest = last.map { run.after($0) } ?? run
            return Statement(
                """
                SELECT \(Columns.found) FROM \(rest.source) ORDER BY owner, created, guid LIMIT $7
                """, rest.parameters(atMost: count))
        }
    }
}

/// Whether the scope has few records while a target has many links, so that walking the scope is
/// faster than following the links of the narrowing.
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
            "SELECT 1 FROM \(run.source) LIMIT $7", run.parameters(atMost: few + 1))
        count += Int64(rows.count)
        return count <= few
    }
    return count <= few
}

/// The records of a scope within one group, after an owner, a creation and a guid.
private struct Run {
    /// The text after `FROM`. The parameter `$7` is the maximum number of records.
    let source: String
    private let key: [Parameter]
    private var place = (owner: "", created: Int64(0), guid: "")
    private var others: [Parameter] = []

    /// Returns nil if the scope has no records in the group, or none after the plan's start.
    init?(inGroup group: String, of plan: SearchPlan) {
        key = [.integer(plan.environment.number), .text(plan.scope.model), .text(group)]
        if let start = plan.start, start.group.hasSameBytes(as: group) {
            place = (start.owner, start.created, start.guid)
        }
        let clause: String
        switch plan.scope.owners(inGroup: group) {
        case .nobody: return nil
        case .everybody: clause = "(owner, created, guid) > ($4, $5, $6)"
        case .allBut(let login):
            clause = "(owner, created, guid) > ($4, $5, $6) AND owner <> $8"
            others = [.text(login)]
        case .only(let login):
            guard ByteKey(login) >= ByteKey(place.owner) else { return nil }
            if !login.hasSameBytes(as: place.owner) { place = (login, 0, "") }
            // With `(owner, created, guid) >` as well, the planner would start at the owner's first
            // record.
            clause = "owner = $4 AND (created, guid) > ($5, $6)"
        }
        source = "\(scope) AND group_name = $3 AND \(clause)"
    }

    func after(_ found: FoundRecord) -> Run {
        var run = self
        run.place = (found.record.owner, found.created, found.record.guid)
        return run
    }

    func parameters(atMost count: Int64) -> [Parameter] {
        key + [.text(place.owner), .integer(place.created), .text(place.guid), .integer(count)]
            + others
    }
}

/// Calls `visit` with each run, until it returns false.
private func forEachRun(
    of plan: SearchPlan, _ transaction: Transaction, visit: (Run) throws -> Bool
) throws {
    var group = try nextGroup(of: plan, comparing: ">=", plan.start?.group ?? "", transaction)
    while let name = group {
        if let run = Run(inGroup: name, of: plan), try !visit(run) { return }
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
