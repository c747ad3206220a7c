package import DefinitionModel

/// A transaction that writes to one environment, used by one caller at a time.
///
/// Nobody else changes what it reads until it ends, including what is not there. An error that a
/// method throws ends the transaction.
package protocol CommitTransaction {
    /// Reads everything that is asked for at once, with what `write` has written before.
    func read(_ request: BatchRead) throws -> BatchRows

    /// Writes everything, in the order of the batch's properties. A store may put it off until it
    /// reads or commits, and throws a refusal then at the latest.
    func write(_ batch: WriteBatch) throws

    /// The time since it began, in milliseconds, without that for which it probably waited for
    /// other processes.
    var elapsedMilliseconds: Int64 { get }

    /// The time since it began, in milliseconds.
    var totalMilliseconds: Int64 { get }

    /// Whether it may presume absent the rows that calls expect to be absent; see
    /// `ExpectedAbsences`.
    var presumesAbsences: Bool { get }
}

extension CommitTransaction {
    package var totalMilliseconds: Int64 { elapsedMilliseconds }
    package var presumesAbsences: Bool { false }
}

/// Reads that a transaction carries out at once. The rows of a list are in the order of the list.
package struct BatchRead: Sendable {
    /// Whether the environment's current state is asked for.
    package var readsState = false
    /// Guids.
    package var records: [String] = []
    /// For each of these, whether a call creates the record, so that most likely nothing has its
    /// guid. Empty if no call does.
    package var areCreated: [Bool] = []
    /// The rows of records end with the one that reaches this size of their fields.
    package var maxRecordBytes = Int.max
    package var reachingRecord = ReachingRecord.read
    package var outcomes: [OutcomeID] = []
    /// Whether most likely none of the outcomes is stored.
    package var areOutcomesNew = false
    /// Guids of which is only asked whether their records were purged.
    package var purgedGuids: [String] = []
    package var history: [HistoryQuestion] = []
    package var historyCounts: [HistoryCountQuestion] = []
    /// The first ownership change of each record after a sequence.
    package var ownershipChanges: [HistoryStart] = []
    /// Guids of records whose open conflicts are counted.
    package var conflictAmounts: [String] = []
    package var conflicts: [ConflictQuestion] = []
    package var holders: [UniqueValue] = []
    /// Guids of records of which only the model, the owner and the group are read.
    package var owners: [String] = []
    package var changes: [ChangesQuestion] = []
    package var changedSources: [SourceQuestion] = []
    package var effects: [EffectQuestion] = []
    /// Guids.
    package var files: [String] = []
    package var recordsNamingFiles: [NamingQuestion] = []
    package var outcomeAmounts: [OutcomeQuestion] = []
    package var disputes: [DisputeQuestion] = []

    package init() {}

    /// Nothing is asked for.
    var isEmpty: Bool {
        !readsState && records.isEmpty && outcomes.isEmpty && purgedGuids.isEmpty
            && history.isEmpty && historyCounts.isEmpty && ownershipChanges.isEmpty
            && conflictAmounts.isEmpty && conflicts.isEmpty && holders.isEmpty && owners.isEmpty
            && changes.isEmpty && changedSources.isEmpty && effects.isEmpty && files.isEmpty
            && recordsNamingFiles.isEmpty && outcomeAmounts.isEmpty && disputes.isEmpty
    }
}

/// The rows of a `BatchRead`, in the order of its lists.
package struct BatchRows: Sendable {
    /// Nil if it was not asked for.
    package var state: CurrentState?
    /// Fewer than were asked for if these reach the maximum of bytes.
    package var records: [FoundState] = []
    /// Nil for unknown changes.
    package var outcomes: [StoredOutcome?] = []
    /// For each guid, whether its record was purged.
    package var purged: [Bool] = []
    /// For each start of a question its entries, by revision, and entries of one revision in the
    /// order in which they were written. Nil if there are more than the question's limit.
    package var history: [[[HistoryEntry]]?] = []
    package var historyCounts: [Int] = []
    package var ownershipChanges: [OwnershipChange?] = []
    package var conflictAmounts: [StoredAmount] = []
    /// For each record of a question its open conflicts, oldest first. Nil if there are more than
    /// the question's limit.
    package var conflicts: [[[StoredConflict]]?] = []
    /// Guids; nil for values that nobody holds.
    package var holders: [String?] = []
    /// Nil for guids without a record.
    package var owners: [OwnedRecord?] = []
    /// Nil if there are more than the question's limit.
    package var changes: [[StoredRecord]?] = []
    /// Nil if there are more than the question's limit.
    package var changedSources: [[StoredRecord]?] = []
    package var effects: [Bool] = []
    /// Nil for unknown files.
    package var files: [StoredFile?] = []
    /// For each file of a question.
    package var recordsNamingFiles: [[[NamingRecord]]] = []
    package var outcomeAmounts: [OutcomeAmounts] = []
    package var disputes: [StoredAmount] = []

    package init() {}
}

/// Whether a read takes the record with which it reaches its size.
package enum ReachingRecord: Int, Hashable, Sendable {
    case read
    /// It is read if no stored record comes before it. Otherwise the rows end before it, so that a
    /// store need not read a large record that is left to another transaction.
    case readIfFirst
    case left
}

