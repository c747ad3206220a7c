/// A user's device. Outcomes are kept per device.
package struct DeviceKey: Hashable, Sendable {
    package let login: String
    package let deviceIdentifier: String

    package init(login: String, deviceIdentifier: String) {
        self.login = login
        self.deviceIdentifier = deviceIdentifier
    }
}

/// The data that a batch needs before it can be decided.
package struct ReadSet: Hashable, Sendable {
    package let environment: EnvironmentID
    package let device: DeviceKey
    package let changeIDs: [String]
    /// Guids of the records that the batch changes or refers to.
    package internal(set) var guids: [String]
    /// The guids among these of records that the batch creates. Most likely nothing has them.
    package var createdGuids: Set<String> = []
    /// Whether the device most likely sends the changes for the first time. It does not acknowledge
    /// any of them, and all outcomes that the call writes are of these changes.
    package var areChangesNew = false
    /// For each changed record, the lowest base revision of its changes. If the record has a later
    /// revision, the history after the base is read. Empty if `historySince` is given.
    package let baseRevisions: [String: Int64]
    /// Changed records whose related records count for conflicts.
    package let graphs: [GraphNeed]
    /// The device has seen every change up to this sequence.
    package let seenSequence: Int64
    package let files: FileNeed
    /// For clients that know no base revisions: the confirmed sequence, after which the data of
    /// `Unconfirmed` is read. The whole history of conflicted and deleted records is read too. Nil
    /// for all other clients.
    package let historySince: Int64?
    package let budget: ReadBudget
    /// The accounts that the call presumes. If the environment has others, the call fails with
    /// `presumptionOutdated` and writes nothing.
    package var presumed: AccountsVersion?
    /// Counts the stored outcomes of the device and its user, at most so many. Nil counts none.
    package var countsOutcomesUpTo: Int?
    /// Whether outcomes that expire are counted too.
    package var countsExpiringOutcomes = false
    /// If a change may open a conflict, counts the open conflicts of the user, at most so many.
    /// Nil counts none.
    package var countsDisputesUpTo: Int?
    /// About the bytes that the changes bring along.
    package var changeBytes = 0

    package init(
        environment: EnvironmentID, device: DeviceKey, changeIDs: [String], guids: [String],
        baseRevisions: [String: Int64], graphs: [GraphNeed] = [], seenSequence: Int64 = 0,
        files: FileNeed = .none, historySince: Int64? = nil, budget: ReadBudget = .none
    ) {
        self.budget = budget
        self.historySince = historySince
        self.graphs = graphs
        self.seenSequence = seenSequence
        self.files = files
        self.environment = environment
        self.device = device
        self.changeIDs = changeIDs
        self.guids = guids
        self.baseRevisions = baseRevisions
    }
}

/// The data that a decision is based on.
package struct Facts: Hashable, Sendable {
    /// Fingerprint of the environment's current version.
    package let fingerprint: String
    /// Outcomes by change id.
    package let outcomes: [String: StoredOutcome]
    /// Records by guid.
    package let records: [String: StoredRecord]
    /// History by guid, oldest first: the entries after the requested base revision.
    package let history: [String: [HistoryEntry]]
    /// Number and size of open conflicts by guid; conflicted records only.
    package let openConflicts: [String: StoredAmount]
    /// The guids of the records that hold the requested unique values. A free value has no entry.
    package internal(set) var holders: [UniqueValue: String]
    /// The owners of the holders, by guid.
    package var owners: [String: OwnedRecord] = [:]
    /// Requested guids whose records were purged. No new record may use one of them.
    package let purgedGuids: Set<String>
    /// Requested graphs with a related record that the asker may see and that has a change, in
    /// effect, which the device has neither seen nor made.
    package let unseenGraphs: Set<String>
    /// Every requested file by guid; nil for an unknown one.
    package let files: [String: KnownFile?]
    /// By guid; one per record if a sequence was requested.
    package let unconfirmed: [String: Unconfirmed]
    /// The data that was not read because it exceeds the budget of the call; nil without any.
    package let shortage: Shortage?
    /// Nil if they were not counted.
    package var outcomeAmounts: OutcomeAmounts?
    /// The open conflicts that the user has opened. Nil if they were not counted.
    package var disputes: StoredAmount?

    package init(
        fingerprint: String, outcomes: [String: StoredOutcome],
        records: [String: StoredRecord], history: [String: [HistoryEntry]],
        openConflicts: [String: StoredAmount], holders: [UniqueValue: String],
        purgedGuids: Set<String>, unseenGraphs: Set<String>, files: [String: KnownFile?] = [:],
        unconfirmed: [String: Unconfirmed] = [:], shortage: Shortage? = nil
    ) {
        self.shortage = shortage
        self.unconfirmed = unconfirmed
        self.unseenGraphs = unseenGraphs
        self.files = files
        self.purgedGuids = purgedGuids
        self.fingerprint = fingerprint
        self.outcomes = outcomes
        self.records = records
        self.history = history
        self.openConflicts = openConflicts
        self.holders = holders
    }
}

/// Changes to a record after the sequence that a device has confirmed.
package struct Unconfirmed: Hashable, Sendable {
    /// Number of entries at the end of the record's history.
    package let entries: Int
    /// The first change of the owner or group; nil if there was none.
    package let firstOwnershipChange: OwnershipChange?
    /// Open conflicts, of any age, in which an edit of this device was set aside, oldest first.
    package let disputes: [StoredConflict]

    package init(entries: Int, firstOwnershipChange: OwnershipChange?, disputes: [StoredConflict]) {
        self.entries = entries
        self.firstOwnershipChange = firstOwnershipChange
        self.disputes = disputes
    }
}

