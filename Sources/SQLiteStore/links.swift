import GRDB
import SyncEngine

/// Writes links. A link that is also listed as former or ended stays current.
func write(
    _ links: [RecordLink], former: [RecordLink], ended: [RecordLink],
    in environment: EnvironmentID, _ db: Database
) throws {
    try end(ended, in: environment, db)
    try put(former, isCurrent: false, in: environment, db)
    try put(links, isCurrent: true, in: environment, db)
}

private func end(
    _ links: [RecordLink], in environment: EnvironmentID, _ db: Database
) throws {
    guard !links.isEmpty else { return }
    let statement = try RepeatedStatement(
        "DELETE FROM links WHERE origin = \(originOfRecord) AND target = ?", db)
    for link in links {
        try statement.run([.integer(environment.number), .text(link.source), .text(link.target)])
    }
}

private let insertionOfLink = """
    INSERT INTO links (origin, environment, source, target, is_current)
    VALUES (\(originOfRecord), ?1, ?2, ?, ?)
    ON CONFLICT (origin, target) DO UPDATE SET is_current = excluded.is_current
    """

private func put(
    _ links: [RecordLink], isCurrent: Bool, in environment: EnvironmentID, _ db: Database
) throws {
    guard !links.isEmpty else { return }
    let statement = try RepeatedStatement(insertionOfLink, db)
    for link in links {
        try statement.run([
            .integer(environment.number), .text(link.source), .text(link.target),
            .flag(isCurrent),
        ])
    }
}
