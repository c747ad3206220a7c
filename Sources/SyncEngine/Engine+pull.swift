import AccessPolicy
import DefinitionModel
import SyncProtocol

/// What became of a pull.
enum PullResult {
    case pulled(Pulled)
    /// Deleted records were swept away meanwhile, up to this sequence, that the client should have
    /// been told of.
    case swept(horizon: Int64)
}

/// What one answer tells.
struct Pulled {
    private(set) var records: [ShownRecord] = []
    private(set) var dropped: [DroppedMessage] = []
    fileprivate(set) var cursor: Cursor
    fileprivate(set) var hasMore = true
    /// By guid, of the conflicts of these records, where the edits were made that stand beside.
    private var disputes: [String: Set<DeviceKey>] = [:]

    fileprivate init(from cursor: Cursor) { self.cursor = cursor }

    func disputes(of guid: String) -> Set<DeviceKey> { disputes[guid] ?? [] }

    fileprivate mutating func note(_ conflicts: [String: [StoredConflict]]) {
        for (guid, conflicts) in conflicts { disputes[guid] = Set(conflicts.map(\.device)) }
    }

    /// Pages of one answer are of different moments: what a later one tells of a record counts.
    fileprivate mutating func add(_ delivery: Delivery) {
        switch delivery {
        case .none: break
        case .record(let shown):
            dropped.removeAll { $0.guid == shown.record.guid }
            records.append(shown)
        case .drop(let message):
            records.removeAll { $0.record.guid == message.guid }
            dropped.append(message)
        }
    }
}

extension Engine {
    /// Reads pages until the answer is full, nothing is left, or enough was looked at for one
    /// answer: an asker who may see little gets short answers with `more`, never a long wait.
    func pull(
        from start: PullStart, to caller: Caller, limit: Int?
    ) async throws(SyncError) -> PullResult {
        let sieve = Sieve(
            gate: Gate(rules: rules, asker: caller.asker), formerSight: start.formerSight)
        let wanted = limit ?? limits.defaultPageRecords
        var pulled = Pulled(from: start.cursor)
        var scanned = 0
        var bytes = 0
        while pulled.hasMore, pulled.records.count + pulled.dropped.count < wanted,
            scanned < limits.scannedRecords, bytes < limits.pageBytes
        {
            let cursor = pulled.cursor
            // Only while nothing was handed out: a record that was may be deleted meanwhile.
            let isBlank = start.cursor.position == 0 && pulled.records.isEmpty
            let request = PageRequest(
                environment: environment, afterSequence: cursor.position,
                limit: wanted - pulled.records.count - pulled.dropped.count,
                maxScanned: limits.scannedRecords - scanned, maxBytes: limits.pageBytes - bytes,
                skipsDeleted: isBlank && cursor.isStarting,
                knownSequence: cursor.heldSince)
            let page = try await reading { () async throws(StoreError) in
                try await store.page(request)
            }
            try checkIsCurrent(page.fingerprint)
            guard page.horizon <= cursor.needsTombstonesAfter else {
                return .swept(horizon: page.horizon)
            }
            try add(page, to: &pulled, through: sieve)
            scanned += page.scanned
            bytes += page.bytes
        }
        if !pulled.hasMore { pulled.cursor.phase = .following(since: pulled.cursor.position) }
        return .pulled(pulled)
    }

    private func add(
        _ page: Page, to pulled: inout Pulled, through sieve: Sieve
    ) throws(SyncError) {
        do {
            for (record, past) in zip(page.records, page.pasts) {
                pulled.add(
                    try sieve.delivery(
                        of: record, past, conflicts: page.conflicts[record.guid] ?? [],
                        after: pulled.cursor))
            }
        } catch {
            throw .store(error)
        }
        pulled.note(page.conflicts)
        pulled.cursor.position = page.lastSequence
        pulled.hasMore = page.hasMore
    }
}

extension Cursor {
    fileprivate var isStarting: Bool {
        switch phase {
        case .starting: true
        case .following, .changing: false
        }
    }
}