/// The size of the records that a store has read for a request.
package struct RecordReadSize {
    private let maxBytes: Int
    private let reachingRecord: ReachingRecord
    /// Nil before the first stored record.
    private var bytes: Int?
    /// Whether the rows of records end.
    package private(set) var isReached: Bool

    package init(of request: BatchRead) {
        (maxBytes, reachingRecord) = (request.maxRecordBytes, request.reachingRecord)
        isReached = maxBytes <= 0
    }

    /// Whether the next state belongs to the rows.
    package mutating func takes(_ state: FoundState) -> Bool {
        guard !isReached, case .stored(let record) = state else { return !isReached }
        let isFirst = bytes == nil
        let total = (bytes ?? 0) + record.fieldsText.utf8.count
        (bytes, isReached) = (total, total >= maxBytes)
        switch reachingRecord {
        case .read: return true
        case .readIfFirst: return !isReached || isFirst
        case .left: return !isReached
        }
    }
}

/// The state of an environment at one moment of a transaction.
package struct CurrentState: Hashable, Sendable {
    /// The fingerprint of the current version.
    package let fingerprint: String
    package let moment: EnvironmentMoment
    /// The stamp of the last change, purged ones included.
    package let lastStamp: Instant
    /// The counter of `AccountsVersion`. Nil if it was not read.
    package var accounts: Int64?

    package init(fingerprint: String, moment: EnvironmentMoment, lastStamp: Instant) {
        self.fingerprint = fingerprint
        self.moment = moment
        self.lastStamp = lastStamp
    }

    /// The last change of the environment.
    package var lastChange: ChangePoint {
        ChangePoint(sequence: moment.sequence, stamp: lastStamp)
    }
}

/// The state of a guid.
package enum FoundState: Hashable, Sendable {
    /// No record ever had it.
    case free
    /// Its record was deleted and swept away.
    case purged
    case stored(StoredRecord)
}

/// The key of a stored outcome.
package struct OutcomeID: Hashable, Sendable {
    package let device: DeviceKey
    package let changeID: String

    package init(_ changeID: String, of device: DeviceKey) {
        self.device = device
        self.changeID = changeID
    }
}

/// Asks for the outcomes of a user that were not acknowledged.
package struct OutcomeQuestion: Hashable, Sendable {
    package let login: ByteKey
    /// The maximum number of outcomes to count.
    package let maxRows: Int
    /// Whether outcomes that expire count too. They never wait to be acknowledged.
    package let includesExpiring: Bool

    package init(of login: String, upTo maxRows: Int, includingExpiring: Bool) {
        self.login = ByteKey(login)
        self.maxRows = maxRows
        includesExpiring = includingExpiring
    }
}

/// Asks for the number of open conflicts that a user has opened.
package struct DisputeQuestion: Hashable, Sendable {
    package let login: String
    /// The maximum number of conflicts to count.
    package let maxRows: Int

    package init(by login: String, upTo maxRows: Int) {
        self.login = login
        self.maxRows = maxRows
    }
}

/// A position in the history of a record, after which entries are read.
package struct HistoryStart: Hashable, Sendable {
    package enum Position: Hashable, Sendable {
        case revision(Int64)
        case sequence(Int64)
    }

    package let guid: String
    package let position: Position

    package init(_ guid: String, after position: Position) {
        self.guid = guid
        self.position = position
    }
}

/// Asks for the number of entries of a record's history after a position, but at most for `max`.
package struct HistoryCountQuestion: Hashable, Sendable {
    package let start: HistoryStart
    package let max: Int

    package init(_ start: HistoryStart, upTo max: Int) {
        self.start = start
        self.max = max
    }
}

/// Asks for the histories of records after given positions. The limit is for all of them together.
package struct HistoryQuestion: Hashable, Sendable {
    package let starts: [HistoryStart]
    package let limit: ReadLimit

    package init(_ starts: [HistoryStart], limit: ReadLimit) {
        self.starts = starts
        self.limit = limit
    }
}

/// Asks for the open conflicts of records that a device has opened. The limit is for all of them
/// together.
package struct ConflictQuestion: Hashable, Sendable {
    package let guids: [String]
    package let device: DeviceKey
    package let limit: ReadLimit

    package init(_ guids: [String], by device: DeviceKey, limit: ReadLimit) {
        self.guids = guids
        self.device = device
        self.limit = limit
    }
}

/// Asks for all records that were last changed after a sequence, in that order.
package struct ChangesQuestion: Hashable, Sendable {
    package let afterSequence: Int64
    package let limit: ReadLimit

    package init(after sequence: Int64, limit: ReadLimit) {
        afterSequence = sequence
        self.limit = limit
    }
}

/// Asks for records that name a target now and changed after a sequence. The limit is for all
/// records that name the target.
package struct SourceQuestion: Hashable, Sendable {
    package let target: String
    /// Models of the records.
    package let models: [String]
    package let afterSequence: Int64
    package let limit: ReadLimit

    package init(
        naming target: String, models: [String], after sequence: Int64, limit: ReadLimit
    ) {
        self.target = target
        self.models = models
        afterSequence = sequence
        self.limit = limit
    }
}

/// Asks whether any change of other devices took effect on a record after a sequence. The answer is
/// also yes if more entries than `maxEntries` would have to be visited.
package struct EffectQuestion: Hashable, Sendable {
    package let guid: String
    package let afterSequence: Int64
    /// Its own changes do not count.
    package let device: DeviceKey
    package let maxEntries: Int

    package init(
        on guid: String, after sequence: Int64, besides device: DeviceKey, maxEntries: Int
    ) {
        self.guid = guid
        afterSequence = sequence
        self.device = device
        self.maxEntries = maxEntries
    }
}
