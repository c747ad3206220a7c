import GRDB
import SyncEngine
import Synchronization

/// Reads what is little on the thread that asks.
///
/// Mostly a client gets the few records that are new, and the way to a reader of the pool and back,
/// from thread to thread, costs several times what it takes to read them. This waits for nobody:
/// not for a transaction, nor for a connection, of which it has its own. Where others have those,
/// or there is more to read than a few pages of the database, one takes the long way.
final class NearReader: Sendable {
    static let mostRecords = 16
    private static let mostBytes = 64 << 10
    /// Some more than threads that ask at the same moment, on most machines.
    static let connectionCount = 4

    private let connections: [NearConnection]

    init(path: String) throws {
        var configuration = Configuration()
        configuration.label = "waggle-near"
        configuration.readonly = true
        configuration.busyMode = .immediateError
        connections = try (0..<Self.connectionCount).map { _ in
            NearConnection(try DatabaseQueue(path: path, configuration: configuration))
        }
    }

    /// Nil where one has to take the long way.
    func page(_ request: PageRequest) throws -> Page? {
        try withConnection { connection in
            do {
                return try connection.unsafeRead { db in
                    try atOneMoment(db) { try nearPage(request, db) }
                }
            } catch DatabaseError.SQLITE_BUSY {
                // Somebody is about to make the log anew, which takes a moment.
                return nil
            }
        }
    }

    /// Nil where others have them all.
    func withConnection<Value: Sendable>(
        _ body: (DatabaseQueue) throws -> Value?
    ) throws -> Value? {
        for connection in connections {
            let found = try connection.queue.withLockIfAvailable { Found(value: try body($0)) }
            if let found { return found.value }
        }
        return nil
    }

    func close() throws {
        for connection in connections { try connection.queue.withLock { try $0.close() } }
    }

    private func nearPage(_ request: PageRequest, _ db: Database) throws -> Page? {
        let moment = try moment(of: request.environment, db)
        let scan = try scan(
            for: request.reading(atMost: Self.mostRecords, bytes: Self.mostBytes), db)
        // Where it was cut short only here, others have no reason to be asked again and again.
        guard !scan.hasMore || scan.isFull(for: request) else { return nil }
        return scan.page(at: moment)
    }
}

extension PageRequest {
    fileprivate func reading(atMost records: Int, bytes: Int) -> PageRequest {
        PageRequest(
            environment: environment, afterSequence: afterSequence, limit: min(limit, records),
            maxScanned: min(maxScanned, records), maxBytes: min(maxBytes, bytes),
            skipsDeleted: skipsDeleted, knownSequence: knownSequence)
    }
}

private final class NearConnection: Sendable {
    let queue: Mutex<DatabaseQueue>

    init(_ queue: DatabaseQueue) { self.queue = Mutex(queue) }
}

/// What somebody who had a connection has read, which may be nothing.
private struct Found<Value: Sendable>: Sendable {
    let value: Value?
}
