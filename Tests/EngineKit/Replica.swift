package import SyncEngine
package import SyncProtocol

/// A minimal client that follows the rules of the wire.
package struct Replica {
    package private(set) var records: [String: RecordMessage] = [:]
    package private(set) var cursor: String?
    package private(set) var resyncs = 0
    package private(set) var received = 0
    package private(set) var dropped: [String] = []
    private var stale: Set<String> = []

    package init() {}

    package mutating func apply(_ answer: SyncResponse) {
        if answer.resync {
            resyncs += 1
            stale = Set(records.keys)
        }
        for record in answer.records {
            stale.remove(record.guid)
            records[record.guid] = record.deleted && !record.conflicted ? nil : record
        }
        for record in answer.dropped { records[record.guid] = nil }
        received += answer.records.count
        dropped += answer.dropped.map(\.guid)
        cursor = answer.cursor
        guard !answer.more else { return }
        for guid in stale { records[guid] = nil }
        stale = []
    }
}

extension Person {
    /// Pulls until nothing is new.
    package func follow(
        _ replica: inout Replica, with engine: Engine? = nil, limit: Int? = nil
    ) async throws {
        var isDone = false
        while !isDone {
            let answer = try await sync(with: engine, cursor: replica.cursor, limit: limit)
            replica.apply(answer)
            isDone = !answer.more
        }
    }
}
