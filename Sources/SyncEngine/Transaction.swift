/// A user's device: outcomes are kept for each.
package struct DeviceKey: Hashable, Sendable {
    package let login: String
    package let deviceIdentifier: String

    package init(login: String, deviceIdentifier: String) {
        self.login = login
        self.deviceIdentifier = deviceIdentifier
    }
}

/// What must be read before a batch can be decided.
package struct Need: Hashable, Sendable {
    package let environment: EnvironmentID
    package let device: DeviceKey
    package let changeIDs: [String]
    /// Of the records that the batch changes or refers to.
    package let guids: [String]
    /// For each changed record the lowest revision that a change was made from. History is read
    /// after it, if the record has moved on. Empty where `historySince` is given.
    package let baseRevisions: [String: Int64]
    /// Of changed records of which a related one counts as well.
    package let graphs: [GraphNeed]
    /// What changed up to this sequence the device had seen.
    package let seenSequence: Int64
    package let files: FileNeed
    /// Of what a client changes that knows no base revisions, it is read what came after this
    /// sequence (see `Unconfirmed`), and of conflicted and deleted records all of the history. Nil
    /// for all others.
    package let historySince: Int64?

    package init(
        environment: EnvironmentID, device: DeviceKey, changeIDs: [String], guids: [String],
        baseRevisions: [String: Int64], graphs: [GraphNeed] = [], seenSequence: Int64 = 0,
        files: FileNeed = .none, historySince: Int64? = nil
    ) {
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

/// What was read.
package struct Facts: Hashable, Sendable {
    /// Of the environment's current version.
    package let fingerprint: String
    /// By change id.
    package let outcomes: [String: StoredOutcome]
    /// By guid.
    package let records: [String: StoredRecord]
    /// By guid, oldest first: the entries after the base revision that was asked for.
    package let history: [String: [HistoryEntry]]
    /// By guid, how many; of conflicted records only.
    package let openConflicts: [String: Int]
    /// Of the unique values that were asked for, as far as they are taken: the guids of the records
    /// that have them.
    package internal(set) var holders: [UniqueValue: String]
    /// Those of the guids whose records were swept away: no new record gets one of them.
    package let sweptGuids: Set<String>
    /// Those of the graphs' guids with a related record on which something took effect that the
    /// device has neither seen nor done.
    package let unseenGraphs: Set<String>
    /// Every file that was asked for, by guid; nil where nothing is known of it.
    package let files: [String: KnownFile?]
    /// By guid; of every record where a sequence was asked for.
    package let unconfirmed: [String: Unconfirmed]

    package init(
        fingerprint: String, outcomes: [String: StoredOutcome],
        records: [String: StoredRecord], history: [String: [HistoryEntry]],
        openConflicts: [String: Int], holders: [UniqueValue: String], sweptGuids: Set<String>,
        unseenGraphs: Set<String>, files: [String: KnownFile?] = [:],
        unconfirmed: [String: Unconfirmed] = [:]
    ) {
        self.unconfirmed = unconfirmed
        self.unseenGraphs = unseenGraphs
        self.files = files
        self.sweptGuids = sweptGuids
        self.fingerprint = fingerprint
        self.outcomes = outcomes
        self.records = records
        self.history = history
        self.openConflicts = openConflicts
        self.holders = holders
    }
}

/// What came of a record after a sequence that a device has confirmed.
package struct Unconfirmed: Hashable, Sendable {
    /// How many of the last entries of its history.
    package let entries: Int
    /// The first time that it got another owner or group; nil where it did not.
    package let firstMove: OwnershipMove?
    /// Open conflicts, whenever they were opened, in which an edit of this device was set aside,
    /// oldest first.
    package let disputes: [StoredConflict]

    package init(entries: Int, firstMove: OwnershipMove?, disputes: [StoredConflict]) {
        self.entries = entries
        self.firstMove = firstMove
        self.disputes = disputes
    }
}

/// What was decided, all of it or nothing. Links and history are of records that are there, or that
/// come with them.
package struct Writes: Hashable, Sendable {
    /// When, for people and for the sweeping of tombstones.
    package var at = Instant(milliseconds: 0)
    /// New states, which get their sequences in this order. Where one has another owner or group
    /// than it had, the store keeps the former ones with the sequence.
    package var records: [StoredRecord] = []
    /// Of changed records, what they name from now on.
    package var links: [RecordLink] = []
    /// What is named by nothing but the history from now on, or from the start.
    package var formerLinks: [RecordLink] = []
    /// What is not named any more, not even by the history.
    package var endedLinks: [RecordLink] = []
    /// Files, by guid, that these links name. One of which nothing was known is the device's
    /// user's from now on.
    package var namedFiles: Set<String> = []
    package var history: [HistoryEntry] = []
    package var openedConflicts: [StoredConflict] = []
    /// Guids of records whose open conflicts are over, except those opened here.
    package var closedConflicts: [String] = []
    package var outcomes: [StoredOutcome] = []
    /// Unique values that their records have no longer. They are free before any is taken, since
    /// records may swap theirs.
    package var freedValues: [UniqueHolding] = []
    package var takenValues: [UniqueHolding] = []
    /// Change ids whose outcomes are no longer needed.
    package var acknowledged: [String] = []

    package init() {}

    /// Nothing is written.
    var isEmpty: Bool {
        var nothing = Writes()
        nothing.at = at
        return self == nothing
    }
}

/// Which records are wanted next.
package struct PageRequest: Hashable, Sendable {
    package let environment: EnvironmentID
    package let afterSequence: Int64
    /// Records at most.
    package let limit: Int
    /// Records to look at, those left out included, at most.
    package let maxScanned: Int
    /// The page ends with the record that reaches it.
    package let maxBytes: Int
    /// Leaves out what is deleted and not disputed: for a client that holds nothing yet.
    package let skipsDeleted: Bool
    /// What the client holds is as it was at this sequence or later: of whose the records were
    /// since then the page tells.
    package let knownSequence: Int64

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

/// Records as they were at one moment.
package struct Page: Equatable, Sendable {
    /// Of the environment's current version at that moment.
    package let fingerprint: String
    /// Of the environment at that moment: tombstones of up to this sequence may have been swept
    /// away.
    package let horizon: Int64
    package let content: PageRecords
    /// Open ones of the page's records, by guid, oldest first.
    package let conflicts: [String: [StoredConflict]]
    /// How far the page goes: that of the last record looked at, and when there are no more that
    /// of the environment's last change.
    package let lastSequence: Int64
    /// Records looked at, those left out included.
    package let scanned: Int
    /// Of the records' and conflicts' stored text.
    package let bytes: Int
    package let hasMore: Bool

    package init(
        fingerprint: String, horizon: Int64, content: PageRecords,
        conflicts: [String: [StoredConflict]], lastSequence: Int64, scanned: Int, bytes: Int,
        hasMore: Bool
    ) {
        self.fingerprint = fingerprint
        self.horizon = horizon
        self.content = content
        self.conflicts = conflicts
        self.lastSequence = lastSequence
        self.scanned = scanned
        self.bytes = bytes
        self.hasMore = hasMore
    }

    package var records: [StoredRecord] { (0..<content.count).map { content[$0] } }

    /// Of each of the records, in the same order.
    package var pasts: [RecordPast] { (0..<content.count).map(content.past(at:)) }
}
