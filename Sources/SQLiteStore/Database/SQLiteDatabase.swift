import Foundation
import GRDB
package import SyncEngine

/// A store in one SQLite file, the embedded default.
///
/// There is one writer at a time, so sequences are in commit order; readers do not wait for it
/// (WAL). A commit is durable when it returns (`synchronous = FULL`), and calls that wait at the
/// same time share one. Nothing is written once the file is no longer at its path. Several
/// processes may have the file open, such as a server and `waggle user`.
package struct SQLiteDatabase: Sendable {
    let pool: DatabasePool
    package let commits: CommitQueue
    let writing: WriterQueue
    let accounts: AccountsReader
    let sessions = SessionCache()
    let inlineReader: InlineReader
    let log: WALCheckpointer

    /// Time in seconds that a connection waits for a lock, where it waits at all. The last process
    /// to close the file holds an exclusive lock for a moment.
    static let lockSeconds = 5.0

    /// Size of the writer's page cache.
    private static let writerCacheKibibytes = 64 << 10

    /// Opens or creates the file, and migrates its schema.
    ///
    /// Throws `unreadable`, and leaves the file as it is, if it is not a database, not Waggle's,
    /// damaged, not writable, or written by a later version of Waggle.
    ///
    /// - Parameter observer: Counts what is done with the database; nil if nobody does.
    package init(
        path: String, commits limits: CommitLimits = CommitLimits(),
        observer: (any EngineObserver)? = nil
    ) throws(StoreError) {
        try self.init(path: path, commits: limits, observer: observer, log: LogPlan())
    }

    init(
        path: String, commits limits: CommitLimits = CommitLimits(),
        observer: (any EngineObserver)? = nil, log plan: LogPlan
    ) throws(StoreError) {
        pool = try translating {
            try checkIsOurs(path)
            var configuration = Configuration()
            configuration.label = "waggle"
            configuration.busyMode = .timeout(Self.lockSeconds)
            configuration.foreignKeysEnabled = true
            let pool = try DatabasePool(path: path, configuration: configuration)
            // GRDB's pool sets NORMAL, which may lose the last commits on a loss of power.
            try pool.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = FULL")
                try FileHandle(forWritingAtPath: path + "-wal")?.synchronize()
                // Keep statement journals in memory, so that no temporary file is needed.
                try db.execute(sql: "PRAGMA temp_store = MEMORY")
                // Guids are spread over the whole index: a push touches about as many of its pages
                // as it has records. The cache keeps them between pushes.
                try db.execute(sql: "PRAGMA cache_size = -\(Self.writerCacheKibibytes)")
            }
            try checkIsNotNewer(pool)
            try SQLiteSchema.migrator.migrate(pool)
            return pool
        }
        commits = CommitQueue(limits: limits, observer: observer)
        writing = WriterQueue(pool: pool)
        accounts = try AccountsReader(path: path)
        inlineReader = InlineReader(path: path)
        log = try translating { try WALCheckpointer(path: path, plan: plan) }
        pool.writeWithoutTransaction { log.follow($0) }
    }

    /// Closes every connection. Running commits finish; queued and later ones fail. Committed data
    /// is in the one file unless another process still uses it. A second call does nothing; no
    /// other call may follow.
    package func close() throws(StoreError) {
        try translating {
            guard isOpen else { return }
            writing.close()
            accounts.close()
            try inlineReader.close()
            do {
                _ = try pool.writeWithoutTransaction { db in
                    try log.close(db)
                    try db.checkpoint(.truncate)
                }
            } catch DatabaseError.SQLITE_BUSY {
                // The process that still uses the file checkpoints the rest.
            }
            try pool.close()
        }
    }

    /// Checked by a read, since a write to a closed pool traps.
    private var isOpen: Bool { (try? pool.read { _ in }) != nil }

    package func checkHealth() async throws(StoreError) {
        // The readers of the pool may have much to do.
        if accounts.isReadable() { return }
        try await read { db in
            try checkIsInPlace(db)
            try db.execute(sql: "SELECT 1 FROM environments LIMIT 1")
        }
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        do {
            return try await pool.write { db in
                let value = try body(db)
                try checkIsInPlace(db)
                return value
            }
        } catch {
            throw StoreError(error)
        }
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        do {
            return try await pool.unsafeRead { db in try atOneMoment(db) { try body(db) } }
        } catch {
            throw StoreError(error)
        }
    }
}

