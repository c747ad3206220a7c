import GRDB
import Synchronization

/// Makes a write the last one: the app crashes during it, and it is rolled back.
final class DoomedWrites: TransactionObserver, Sendable {
    private struct AppEnded: Error {}

    private let left = Mutex<Int?>(nil)
    private let isSpared = Mutex(false)

    /// - Parameter write: The number of writes from now on.
    func doom(_ write: Int) { left.withLock { $0 = write } }

    /// Returns whether the crash has happened, and resets it.
    func takeDoom() -> Bool {
        left.withLock { left in
            guard left == 0 else { return false }
            left = nil
            return true
        }
    }

    /// Does not count the writes in `body`.
    func sparing(_ body: () async throws -> Void) async throws {
        isSpared.withLock { $0 = true }
        defer { isSpared.withLock { $0 = false } }
        try await body()
    }

    func databaseWillCommit() throws {
        guard !isSpared.withLock({ $0 }) else { return }
        try left.withLock { left in
            guard let count = left else { return }
            left = max(0, count - 1)
            if left == 0 { throw AppEnded() }
        }
    }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: GRDB.Database) {}
    func databaseDidRollback(_ db: GRDB.Database) {}
}
