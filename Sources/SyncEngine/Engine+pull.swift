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
    private(set) var records = ShownRecords()
    private(set) var dropped: [DroppedMessage] = []
    fileprivate(set) var cursor: Cursor
    private(set) var hasMore = true
    /// By guid, of the conflicts of these records, where the edits were made that stand beside.
    private var disputes: [String: Set<DeviceKey>] = [:]

    fileprivate init(from cursor: Cursor) { self.cursor = cursor }

    var count: Int { records.count + dropped.count }

    func disputes(of guid: String) -> Set<DeviceKey> { disputes[guid] ?? [] }

    /// Pages of one answer are of different moments: what a later one tells of a record counts.
    fileprivate mutating func add(_ page: Page, through sieve: Sieve) throws(StoreError) {
        records.begin(page.content)
        var names: PageRecords.Names?
        var fields: FieldSelection?
        for place in 0..<page.content.count {
            let row = page.content.rows[place]
            // What is seen of a record depends on these alone.
            if row.names != names {
                names = row.names
                fields = sieve.fields(of: row.names, in: page.content)
                if let fields { records.begin(fields) }
            }
            if sieve.holdsTheSame(of: page.content, at: place, cursor) { continue }
            if let fields {
                try show(place, of: page, fields, through: sieve.gate)
            } else if sieve.wasSeen(page.content, at: place, until: cursor) {
                drop(place, of: page.content)
            }
        }
        for (guid, conflicts) in page.conflicts { disputes[guid] = Set(conflicts.map(\.device)) }
        cursor.position = page.lastSequence
        hasMore = page.hasMore
    }

    private mutating func show(
        _ place: Int, of page: Page, _ fields: FieldSelection, through gate: Gate
    ) throws(StoreError) {
        let isConflicted = page.content.rows[place].isConflicted
        if !dropped.isEmpty || isConflicted {
            let guid = page.content.guid(at: place)
            dropped.removeAll { $0.guid == guid }
            let open = page.conflicts[guid] ?? []
            records.show(
                place, conflicts: isConflicted ? try gate.messages(open, showing: fields) : nil)
        } else {
            records.show(place, conflicts: nil)
        }
    }

    private mutating func drop(_ place: Int, of page: PageRecords) {
        let message = DroppedMessage(
            model: page.text(at: page.rows[place].names.model), guid: page.guid(at: place))
        records.removeAll(of: message.guid)
        dropped.append(message)
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
        while pulled.hasMore, pulled.count < wanted,
            scanned < limits.scannedRecords, bytes < limits.pageBytes
        {
            let cursor = pulled.cursor
            // Only while nothing was handed out: a record that was may be deleted meanwhile.
            let isBlank = start.cursor.position == 0 && pulled.records.isEmpty
            let request = PageRequest(
                environment: environment, afterSequence: cursor.position,
                limit: wanted - pulled.count,
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
            do {
                try pulled.add(page, through: sieve)
            } catch {
                throw .store(error)
            }
            scanned += page.scanned
            bytes += page.bytes
        }
        if !pulled.hasMore { pulled.cursor.phase = .following(since: pulled.cursor.position) }
        return .pulled(pulled)
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
