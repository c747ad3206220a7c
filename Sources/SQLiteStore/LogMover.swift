import GRDB
import GRDBSQLite
import Synchronization

/// Moves what is in the write-ahead log to the database, beside the writer.
///
/// SQLite's own way is that the commit that fills the log moves all of it, and whoever waits for
/// that commit, or one behind it, waits for that too. Here a connection of its own does it while
/// the writer goes on. What is written meanwhile stays in the log, so it comes back for that; the
/// little that is left then moves between two commits, or the log would never begin anew.
///
/// A move begins only after a commit that is not moved yet, and nobody else in this process moves
/// anything: so the writer cannot begin the log anew under it, which versions of SQLite before
/// 3.51.3 do not bear.
final class LogMover: Sendable {
    private let connection: DatabaseQueue
    private let plan: Mutex<LogPlan>
    /// While SQLite has a reference to this.
    private let isFollowing = Atomic(false)

    init(path: String, plan: LogPlan) throws {
        self.plan = Mutex(plan)
        var configuration = Configuration()
        configuration.label = "waggle-log"
        // Nobody is waited for later on.
        configuration.busyMode = .timeout(SQLiteDatabase.lockSeconds)
        connection = try DatabaseQueue(path: path, configuration: configuration)
        // The log is on the disk before anything is moved, and the database before the log begins
        // anew.
        try connection.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA busy_timeout = 0")
        }
    }

    /// From now on SQLite tells of each commit of a connection, on its thread, instead of moving
    /// the log itself.
    func follow(_ writer: Database) {
        isFollowing.store(true, ordering: .relaxed)
        sqlite3_wal_hook(
            writer.sqliteConnection,
            { mover, _, _, pages in
                if let mover {
                    Unmanaged<LogMover>.fromOpaque(mover).takeUnretainedValue()
                        .committed(pages: Int(pages))
                }
                return SQLITE_OK
            },
            Unmanaged.passRetained(self).toOpaque())
    }

    /// Waits for what is under way, and moves no more. Nobody may write after it. A second call
    /// does nothing.
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

    /// As much as nobody reads. What could not be moved is in the log still, and after one of the
    /// next commits it is tried again; a disk that takes no more is met by the writer too.
    private func move(_ db: Database) {
        sqlite3_wal_checkpoint_v2(db.sqliteConnection, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    }
}

/// When the log is moved, and by whom.
struct LogPlan: Hashable, Sendable {
    enum Step: Hashable {
        case nothing
        /// While the writer goes on.
        case moveBeside
        /// Before the writer goes on.
        case moveAtOnce
    }

    /// Of 4 KiB. With so many it is worth while: pages that many commits changed are moved once.
    let pages: Int
    /// The log does not get longer than this and the commit that gets it there, unless somebody
    /// reads what was there before.
    let mostPages: Int
    /// So often, before what is left moves at once.
    let timesBeside: Int

    private var times = 0
    private var isMoving = false

    init(pages: Int = 16_384, mostPages: Int = 65_536, timesBeside: Int = 2) {
        self.pages = pages
        self.mostPages = mostPages
        self.timesBeside = timesBeside
    }

    /// After a commit, with so many pages in the log.
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

    /// What was begun beside the writer is done.
    mutating func hasMoved() { isMoving = false }
}
