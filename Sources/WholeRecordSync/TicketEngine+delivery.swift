package import ChangeRules
import DefinitionModel
package import SyncEngine

/// One page of the records that a device is sent.
package struct DeliveredPage: Sendable {
    package let records: [DeliveredRecord]
    /// Records that the device may no longer see.
    package let dropped: [RecordKey]
    /// Files that the records name and that the device does not have.
    package fileprivate(set) var files: [FileOnDevice] = []
    /// Files that these records named on the device, and no longer name.
    package fileprivate(set) var leavingFiles: [FileOnDevice] = []
}

/// A record as a device sees it.
package struct DeliveredRecord: Hashable, Sendable {
    package let view: RecordView
    /// The values that the device has set in open conflicts of the record, and keeps; nil if none
    /// contains an edit of this device.
    package let ownSide: RecordConflict.Side?

    package init(view: RecordView, ownSide: RecordConflict.Side?) {
        self.view = view
        self.ownSide = ownSide
    }

    /// Whether an open conflict of the record contains an edit of this device.
    package var isDisputedHere: Bool { ownSide != nil }
}

extension DeliveredRecord {
    /// - Parameter revisions: The revisions of the open conflicts that contain edits of the device.
    fileprivate init(view: RecordView, disputedIn revisions: Set<Int64>) {
        var own: RecordConflict.Side?
        for conflict in view.conflicts ?? [] where revisions.contains(conflict.revision) {
            let earlier = own?.fields ?? [:]
            own = RecordConflict.Side(
                isDeleted: conflict.mine.isDeleted,
                fields: earlier.merging(conflict.mine.fields) { _, later in later })
        }
        self.init(view: view, ownSide: own)
    }
}

extension TicketEngine {
    /// Delivers everything that is new to the device, or every record if the sync starts over, one
    /// page at a time in the order of changes. `taking` must store its page before it returns. The
    /// position is recorded after the last page.
    ///
    /// `naming` returns the guids of the files that a record names for the device.
    ///
    /// Throws `absentTooLong` if deletions since the device's last sync have been purged: then the
    /// device must start over.
    package func deliver(
        _ text: String, to caller: Caller, naming: (RecordView) -> [String] = { _ in [] },
        taking: (DeliveredPage) async throws -> Void
    ) async throws {
        let (ticket, before) = try await beginDelivery(of: text, to: caller)
        if ticket.startsOver, engine.hasFileFields { try await forgetFiles(of: caller) }
        let start = try start(of: ticket, after: before, for: caller)
        var next = start
        var owed = Set(before.owedRecords.keys)
        while true {
            guard case .pulled(let pulled) = try await engine.pull(from: next, to: caller) else {
                throw SyncError.ticket(.absentTooLong)
            }
            var page = try DeliveredPage(pulled, to: caller, startsOver: ticket.startsOver)
            owed.subtract(page.guids)
            try await compare(&page, to: caller, naming: naming)
            try await taking(page)
            next = PullPosition(
                cursor: pulled.cursor, isResync: false, previousPolicy: start.previousPolicy)
            guard pulled.hasMore else { break }
        }
        try await deliver(records: owed.sorted(), to: caller, naming: naming, taking: taking)
        let end = try engine.token(of: next.cursor, knowing: caller.sequence)
        try await endDelivery(ticket, at: end, to: caller)
    }

    /// Delivers records whether they have changed or not, such as those whose files have arrived. A
    /// page ends with the record that reaches the bytes of a batch, or whose open conflicts do.
    package func deliver(
        records: [String], to caller: Caller, naming: (RecordView) -> [String],
        taking: (DeliveredPage) async throws -> Void
    ) async throws {
        var rest = records[...]
        while !rest.isEmpty {
            let guids = Array(rest.prefix(engine.limits.defaultPageRecords))
            let (records, count) = try await unchangedRecords(guids, for: caller)
            rest = rest.dropFirst(count)
            var page = DeliveredPage(records: records, dropped: [])
            try await compare(&page, to: caller, naming: naming)
            try await taking(page)
        }
    }

    private func compare(
        _ page: inout DeliveredPage, to caller: Caller, naming: (RecordView) -> [String]
    ) async throws(SyncError) {
        guard engine.hasFileFields else { return }
        page.compare(try await files(of: caller, namedBy: page.guids), naming: naming)
    }

