import GRDB
import Synchronization

/// The queue of the writer until the database is closed. A write to a closed pool traps.
final class WriterQueue: Sendable {
    private let pool: DatabasePool
    private let isClosed = Mutex(false)

    init(pool: DatabasePool) { self.pool = pool }

    /// Enqueues `body` behind all other writes. Returns false, without running it, if the database
    /// is closed.
    func enqueue(_ body: @escaping @Sendable (Database) -> Void) -> Bool {
        isClosed.withLock { isClosed in
            guard !isClosed else { return false }
            pool.asyncWriteWithoutTransaction(body)
            return true
        }
    }

    /// Whether the queue accepts no more writes.
    var isClosing: Bool { isClosed.withLock { $0 } }

    /// Stops accepting writes and waits for queued ones.
    func close() {
        isClosed.withLock { $0 = true }
        pool.writeWithoutTransaction { _ in }
    }
}
