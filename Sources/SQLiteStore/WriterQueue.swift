import GRDB
import Synchronization

/// The way to the one writer, until the database is closed. Writing to a closed pool ends the
/// process.
final class WriterQueue: Sendable {
    private let pool: DatabasePool
    private let isClosed = Mutex(false)

    init(pool: DatabasePool) { self.pool = pool }

    /// Lines `body` up behind everything else that writes. False, and nothing is done, if the
    /// database is closed.
    func enqueue(_ body: @escaping @Sendable (Database) -> Void) -> Bool {
        isClosed.withLock { isClosed in
            guard !isClosed else { return false }
            pool.asyncWriteWithoutTransaction(body)
            return true
        }
    }

    /// Whether nothing is lined up any more.
    var isClosing: Bool { isClosed.withLock { $0 } }

    /// Waits for what is lined up. Nothing is from then on.
    func close() {
        isClosed.withLock { $0 = true }
        pool.writeWithoutTransaction { _ in }
    }
}
