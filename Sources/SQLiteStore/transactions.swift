import GRDB

// By SQLite's own calls: what GRDB does around these takes ten times as long as SQLite takes for
// them, and there is one for each pull and one for each push. Transactions that write are GRDB's:
// many pushes share one.

/// What `body` reads is of one moment.
func atOneMoment<Value>(_ db: Database, _ body: () throws -> Value) throws -> Value {
    try run("BEGIN", db)
    // Nothing was written, so either is as good, and the latter is for whoever was cancelled.
    defer {
        try? run("COMMIT", db)
        if db.isInsideTransaction { try? run("ROLLBACK", db) }
    }
    return try body()
}

private func run(_ sql: String, _ db: Database) throws {
    try RepeatedStatement(sql, db).run([])
}
