import Foundation
import GRDB
package import SyncEngine

/// The embedded default: everything of a server in one SQLite file.
///
/// One writer at a time, so sequences are in commit order by themselves; readers do not wait for it
/// (WAL). A commit has reached the disk when it is answered (`synchronous = FULL`), and those who
/// wait at the same time get there together. Several processes may have the file open, as a server
/// and `waggle user` do.
package struct SQLiteDatabase: Sendable {
    let pool: DatabasePool
    package let commits: CommitQueue
    let writing: WriterQueue
    let sessions: KnownSessions
    let near: NearReader
    let log: LogMover

    /// So long a connection waits for somebody else's lock, where it waits at all: whoever closes
    /// the file last has all of it to themselves, for a moment.
    static let lockSeconds = 5.0

    /// Pages that the writer keeps in memory, at most.
    private static let writerCacheKibibytes = 64 << 10

    /// Opens the file, or creates it, and brings its schema up to date.
    ///
    /// Throws `unreadable` for a file that is no database, not ours, damaged, not to be written, or
    /// written by a later Waggle; it is then left as it is.
    package init(path: String, commits limits: CommitLimits = CommitLimits()) throws(StoreError) {
        try self.init(path: path, commits: limits, log: LogPlan())
    }

    init(
        path: String, commits limits: CommitLimits = CommitLimits(), log plan: LogPlan
    ) throws(StoreError) {
        pool = try translating {
            try checkIsOurs(path)
            var configuration = Configuration()
            configuration.label = "waggle"
            configuration.busyMode = .timeout(Self.lockSeconds)
            configuration.foreignKeysEnabled = true
            let pool = try DatabasePool(path: path, configuration: configuration)
            // The pool itself sets NORMAL when it opens, which may lose the last commits.
            try pool.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = FULL")
                try FileHandle(forWritingAtPath: path + "-wal")?.synchronize()
                // What undoes a call alone needs no other place on the disk than this file.
                try db.execute(sql: "PRAGMA temp_store = MEMORY")
                // Guids are spread over all of an index: a push of many comes to as many pages of
                // it as it has records. They are read once for many pushes.
                try db.execute(sql: "PRAGMA cache_size = -\(Self.writerCacheKibibytes)")
            }
            try checkIsNotNewer(pool)
            try Schema.migrator.migrate(pool)
            return pool
        }
        commits = CommitQueue(limits: limits)
        writing = WriterQueue(pool: pool)
        sessions = try KnownSessions(path: path)
        near = NearReader(path: path)
        log = try translating { try LogMover(path: path, plan: plan) }
        pool.writeWithoutTransaction { log.follow($0) }
    }

    /// Ends every connection. Commits that are under way end first; those that wait, and later
    /// ones, fail. What was committed stays, all of it in the one file unless another process still
    /// uses it. A second call does nothing; nothing else may be called after it.
    package func close() throws(StoreError) {
        try translating {
            guard isOpen else { return }
            writing.close()
            sessions.close()
            try near.close()
            do {
                _ = try pool.writeWithoutTransaction { db in
                    try log.close(db)
                    try db.checkpoint(.truncate)
                }
            } catch DatabaseError.SQLITE_BUSY {
                // Who still uses the file moves the rest over.
            }
            try pool.close()
        }
    }

    /// Of a closed pool only reading says so; writing to it ends the process.
    private var isOpen: Bool { (try? pool.read { _ in }) != nil }

    package func checkHealth() async throws(StoreError) {
        try await read { try $0.execute(sql: "SELECT 1 FROM environments LIMIT 1") }
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        do {
            return try await pool.write(body)
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

/// Looks before anything is written: another program's file is left as it is.
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
        guard try mark == Schema.applicationID || isBlank(db) else {
            throw StoreError.unreadable("the file is a SQLite database of another program")
        }
    }
    try file.close()
}

/// Whether there is nothing in a file, or only the list of migrations without any. So it is when
/// whoever began to make it was killed: the list comes first, and the mark with a migration.
private func isBlank(_ db: Database) throws -> Bool {
    let list = "grdb_migrations"
    let others = try Int.fetchOne(
        db, sql: "SELECT count(*) FROM sqlite_master WHERE tbl_name <> ?", arguments: [list])
    guard others == 0 else { return false }
    return try !db.tableExists(list) || Int.fetchOne(db, sql: "SELECT count(*) FROM \(list)") == 0
}

/// That the file and the log beside it belong together, as far as that can be told. SQLite would
/// delete a log without a database.
private func checkIsWhole(_ path: String) throws {
    guard size(ofFile: path) > 0 || size(ofFile: path + "-wal") == 0 else {
        throw StoreError.unreadable(
            "it is missing or empty, and '\(path)-wal' beside it is not", remedy: .backup)
    }
    try checkWriteAheadLog(of: path)
}

/// What a process left that was killed has to be written too, but SQLite only says so when it has
/// something to write.
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
    guard try !pool.read(Schema.migrator.hasBeenSuperseded) else {
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
        default: self = .failed("\(error)")
        }
    }

    private init(_ error: DatabaseError) {
        switch error.extendedResultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy
        // A quota or a limit on the size of files gives the latter.
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
