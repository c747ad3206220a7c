import GRDB
import SyncEngine

/// What is named by its record now stays named, whatever else is said of it.
func write(
    _ links: [RecordLink], former: [RecordLink], ended: [RecordLink],
    in environment: EnvironmentID, _ db: Database
) throws {
    let end = try db.cachedStatement(
        sql: "DELETE FROM links WHERE environment = ? AND source = ? AND target = ?")
    for link in ended {
        try end.execute(arguments: [environment.number, link.source, link.target])
    }
    try put(former, isCurrent: false, in: environment, db)
    try put(links, isCurrent: true, in: environment, db)
}

private func put(
    _ links: [RecordLink], isCurrent: Bool, in environment: EnvironmentID, _ db: Database
) throws {
    let statement = try db.cachedStatement(
        sql: """
            INSERT INTO links (environment, source, target, is_current) VALUES (?, ?, ?, ?)
            ON CONFLICT (environment, source, target)
                DO UPDATE SET is_current = excluded.is_current
            """)
    for link in links {
        try statement.execute(
            arguments: [environment.number, link.source, link.target, isCurrent])
    }
}
