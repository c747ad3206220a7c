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
    /// after it, if the record has moved on.
    package let baseRevisions: [String: Int64]

    package init(
        environment: EnvironmentID, device: DeviceKey, changeIDs: [String], guids: [String],
        baseRevisions: [String: Int64]
    ) {
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
    package let holders: [UniqueValue: String]

    package init(
        fingerprint: String, outcomes: [String: StoredOutcome],
        records: [String: StoredRecord], history: [String: [HistoryEntry]],
        openConflicts: [String: Int], holders: [UniqueValue: String]
    ) {
        self.fingerprint = fingerprint
        self.outcomes = outcomes
        self.records = records
        self.history = history
        self.openConflicts = openConflicts
        self.holders = holders
    }
}

/// What was decided, all of it or nothing.
package struct Writes: Hashable, Sendable {
    /// New states, which get their sequences in this order.
    package var records: [StoredRecord] = []
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

    package init(
        environment: EnvironmentID, afterSequence: Int64, limit: Int, maxScanned: Int,
        maxBytes: Int,
        skipsDeleted: Bool
    ) {
        self.environment = environment
        self.afterSequence = afterSequence
        self.limit = limit
        self.maxScanned = maxScanned
        self.maxBytes = maxBytes
        self.skipsDeleted = skipsDeleted
    }
}

/// Records as they were at one moment.
package struct Page: Hashable, Sendable {
    /// Of the environment's current version at that moment.
    package let fingerprint: String
    package let records: [StoredRecord]
    /// Open ones of the page's records, by guid, oldest first.
    package let conflicts: [String: [StoredConflict]]
    /// How far the page goes: that of the last record looked at.
    package let lastSequence: Int64
    /// Records looked at, those left out included.
    package let scanned: Int
    /// Of the records' and conflicts' stored text.
    package let bytes: Int
    package let hasMore: Bool

    package init(
        fingerprint: String, records: [StoredRecord], conflicts: [String: [StoredConflict]],
        lastSequence: Int64, scanned: Int, bytes: Int, hasMore: Bool
    ) {
        self.fingerprint = fingerprint
        self.records = records
        self.conflicts = conflicts
        self.lastSequence = lastSequence
        self.scanned = scanned
        self.bytes = bytes
        self.hasMore = hasMore
    }
}
