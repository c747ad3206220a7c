import GRDB

// Read transactions use direct SQLite calls: GRDB's overhead takes ten times as long as SQLite, and
// each pull and each push has one. Write transactions are GRDB's, since many pushes share one.

/// Runs `body` in a read transaction, so that all its reads see one snapshot.
func atOneMoment<Value>(_ db: Database, _ body: () throws -> Value) throws -> Value {
    try run("BEGIN", db)
    // Nothing was written, so both have the same effect. ROLLBACK also works for a cancelled task.
    defer {
        try? run("COMMIT", db)
        if db.isInsideTransaction { try? run("ROLLBACK", db) }
    }
    return try body()
}

private func run(_ sql: String, _ db: Database) throws {
    try RepeatedStatement(sql, db).run([])
}
