/// Reads the histories of records in steps, each in a snapshot of its own. Histories only grow, so
/// steps need not see the same state.
struct HistoryScan: Sendable {
    /// Entries after which a step ends, and their bytes.
    private static let maxRows = 512
    private static let maxBytes = 1 << 20

    private(set) var known: KnownHistory
    /// Number of entries that were read.
    private(set) var scanned = 0
    private var open: [String]
    /// The place in the history of the last open record.
    private var place: HistoryPosition?
    private var size = BatchSize()

    init(of guids: [String], after known: KnownHistory) {
        self.known = known
        open = guids
    }

    var isOver: Bool { open.isEmpty }

    mutating func step(in transaction: any SearchTransaction) throws {
        var (rows, bytes) = (0, 0)
        while let guid = open.last, rows < Self.maxRows, bytes < Self.maxBytes {
            let start = place ?? HistoryPosition(revision: known.reached(guid), number: .max)
            let limit = ReadLimit(rows: size.count, bytes: Self.maxBytes)
            let found = try transaction.history(of: guid, after: start, atMost: limit)
            try known.add(found.map(\.entry), of: guid)
            let read = found.reduce(0) { $0 + $1.entry.fieldsText.utf8.count }
            size.adjust(after: read)
            (rows, bytes) = (rows + found.count + 1, bytes + read)
            scanned += found.count
            place = found.last?.place
            guard !limit.isReached(byRows: found.count, bytes: read) else { continue }
            let record = try transaction.records([guid]).first.flatMap(\.self)?.record
            known.end(guid, at: record?.revision)
            open.removeLast()
            place = nil
        }
    }
}

extension Engine {
    /// Reads the histories of records of a batch, before the transaction that decides it. Other
    /// writers continue meanwhile.
    ///
    /// Throws `tooMuchToRead` if a batch of several changes exceeds the limits. Gives up if one
    /// change does. Throws `cancelled` if nobody waits for the result any more.
    func read(
        _ guids: [String], after known: KnownHistory, changes: Int,
        whileWanted isWanted: (@Sendable () -> Bool)?
    ) async throws(SyncError) -> KnownHistory {
        var scan = HistoryScan(of: guids, after: known)
        while !scan.isOver {
            guard !Task.isCancelled, isWanted?() ?? true else { throw .store(.cancelled) }
            let before = scan
            if let turns { try await reading { () throws(StoreError) in try turns.checkGoesOn() } }
            scan = try await readingInTurn { () async throws(StoreError) in
                try await store.search(in: environment, readingNames: false) { transaction in
                    var next = before
                    try next.step(in: transaction)
                    return next
                }
            }
            let isTooMuch =
                scan.scanned > limits.scannedHistoryEntries
                || scan.known.bytes > limits.keptHistoryBytes
            if changes > 1, isTooMuch { throw .tooMuchToRead }
            if scan.known.bytes > limits.keptHistoryBytesOfOne {
                return scan.known.givenUp
            }
        }
        return scan.known
    }
}
