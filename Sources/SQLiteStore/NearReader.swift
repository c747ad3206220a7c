import GRDB
import SyncEngine
import Synchronization

/// Reads what is little on the thread that asks.
///
/// Mostly a client gets the few records that are new, and the way to a reader of the pool and back,
/// from thread to thread, costs several times what it takes to read them. This waits for nobody:
/// not for a transaction, nor for the connection, which is its own. Where somebody else has that,
/// or there is more to read than a few pages of the database, one takes the long way.
final class NearReader: Sendable {
    private static let mostRecords = 16
    private static let mostBytes = 64 << 10

    private let connection: Mutex<DatabaseQueue>

    init(path: String) throws {
        var configuration = Configuration()
        configuration.label = "waggle-near"
        configuration.readonly = true
        configuration.busyMode = .immediateError
        connection = Mutex(try DatabaseQueue(path: path, configuration: configuration))
    }

    /// Nil where one has to take the long way.
    func page(_ request: PageRequest) throws -> Page? {
        do {
            return try connection.withLockIfAvailable { connection in
                try connection.unsafeRead { db in
                    try atOneMoment(db) { try nearPage(request, db) }
                }
            } ?? nil
        } catch DatabaseError.SQLITE_BUSY {
            // Somebody is about to make the log anew, which takes a moment.
            return nil
        }
    }

    func close() throws { try connection.withLock { try $0.close() } }

    private func nearPage(_ request: PageRequest, _ db: Database) throws -> Page? {
        let moment = try moment(of: request.environment, db)
        let few = Int64(Self.mostRecords)
        guard request.limit <= few || moment.sequence - request.afterSequence <= few else {
            return nil
        }
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
