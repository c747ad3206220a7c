import GRDB
import GRDBSQLite
import SyncEngine

// Read transactions use direct SQLite calls: GRDB's overhead takes ten times as long as SQLite, and
// each pull and each push has one. Write transactions run through GRDB, which observes them, by
// cached statements: GRDB's own would be compiled anew for each push.

/// Runs `body` in a write transaction. Rolls back if it throws, or if the commit fails.
func inWriteTransaction<Value>(_ db: Database, _ body: () throws -> Value) throws -> Value {
    try db.cachedStatement(sql: "BEGIN IMMEDIATE").execute()
    do {
        let value = try body()
        try checkIsInPlace(db)
        try db.cachedStatement(sql: "COMMIT").execute()
        return value
    } catch {
        // SQLite has rolled back already after some errors.
        try? db.rollback()
        throw error
    }
}

/// Throws if the file is no longer at its path: whatever is written would be lost.
func checkIsInPlace(_ db: Database) throws {
    guard isInPlace(db.sqliteConnection) else {
        throw StoreError.unreadable(
            "the file was deleted, moved or replaced while it was open", remedy: .restart)
    }
}

/// Whether the file at the path is the one that was opened. Asks the system, and reads nothing.
func isInPlace(_ database: SQLiteConnection?) -> Bool {
    var hasMoved: Int32 = 0
    let code = sqlite3_file_control(database, nil, SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return code == SQLITE_OK && hasMoved == 0
}

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