/// The writes of a decision, applied all or none. Links and history belong to stored records, or to
/// those written with them.
package struct WriteSet: Hashable, Sendable {
    /// The time of the writes by the clock. Each record gets a stamp of its own: see `ChangePoint`.
    package var at = Instant(milliseconds: 0)
    /// New states, which get their sequences in this order. If the owner or group changes, the
    /// store keeps the former ones with the sequence.
    package var records: [StoredRecord] = []
    /// References that changed records now have.
    package var links: [RecordLink] = []
    /// References that only the history has from now on.
    package var formerLinks: [RecordLink] = []
    /// References that no longer exist, not even in the history.
    package var endedLinks: [RecordLink] = []
    /// Guids of the files that these links name. An unknown file is assigned to the device's user.
    package var namedFiles: Set<String> = []
    package var history: [HistoryEntry] = []
    package var openedConflicts: [StoredConflict] = []
    /// Guids of records whose conflicts are closed, except for those opened here.
    package var closedConflicts: [String] = []
    /// Open conflicts that end because one that is opened here replaces them.
    package var replacedConflicts: [StoredConflict] = []
    package var outcomes: [StoredOutcome] = []
    /// The time after which the outcomes are forgotten; nil for clients that acknowledge them.
    package var outcomesExpireAt: Instant?
    /// Opaque ids of records that are created here.
    package var names: [RecordName] = []
    /// Unique values that their records lose. They are freed before any is taken, since records may
    /// swap values.
    package var freedValues: [UniqueHolding] = []
    package var takenValues: [UniqueHolding] = []
    /// Change ids whose outcomes the device has stored. They are forgotten, except for those of
    /// changes without a history entry.
    package var acknowledged: [String] = []
    /// The time after which these may be forgotten too: no session lasts longer, so no copy of the
    /// change can arrive then.
    package var tracelessExpireAt = Instant(milliseconds: 0)

    package init() {}

    /// Forgets outcomes only.
    init(acknowledged: [String]) { self.acknowledged = acknowledged }

    /// Whether nothing is written.
    var isEmpty: Bool {
        var nothing = WriteSet()
        nothing.at = at
        nothing.outcomesExpireAt = outcomesExpireAt
        nothing.tracelessExpireAt = tracelessExpireAt
        return self == nothing
    }
}

/// A request for the next page of records.
package struct PageRequest: Hashable, Sendable {
    package let environment: EnvironmentID
    package let afterSequence: Int64
    /// Maximum number of records.
    package let limit: Int
    /// Maximum number of records to scan, skipped ones included.
    package let maxScanned: Int
    /// The page ends with the record that reaches this size. Bounds the memory of one read; what
    /// ends an answer is the size of what is shown.
    package let maxBytes: Int
    /// Skips tombstones without an open conflict: for a client that holds no records.
    package let skipsDeleted: Bool
    /// The client's records are as of this sequence or later. Ownership changes after it are
    /// included.
    package let knownSequence: Int64
    /// Other records come without their fields, as `{}`, and without conflicts: nobody is shown
    /// them, and the values of many hidden records would take time and memory. Nil reads all.
    package var readable: ReadableRecords?

    package init(
        environment: EnvironmentID, afterSequence: Int64, limit: Int, maxScanned: Int,
        maxBytes: Int, skipsDeleted: Bool, knownSequence: Int64
    ) {
        self.knownSequence = knownSequence
        self.environment = environment
        self.afterSequence = afterSequence
        self.limit = limit
        self.maxScanned = maxScanned
        self.maxBytes = maxBytes
        self.skipsDeleted = skipsDeleted
    }
}

extension PageRequest {
    /// Whether the record comes with its fields.
    package func reads(_ record: @autoclosure () -> OwnedRecord) -> Bool {
        readable.map { $0.contains(record()) } ?? true
    }
}

/// A page of records, from one snapshot.
package struct Page: Equatable, Sendable {
    /// Fingerprint of the environment's current version in the snapshot.
    package let fingerprint: String
    /// The environment's purge horizon in the snapshot: tombstones up to this sequence may have
    /// been purged.
    package let purgeHorizon: Int64
    package let content: PageRecords
    /// Open conflicts of the page's records, by guid, oldest first.
    package let conflicts: [String: [StoredConflict]]
    /// The sequence of the last record scanned; that of the environment's last change if no more
    /// follow.
    package let lastSequence: Int64
    /// The sequence of the last record scanned, skipped ones included; the requested one if there
    /// is none.
    package let lastScanned: Int64
    /// Number of records scanned, skipped ones included.
    package let scanned: Int
    /// Size of the stored text of records and conflicts.
    package let bytes: Int
    package let hasMore: Bool

    package init(
        fingerprint: String, purgeHorizon: Int64, content: PageRecords,
        conflicts: [String: [StoredConflict]], lastSequence: Int64, lastScanned: Int64,
        scanned: Int, bytes: Int, hasMore: Bool
    ) {
        self.fingerprint = fingerprint
        self.purgeHorizon = purgeHorizon
        self.content = content
        self.conflicts = conflicts
        self.lastSequence = lastSequence
        self.lastScanned = lastScanned
        self.scanned = scanned
        self.bytes = bytes
        self.hasMore = hasMore
    }

    package var records: [StoredRecord] { (0..<content.count).map { content[$0] } }

    /// One per record, in the same order.
    package var pasts: [RecordPast] { (0..<content.count).map(content.past(at:)) }
}