    /// Reads the first of some records as the caller may see them. Returns also how many of the
    /// guids were read, at least one.
    func unchangedRecords(
        _ guids: [String], for caller: Caller
    ) async throws(SyncError) -> (records: [DeliveredRecord], count: Int) {
        let filter = ReadFilter(rules: engine.rules, asker: caller.asker)
        return try await engine.readingInTurn { () async throws(StoreError) in
            try await engine.store.search(in: engine.environment, readingNames: false) {
                transaction in
                let found = try transaction.records(guids, maxBytes: BatchSize.maxBytes)
                var (records, count, conflictBytes) = ([DeliveredRecord](), 0, 0)
                for found in found where conflictBytes < BatchSize.maxBytes {
                    count += 1
                    guard let record = found?.record else { continue }
                    let conflicts =
                        record.isConflicted
                        ? try transaction.openConflicts(of: [record.guid]).first ?? [] : []
                    conflictBytes += conflicts.reduce(0) { $0 + $1.text.utf8.count }
                    guard let view = try filter.view(for: record, conflicts: conflicts) else {
                        continue
                    }
                    let own = conflicts.filter { $0.device == caller.device }
                    records.append(
                        DeliveredRecord(view: view, disputedIn: Set(own.map(\.revision))))
                }
                return (records, max(1, count))
            }
        }
    }

    private func start(
        of ticket: SyncTicket, after before: DeviceProgress, for caller: Caller
    ) throws(SyncError) -> PullPosition {
        guard before.holdsRecords, !ticket.startsOver else {
            return engine.startingOver(for: caller, at: caller.sequence, isResync: false)
        }
        let start =
            engine.confirmedCursor(before.confirmed, of: caller) == nil
            ? engine.startFromNothingConfirmed(for: caller)
            : try engine.start(at: before.confirmed, from: caller)
        guard !start.isResync else { throw .ticket(.absentTooLong) }
        return start
    }

    /// Returns the ticket and the device's progress before the delivery.
    private func beginDelivery(
        of text: String, to caller: Caller
    ) async throws(SyncError) -> (SyncTicket, DeviceProgress) {
        typealias Begun = Result<(SyncTicket, DeviceProgress), TicketRefusal>
        let begun: Begun = try await change(of: caller) { progress in
            guard let before = progress, var ticket = before.ticket(named: text) else {
                return (nil, .failure(.unknown))
            }
            guard ticket.rejection == nil else { return (nil, .failure(.rejected)) }
            ticket.deliveries += 1
            var next = before
            next.update(ticket)
            next.owedRecords = next.owedRecords.mapValues { _ in ticket.text }
            next.holdsRecords = true
            return (next, .success((ticket, before)))
        }
        switch begun {
        case .success(let begun): return begun
        case .failure(let refusal): throw .ticket(refusal)
        }
    }

    /// Records the position unless a later delivery has started. The device then has that one, or
    /// an earlier complete one until it completes.
    private func endDelivery(
        _ ticket: SyncTicket, at cursor: String, to caller: Caller
    ) async throws(SyncError) {
        try await change(of: caller) { progress in
            guard var progress, var present = progress.ticket(named: ticket.text),
                present.deliveries == ticket.deliveries
            else { return (nil, ()) }
            present.delivered = cursor
            progress.update(present)
            return (progress, ())
        }
    }
}

extension DeliveredPage {
    fileprivate init(records: [DeliveredRecord], dropped: [RecordKey]) {
        self.records = records
        self.dropped = dropped
    }

    /// A device that starts over may have lost its own edits.
    fileprivate init(
        _ pulled: PulledRecords, to caller: Caller, startsOver: Bool
    ) throws(SyncError) {
        do {
            records = try pulled.views().map { view in
                DeliveredRecord(
                    view: view,
                    disputedIn: startsOver
                        ? [] : pulled.disputes(of: view.guid, by: caller.device))
            }
        } catch {
            throw .store(error)
        }
        dropped = pulled.dropped
    }

    fileprivate var guids: [String] { records.map(\.view.guid) + dropped.map(\.guid) }

    /// Compares the files that the records name with the entries of the device. A device keeps its
    /// own values of a record that is in conflict because of it, and the files that these name.
    fileprivate mutating func compare(
        _ entries: [FileOnDevice], naming: (RecordView) -> [String]
    ) {
        let held = Set(entries.filter { $0.ticket == nil })
        var named: Set<FileOnDevice> = []
        var disputed: Set<String> = []
        for record in records {
            if record.isDisputedHere { disputed.insert(record.view.guid) }
            for file in naming(record.view) {
                let file = FileOnDevice(record: record.view.guid, file: file)
                if named.insert(file).inserted, !held.contains(file) { files.append(file) }
            }
        }
        leavingFiles = entries.filter { entry in
            !named.contains(FileOnDevice(record: entry.record, file: entry.file))
                && !disputed.contains(entry.record)
        }
    }
}

extension Engine {
    /// Whether the definition has a field that holds a file.
    var hasFileFields: Bool {
        rules.definition.models.contains { $0.fields.contains { $0.type == .file } }
    }
}
