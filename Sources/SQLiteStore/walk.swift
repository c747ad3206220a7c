import DefinitionModel
import GRDB
import SyncEngine

/// Walks the records of a scope in the order of group, owner, creation and guid. The index contains
/// no other records. There are few groups, so each is looked up on its own.
func walk(
    _ plan: SearchPlan, _ db: Database, visit: (FoundRecord) throws -> Bool
) throws {
    try forEachRun(of: plan, db) { run in
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(FoundRecord.columns) FROM \(run.source) ORDER BY owner, created, guid
                """)
        let rows = try Row.fetchCursor(statement, arguments: run.arguments)
        while let row = try rows.next() {
            guard try visit(try FoundRecord(row: row)) else { return false }
        }
        return true
    }
}

/// Whether the scope has few records while a target has many links, so that walking the scope is
/// faster than following the links of the narrowing.
func isScopeLess(
    than narrowing: Narrowing, in plan: SearchPlan, _ db: Database
) throws -> Bool {
    let few = 1000
    let links = try db.cachedStatement(
        sql: """
            SELECT count(*) FROM (
                SELECT 1 FROM links WHERE environment = ? AND target = ? LIMIT ?)
            """)
    let hasManyLinks = try narrowing.targets.contains { target in
        let count = try Int.fetchOne(
            links, arguments: [plan.environment.number, target, few + 1])
        return count ?? 0 > few
    }
    guard hasManyLinks else { return false }
    var count = 0
    try forEachRun(of: plan, db) { run in
        let statement = try db.cachedStatement(
            sql: "SELECT count(*) FROM (SELECT 1 FROM \(run.source) LIMIT ?)")
        count += try Int.fetchOne(statement, arguments: run.arguments + [few + 1]) ?? 0
        return count <= few
    }
    return count <= few
}

/// The records of a scope within one group.
private struct Run {
    /// The text after `FROM`; `arguments` has its values.
    let source: String
    let arguments: StatementArguments
}

/// Calls `visit` with each run, until it returns false.
private func forEachRun(
    of plan: SearchPlan, _ db: Database, visit: (Run) throws -> Bool
) throws {
    let first = try db.cachedStatement(sql: nextGroup(comparing: ">="))
    let next = try db.cachedStatement(sql: nextGroup(comparing: ">"))
    let key: StatementArguments = [plan.environment.number, plan.scope.model]
    var group = try String.fetchOne(first, arguments: key + [plan.start?.group ?? ""])
    while let name = group {
        if let run = Run(inGroup: name, of: plan), try !visit(run) { return }
        group = try String.fetchOne(next, arguments: key + [name])
    }
}

private func nextGroup(comparing comparison: String) -> String {
    """
    SELECT group_name FROM \(scope) AND group_name \(comparison) ?
    ORDER BY group_name LIMIT 1
    """
}

private let scope = """
    records INDEXED BY records_by_owner
    WHERE (NOT is_deleted OR is_conflicted) AND environment = ? AND model = ?
    """

extension Run {
    /// Returns nil if the scope has no records in the group, or none after the plan's start.
    fileprivate init?(inGroup group: String, of plan: SearchPlan) {
        let start = plan.start.flatMap { $0.group.hasSameBytes(as: group) ? $0 : nil }
        let owner = start?.owner ?? ""
        let (created, guid) = (start?.created ?? 0, start?.guid ?? "")
        let clause: String
        let rest: StatementArguments
        switch plan.scope.owners(inGroup: group) {
        case .nobody: return nil
        case .everybody:
            (clause, rest) = ("(owner, created, guid) > (?, ?, ?)", [owner, created, guid])
        case .allBut(let login):
            clause = "(owner, created, guid) > (?, ?, ?) AND owner <> ?"
            rest = [owner, created, guid, login]
        case .only(let login):
            guard ByteKey(login) >= ByteKey(owner) else { return nil }
            let (created, guid) = login.hasSameBytes(as: owner) ? (created, guid) : (0, "")
            (clause, rest) = ("owner = ? AND (created, guid) > (?, ?)", [login, created, guid])
        }
        source = "\(scope) AND group_name = ? AND \(clause)"
        arguments = [plan.environment.number, plan.scope.model, group] + rest
    }
}