/// Checks the file before anything is written, so that another program's file is left as it is.
private func checkIsOurs(_ path: String) throws {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    guard !isFolder.boolValue else { throw StoreError.unreadable("it is a folder") }
    try checkIsWhole(path)
    guard exists else { return }
    try checkIsWritable(path)
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(SQLiteDatabase.lockSeconds)
    let file = try DatabaseQueue(path: path, configuration: configuration)
    try file.read { db in
        let mark = try Int64.fetchOne(db, sql: "PRAGMA application_id")
        guard try mark == SQLiteSchema.applicationID || isBlank(db) else {
            throw StoreError.unreadable("the file is a SQLite database of another program")
        }
    }
    try file.close()
}

/// Whether the file is empty or contains only an empty list of migrations. A process that is killed
/// while it creates the file leaves this state: the list comes first, and a migration sets the
/// application id.
private func isBlank(_ db: Database) throws -> Bool {
    let list = "grdb_migrations"
    let others = try Int.fetchOne(
        db, sql: "SELECT count(*) FROM sqlite_master WHERE tbl_name <> ?", arguments: [list])
    guard others == 0 else { return false }
    return try !db.tableExists(list) || Int.fetchOne(db, sql: "SELECT count(*) FROM \(list)") == 0
}

/// Checks that the file and its log belong together, as far as that is detectable. SQLite would
/// delete a log without a database.
private func checkIsWhole(_ path: String) throws {
    guard size(ofFile: path) > 0 || size(ofFile: path + "-wal") == 0 else {
        throw StoreError.unreadable(
            "it is missing or empty, and '\(path)-wal' beside it is not", remedy: .backup)
    }
    try checkWriteAheadLog(of: path)
}

/// Checks all files that a killed process may have left. SQLite reports one that cannot be written
/// only when it has something to write.
private func checkIsWritable(_ path: String) throws {
    let files = FileManager.default
    guard files.isWritableFile(atPath: path) else { throw StoreError.notWritable }
    for file in [path + "-wal", path + "-shm"] where files.fileExists(atPath: file) {
        guard files.isWritableFile(atPath: file) else {
            throw StoreError.unreadable(
                "'\(file)' beside it cannot be written", remedy: .permission)
        }
    }
}

private func size(ofFile path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.size] as? Int ?? 0
}

private func checkIsNotNewer(_ pool: DatabasePool) throws {
    guard try !pool.read(SQLiteSchema.migrator.hasBeenSuperseded) else {
        throw StoreError.unreadable(
            "the file was written by a later version of waggle", remedy: .laterWaggle)
    }
}

func translating<Value>(_ body: () throws -> Value) throws(StoreError) -> Value {
    do {
        return try body()
    } catch {
        throw StoreError(error)
    }
}

extension StoreError {
    init(_ error: any Error) {
        switch error {
        case let error as StoreError: self = error
        case let error as DatabaseError: self.init(error)
        case let error as RowDecodingError: self.init(error)
        case is CancellationError: self = .cancelled
        default: self = .failed("\(error)")
        }
    }

    private init(_ error: DatabaseError) {
        switch error.extendedResultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy
        // A quota or a limit on file sizes leads to the latter codes.
        case .SQLITE_FULL, .SQLITE_IOERR_WRITE, .SQLITE_IOERR_SHMSIZE, .SQLITE_IOERR_TRUNCATE:
            self = .outOfSpace
        case .SQLITE_NOTADB: self = .unreadable("the file is no SQLite database")
        case .SQLITE_CORRUPT:
            self = .unreadable(
                "the file is damaged: \(error.message ?? error.description)", remedy: .backup)
        case .SQLITE_CANTOPEN: self = .unreadable("the file cannot be opened or created")
        case .SQLITE_READONLY, .SQLITE_PERM: self = .notWritable
        default: self = .failed(error.description)
        }
    }

    static let closed = failed("the database is closed")
    static let notWritable = unreadable("the file cannot be written", remedy: .permission)
}
