import AccessPolicy
import DefinitionModel
import SyncProtocol

/// Where a pull begins.
struct PullStart: Hashable {
    let sequence: Int64
    /// What the asker may see has changed since the cursor was given.
    let isResync: Bool
    let rights: UInt64
}

struct Pulled {
    let records: [RecordMessage]
    let cursor: Cursor
    let hasMore: Bool
}

extension Engine {
    func start(of request: SyncRequest, from caller: Caller) throws(SyncError) -> PullStart {
        let rights = Cursor.rights(
            of: caller.asker, fingerprint: rules.definition.fingerprint)
        guard let token = request.cursor else {
            return PullStart(sequence: 0, isResync: false, rights: rights)
        }
        guard let cursor = Cursor(token: token) else { throw .cursorUnreadable }
        guard cursor.instance == instance, cursor.sequence <= caller.sequence else {
            throw .cursorForeign
        }
        let isResync = cursor.rights != rights
        return PullStart(
            sequence: isResync ? 0 : cursor.sequence, isResync: isResync, rights: rights)
    }

    /// Reads pages until the answer is full, nothing is left, or enough was looked at for one
    /// answer: an asker who may see little gets short answers with `more`, never a long wait.
    func pull(
        from start: PullStart, to caller: Caller, limit: Int?
    ) async throws(SyncError) -> Pulled {
        let gate = Gate(rules: rules, asker: caller.asker)
        let wanted = limit ?? limits.defaultPageRecords
        var records: [RecordMessage] = []
        var sequence = start.sequence
        var scanned = 0
        var bytes = 0
        var hasMore = true
        while hasMore, records.count < wanted, scanned < limits.scannedRecords,
            bytes < limits.pageBytes
        {
            // Only while nothing was handed out: a record that was may be deleted meanwhile.
            let request = PageRequest(
                environment: environment, afterSequence: sequence,
                limit: wanted - records.count, maxScanned: limits.scannedRecords - scanned,
                maxBytes: limits.pageBytes - bytes,
                skipsDeleted: start.sequence == 0 && records.isEmpty)
            let page = try await reading { () async throws(StoreError) in
                try await store.page(request)
            }
            try checkIsCurrent(page.fingerprint)
            records += try messages(of: page, through: gate)
            sequence = page.lastSequence
            scanned += page.scanned
            bytes += page.bytes
            hasMore = page.hasMore
        }
        let cursor = Cursor(instance: instance, sequence: sequence, rights: start.rights)
        return Pulled(records: records, cursor: cursor, hasMore: hasMore)
    }

    private func messages(of page: Page, through gate: Gate) throws(SyncError) -> [RecordMessage] {
        do {
            var messages: [RecordMessage] = []
            for record in page.records {
                let conflicts = page.conflicts[record.guid] ?? []
                let message = try gate.message(for: record, conflicts: conflicts)
                if let message { messages.append(message) }
            }
            return messages
        } catch {
            throw .store(error)
        }
    }
}
