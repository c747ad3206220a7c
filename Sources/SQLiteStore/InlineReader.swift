import GRDB
import SyncEngine
import Synchronization

/// Reads small pages on the calling thread.
///
/// A client usually pulls a few new records, and the switch to a reader thread of the pool and back
/// costs several times what reading them does. This reader has its own connections and waits for no
/// transaction or connection. The caller uses the pool instead if all connections are in use, if
/// the page is large, or if a record needs more than its own row.
final class InlineReader: Sendable {
    static let mostRecords = 16
    /// Maximum size of the fields; the record that reaches it is included.
    fileprivate static let mostBytes = 64 << 10
    /// With more concurrent readers than this, some use the pool.
    static let connectionCount = 4

    private let connections: [InlineConnection]

    init(path: String) {
        connections = (0..<Self.connectionCount).map { _ in InlineConnection(path: path) }
    }

    /// Returns nil if the caller must use the pool.
    func page(_ request: PageRequest) throws -> Page? {
        try withConnection { connection in
            do {
                return try connection.unsafeRead { db in
                    try atOneMoment(db) {
                        try nearPage(request, at: currentState(of: request.environment, db), db)
                    }
                }
            } catch DatabaseError.SQLITE_BUSY {
                // Another connection recovers the log or has an exclusive lock.
                return nil
            }
        }
    }

    /// Returns nil if all connections are in use.
    func withConnection<Value: Sendable>(
        _ body: (DatabaseQueue) throws -> Value?
    ) throws -> Value? {
        for connection in connections {
            if let found = try connection.ifAvailable(body) { return found.value }
        }
        return nil
    }

    func close() throws {
        for connection in connections { try connection.close() }
    }

}

/// Returns a small page that needs only rows of records; otherwise nil.
private func nearPage(
    _ request: PageRequest, at now: CurrentState, _ db: Database
) throws -> Page? {
    let scan = try scan(
        for: request.reading(atMost: InlineReader.mostRecords, bytes: InlineReader.mostBytes), db,
        ofRowsAlone: true)
    // A page that only the limits of this reader cut short would take many calls.
    guard !scan.needsMoreThanRows, !scan.hasMore || scan.isFull(for: request) else { return nil }
    return scan.page(of: now)
}

/// The state of the database after a commit, for the calls that the commit carried out. They read
/// it on the writing connection, whose cache holds most of it.
///
/// The read is outside the committed transaction: SQLite commits nothing after it has found damage.
final class CommittedMoment {
    private let writer: StatementCache
    private var known: (environment: EnvironmentID, now: CurrentState)?

    /// Must be used within one read transaction.
    init(_ writer: StatementCache) { self.writer = writer }

    /// Returns nil if the page may be large, since other writers wait for it, or if it cannot be
    /// read: a separate request for the page then reports the error.
    func littlePage(_ request: PageRequest) -> Page? {
        guard let now = try? now(of: request.environment), request.isLittle(at: now.moment) else {
            return nil
        }
        return try? nearPage(request, at: now, writer.db)
    }

    /// Caches the state of the last environment, since most calls share one.
    private func now(of environment: EnvironmentID) throws -> CurrentState {
        if let known, known.environment == environment { return known.now }
        let now = try currentState(of: environment, writer)
        known = (environment, now)
        return now
    }
}

extension PageRequest {
    /// Whether the page has few records. Each sequence belongs to at most one record.
    func isLittle(at moment: @autoclosure () -> EnvironmentMoment?) -> Bool {
        if limit <= InlineReader.mostRecords { return true }
        guard let last = moment()?.sequence else { return false }
        return last - afterSequence <= InlineReader.mostRecords
    }

    fileprivate func reading(atMost records: Int, bytes: Int) -> PageRequest {
        var request = PageRequest(
            environment: environment, afterSequence: afterSequence, limit: min(limit, records),
            maxScanned: min(maxScanned, records), maxBytes: min(maxBytes, bytes),
            skipsDeleted: skipsDeleted, knownSequence: knownSequence)
        request.readable = readable
        return request
    }
}

/// A connection that is opened on first use: few files ever have four concurrent readers.
private final class InlineConnection: Sendable {
    private enum State {
        case unopened
        case open(DatabaseQueue)
        case closed
    }

    private let path: String
    private let state = Mutex(State.unopened)

    init(path: String) { self.path = path }

    /// Returns nil if the connection is in use or cannot be opened: a read by the pool then reports
    /// the error.
    func ifAvailable<Value: Sendable>(
        _ body: (DatabaseQueue) throws -> Value?
    ) throws -> InlineResult<Value>? {
        try state.withLockIfAvailable { state in
            if case .unopened = state, let queue = try? opened() { state = .open(queue) }
            guard case .open(let queue) = state else { return nil }
            return InlineResult(value: try body(queue))
        } ?? nil
    }

    func close() throws {
        try state.withLock { state in
            if case .open(let queue) = state { try queue.close() }
            state = .closed
        }
    }

    private func opened() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "waggle-near"
        configuration.readonly = true
        configuration.busyMode = .immediateError
        return try DatabaseQueue(path: path, configuration: configuration)
    }
}

/// The result of a read, which may be nil.
private struct InlineResult<Value: Sendable>: Sendable {
    let value: Value?
}
