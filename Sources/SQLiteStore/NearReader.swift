import GRDB
import SyncEngine
import Synchronization

/// Reads what is little on the thread that asks.
///
/// Mostly a client gets the few records that are new, and the way to a reader of the pool and back,
/// from thread to thread, costs several times what it takes to read them. This waits for nobody:
/// not for a transaction, nor for a connection, of which it has its own. Where others have those,
/// there is more to read than a few pages of the database, or there is more to a record than its
/// row, one takes the long way.
final class NearReader: Sendable {
    static let mostRecords = 16
    /// Of fields; the record that reaches it is read whole.
    fileprivate static let mostBytes = 64 << 10
    /// On a machine with more processors, more may ask at the same moment: some take the long way.
    static let connectionCount = 4

    private let connections: [NearConnection]

    init(path: String) {
        connections = (0..<Self.connectionCount).map { _ in NearConnection(path: path) }
    }

    /// Nil where one has to take the long way.
    func page(_ request: PageRequest) throws -> Page? {
        try withConnection { connection in
            do {
                return try connection.unsafeRead { db in
                    try atOneMoment(db) {
                        try nearPage(request, at: currentState(of: request.environment, db), db)
                    }
                }
            } catch DatabaseError.SQLITE_BUSY {
                // Somebody mends the log, or has the whole file to themselves.
                return nil
            }
        }
    }

    /// Nil where others have them all.
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

/// A page of no more than rows of records, if it is little.
private func nearPage(
    _ request: PageRequest, at now: CurrentState, _ db: Database
) throws -> Page? {
    let scan = try scan(
        for: request.reading(atMost: NearReader.mostRecords, bytes: NearReader.mostBytes), db,
        ofRowsAlone: true)
    // What only our own limits cut short would be asked for in small pieces.
    guard !scan.needsMoreThanRows, !scan.hasMore || scan.isFull(for: request) else { return nil }
    return scan.page(of: now)
}

/// What is there when a transaction is on disk, for those whose calls it carried out. They read it
/// by the connection that has written it, which has most of it in memory.
///
/// It is not read in the transaction itself: once SQLite has met damage, it commits nothing.
final class CommittedMoment {
    private let writer: Writer
    private var known: (environment: EnvironmentID, now: CurrentState)?

    /// In a transaction that reads, for as long as this is asked.
    init(_ writer: Writer) { self.writer = writer }

    /// Nil where it may not be little, as whoever else writes waits for it, and where it cannot be
    /// read: who then asks for it alone is told why.
    func littlePage(_ request: PageRequest) -> Page? {
        guard let now = try? now(of: request.environment), request.isLittle(at: now.moment) else {
            return nil
        }
        return try? nearPage(request, at: now, writer.db)
    }

    /// Most often all are of one environment.
    private func now(of environment: EnvironmentID) throws -> CurrentState {
        if let known, known.environment == environment { return known.now }
        let now = try currentState(of: environment, writer)
        known = (environment, now)
        return now
    }
}

extension PageRequest {
    /// Each change is a record that has come after the one before.
    func isLittle(at moment: @autoclosure () -> EnvironmentMoment?) -> Bool {
        if limit <= NearReader.mostRecords { return true }
        guard let last = moment()?.sequence else { return false }
        return last - afterSequence <= NearReader.mostRecords
    }

    fileprivate func reading(atMost records: Int, bytes: Int) -> PageRequest {
        PageRequest(
            environment: environment, afterSequence: afterSequence, limit: min(limit, records),
            maxScanned: min(maxScanned, records), maxBytes: min(maxBytes, bytes),
            skipsDeleted: skipsDeleted, knownSequence: knownSequence)
    }
}

/// Opened when it is used first: most files never see four readers at once.
private final class NearConnection: Sendable {
    private enum State {
        case unopened
        case open(DatabaseQueue)
        case closed
    }

    private let path: String
    private let state = Mutex(State.unopened)

    init(path: String) { self.path = path }

    /// Nil where somebody else has it, or there is none to be had: whoever takes the long way meets
    /// the reason.
    func ifAvailable<Value: Sendable>(
        _ body: (DatabaseQueue) throws -> Value?
    ) throws -> Found<Value>? {
        try state.withLockIfAvailable { state in
            if case .unopened = state, let queue = try? opened() { state = .open(queue) }
            guard case .open(let queue) = state else { return nil }
            return Found(value: try body(queue))
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

/// What somebody who had a connection has read, which may be nothing.
private struct Found<Value: Sendable>: Sendable {
    let value: Value?
}
