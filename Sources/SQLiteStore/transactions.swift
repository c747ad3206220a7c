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

/// Of a transaction, all that `body` writes, or nothing of that. The error is returned; it is
/// thrown when the whole transaction is lost with it, or has to be.
func inSavepoint<Value>(
    _ db: Database, _ body: () throws -> Value
) throws -> Result<Value, any Error> {
    try run("SAVEPOINT call", db)
    do {
        let value = try body()
        try run("RELEASE call", db)
        return .success(value)
    } catch {
        // A disk that fails, for one, has ended the transaction already.
        guard db.isInsideTransaction else { throw error }
        try run("ROLLBACK TO call", db)
        try run("RELEASE call", db)
        return .failure(error)
    }
}

private func run(_ sql: String, _ db: Database) throws {
    try RepeatedStatement(sql, db).run([])
}
