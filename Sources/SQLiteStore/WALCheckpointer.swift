import GRDB
import GRDBSQLite
import Synchronization

/// Checkpoints the write-ahead log concurrently with the writer.
///
/// By default, SQLite checkpoints the whole log in the commit that fills it, and every commit
/// behind it waits. Here a separate connection checkpoints while the writer continues. Frames that
/// are written meanwhile stay in the log, so the checkpoint runs again. The small remainder is
/// checkpointed between two commits; otherwise the log would never be reset.
///
/// A checkpoint starts only after a commit that has not been checkpointed, and nothing else in this
/// process checkpoints. So the writer cannot reset the log during a checkpoint, which versions of
/// SQLite before 3.51.3 do not support.
final class WALCheckpointer: Sendable {
    private let connection: DatabaseQueue
    private let plan: Mutex<LogPlan>
    /// Whether SQLite holds a reference to this object.
    private let isFollowing = Atomic(false)

    init(path: String, plan: LogPlan) throws {
        self.plan = Mutex(plan)
        var configuration = Configuration()
        configuration.label = "waggle-log"
        // Wait for locks only while opening.
        configuration.busyMode = .timeout(SQLiteDatabase.lockSeconds)
        connection = try DatabaseQueue(path: path, configuration: configuration)
        // Sync the log before a checkpoint, and the database before the log is reset.
        try connection.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA busy_timeout = 0")
        }
    }

    /// Installs a hook that SQLite calls after each commit of the connection, on its thread, in
    /// place of the automatic checkpoint.
    func follow(_ writer: Database) {
        isFollowing.store(true, ordering: .relaxed)
        sqlite3_wal_hook(
            writer.sqliteConnection,
            { checkpointer, _, _, pages in
                if let checkpointer {
                    Unmanaged<WALCheckpointer>.fromOpaque(checkpointer).takeUnretainedValue()
                        .committed(pages: Int(pages))
                }
                return SQLITE_OK
            },
            Unmanaged.passRetained(self).toOpaque())
    }

    /// Waits for a running checkpoint and stops. The writer must not write afterwards. A second
    /// call does nothing.
    func close(_ writer: Database) throws {
        sqlite3_wal_hook(writer.sqliteConnection, nil, nil)
        try connection.close()
        guard isFollowing.exchange(false, ordering: .relaxed) else { return }
        Unmanaged.passUnretained(self).release()
    }

    private func committed(pages: Int) {
        switch plan.withLock({ $0.step(at: pages) }) {
        case .nothing: break
        case .moveBeside:
            connection.asyncWriteWithoutTransaction { [self] db in
                move(db)
                plan.withLock { $0.hasMoved() }
            }
        case .moveAtOnce: connection.writeWithoutTransaction { move($0) }
        }
    }

    /// Checkpoints the frames that no reader needs. Frames that remain are tried again after a
    /// later commit. A full disk is reported by the writer too.
    private func move(_ db: Database) {
        sqlite3_wal_checkpoint_v2(db.sqliteConnection, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    }
}

/// Decides when the log is checkpointed, and by which thread.
struct LogPlan: Hashable, Sendable {
    enum Step: Hashable {
        case nothing
        /// Checkpoint while the writer continues.
        case moveBeside
        /// Checkpoint before the writer continues.
        case moveAtOnce
    }

    /// Minimum number of pages, of 4 KiB, before a checkpoint. The minimum saves work, since a page
    /// that many commits change is copied once.
    let pages: Int
    /// Maximum number of pages before the writer itself checkpoints. The log exceeds it by at most
    /// one commit, unless a reader needs older frames.
    let mostPages: Int
    /// Number of concurrent checkpoints before the remainder is checkpointed at once.
    let timesBeside: Int

    private var times = 0
    private var isMoving = false

    init(pages: Int = 16_384, mostPages: Int = 65_536, timesBeside: Int = 2) {
        self.pages = pages
        self.mostPages = mostPages
        self.timesBeside = timesBeside
    }

    /// Returns the step after a commit, given the number of pages in the log.
    mutating func step(at pages: Int) -> Step {
        if pages < self.pages { times = 0 }
        if pages >= mostPages || (!isMoving && times >= timesBeside) {
            times = 0
            return .moveAtOnce
        }
        guard pages >= self.pages, !isMoving else { return .nothing }
        times += 1
        isMoving = true
        return .moveBeside
    }

    /// Records the end of a concurrent checkpoint.
    mutating func hasMoved() { isMoving = false }
}
