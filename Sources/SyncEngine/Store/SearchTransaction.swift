package import AccessPolicy

/// A read transaction for searches of one environment, used by one caller at a time.
///
/// All its reads see one snapshot. Texts are compared by bytes. An error that a method throws ends
/// the transaction. A read with a `ReadLimit` ends with the row whose fields reach the limit in
/// bytes together with those before it: `ReadLimit.isReached` tells whether more may follow.
package protocol SearchTransaction {
    func currentState() throws -> CurrentState

    /// Returns the records with the guids, one per guid and in their order; nil for a guid without
    /// a record. Ends with the record whose fields reach `maxBytes` together with those before it,
    /// without elements for the later guids.
    func records(_ guids: [String], maxBytes: Int) throws -> [FoundRecord?]

    /// Returns the model of the record with each guid, in their order; nil for a guid without a
    /// record. Fields are not read.
    func models(_ guids: [String]) throws -> [String?]

    /// Returns the opaque id that stands for each guid, in their order; nil for a guid that is its
    /// own id. The id stays when its record is deleted or purged.
    func names(_ guids: [String]) throws -> [String?]

    /// Returns the open conflicts of each record, oldest first.
    func openConflicts(of guids: [String]) throws -> [[StoredConflict]]

    /// Returns the first group that comes after another one and has records of the model that are
    /// not deleted or have an open conflict. A nil `group` comes before all groups.
    func nextGroup(of model: String, after group: String?) throws -> String?

    /// Returns the first records of a run, in the order of owner, creation and guid.
    func records(in run: RecordRun, atMost limit: ReadLimit) throws -> [FoundRecord]

    /// Returns the places of the first records of each run, in their order, but of each at most so
    /// many. Fields are not read.
    func places(in runs: [(run: RecordRun, count: Int)]) throws -> [[RecordRun.Start]]

    /// Returns the first owners of a run that is not one of a single owner.
    func owners(in run: RecordRun, atMost count: Int) throws -> [String]

    /// Calls `visit` with what orders each record of a run, in the order of owner, creation and
    /// guid, until it returns false. `visit` must not read.
    func forEachText(in run: RecordRun, _ visit: (RecordText) throws -> Bool) throws

    /// Returns the number of records in a run, but at most `max`.
    func recordCount(in run: RecordRun, upTo max: Int) throws -> Int

    /// Returns the guids of the records that are registered as holders of the values, in any order.
    func holders(of values: [UniqueValue]) throws -> [String]

    /// Returns deleted records of a model with an open conflict. The order is the store's.
    /// `guid` is that of the last record that was read; nil reads from the beginning.
    func disputedTombstones(
        of model: String, after guid: String?, atMost limit: ReadLimit
    ) throws -> [FoundRecord]

    /// Returns records that name a target now or in their history. The order is the store's.
    /// `guid` is that of the last record that was read; nil reads from the beginning.
    func records(
        naming target: String, after guid: String?, atMost limit: ReadLimit
    ) throws -> [FoundRecord]

    /// Returns the number of records that name a target now or in their history, but at most `max`.
    func linkCount(to target: String, upTo max: Int) throws -> Int

    /// Returns the first entries of a record's history after a place, by revision, and entries of
    /// one revision in the order in which they were written.
    func history(
        of guid: String, after place: HistoryPosition, atMost limit: ReadLimit
    ) throws -> [PlacedHistoryEntry]

    /// Returns the number of entries of a record's history, and the bytes of their values.
    func historyAmount(of guid: String) throws -> StoredAmount

    /// Returns the last change of the first record that was last changed after a sequence; nil if
    /// there is none.
    func firstChange(after sequence: Int64) throws -> ChangePoint?

    /// Returns records of a model that were last changed after a sequence, deleted ones included,
    /// in the order of their last change.
    func records(
        of model: String, changedAfter sequence: Int64, atMost limit: ReadLimit
    ) throws -> [FoundRecord]

    /// Returns the same records, but for what is in no answer to a pull by time. It ends before
    /// `count` once their texts have `maxBytes` bytes.
    func stampedRecords(
        of model: String, changedAfter sequence: Int64, atMost count: Int, maxBytes: Int
    ) throws -> StampedRecords

    /// Returns what is known of purged records of a model that were deleted after a sequence and
    /// up to another one, in the order of their deletion, as deleted records without values. Not
    /// of those that an earlier version of Waggle purged.
    func purgedRecords(
        of model: String, deletedAfter sequence: Int64, through last: Int64, atMost count: Int
    ) throws -> [FoundRecord]

    /// Returns the changes of owner or group of records of a model after a sequence and up to
    /// another one, in their order. Those of purged records too, but not those that an earlier
    /// version of Waggle wrote.
    func reassignments(
        of model: String, after sequence: Int64, through last: Int64, atMost count: Int
    ) throws -> [Reassignment]

    /// Returns the first of these changes, whatever the model of its record; nil if there is none.
    /// It takes no longer where there are many of them.
    func firstReassignment(after sequence: Int64, through last: Int64) throws -> ChangePoint?

    /// Returns the changes of the owner or group of each record after a sequence, oldest first.
    /// Changes of purged records are included.
    func ownershipChanges(of guids: [String], after sequence: Int64) throws -> [[OwnershipChange]]

    /// Returns the changes of what a user sees: those of the user's group, and of the definition.
    /// In the order of their stamps.
    func readPolicyChanges(of login: String) throws -> [ReadPolicyChange]
}

/// A record that a store has read for a search, with the sequence of its creation.
package struct FoundRecord: Sendable {
    package let record: StoredRecord
    /// Sequence of the creation, which never changes; 0 if it was not recorded.
    package let created: Int64
    /// The stamp of the creation, which never changes.
    package let createdAt: Instant
    package let change: ChangePoint
    /// The opaque id; nil if the guid is the id, or if names are not read.
    package let name: String?

    package init(
        record: StoredRecord, created: Int64, createdAt: Instant, change: ChangePoint,
        name: String?
    ) {
        self.record = record
        self.created = created
        self.createdAt = createdAt
        self.change = change
        self.name = name
    }

    /// The same record with another stamp of its last change.
    package func changed(at stamp: Instant) -> FoundRecord {
        FoundRecord(
            record: record, created: created, createdAt: createdAt,
            change: ChangePoint(sequence: change.sequence, stamp: stamp), name: name)
    }

    /// The same record without the values of its fields, which may be large.
    package var withoutFields: FoundRecord {
        var bare = record
        bare.fieldsText = "{}"
        return FoundRecord(
            record: bare, created: created, createdAt: createdAt, change: change, name: name)
    }

    /// The size of the fields, in bytes.
    package var fieldBytes: Int { record.fieldsText.utf8.count }
}

extension [FoundRecord] {
    /// The size of the fields of all, in bytes.
    package var fieldBytes: Int { reduce(0) { $0 + $1.fieldBytes } }
}

extension ReadLimit {
    /// Whether more may follow after a read that found these.
    package func isReached(by found: [FoundRecord]) -> Bool {
        isReached(byRows: found.count, bytes: found.fieldBytes)
    }
}

/// The parts of a record that a search reads to order it. The texts are valid until the next one is
/// read.
package struct RecordText {
    package let guid: UnsafeBufferPointer<UInt8>
    /// See `FoundRecord.created`.
    package let created: Int64
    package let isDeleted: Bool
    package let fields: UnsafeBufferPointer<UInt8>

    package init(
        guid: UnsafeBufferPointer<UInt8>, created: Int64, isDeleted: Bool,
        fields: UnsafeBufferPointer<UInt8>
    ) {
        self.guid = guid
        self.created = created
        self.isDeleted = isDeleted
        self.fields = fields
    }
}

extension FoundRecord {
    fileprivate func withText<Value>(_ use: (RecordText) throws -> Value) rethrows -> Value {
        var (guid, fields) = (record.guid, record.fieldsText)
        return try guid.withUTF8 { guid in
            try fields.withUTF8 { fields in
                try use(
                    RecordText(
                        guid: guid, created: created, isDeleted: record.isDeleted, fields: fields))
            }
        }
    }
}

extension SearchTransaction {
    /// Reads whole records, for stores without a read of their own.
    package func places(
        in runs: [(run: RecordRun, count: Int)]
    ) throws -> [[RecordRun.Start]] {
        try runs.map { run, count in
            try records(in: run, atMost: ReadLimit(rows: count, bytes: ReadLimit.none.bytes))
                .map(RecordRun.Start.init(after:))
        }
    }

    /// Reads a place of each owner, which a store does without a round trip.
    package func owners(in run: RecordRun, atMost count: Int) throws -> [String] {
        var (run, owners) = (run, [String]())
        while owners.count < count, let first = try places(in: [(run, 1)])[0].first {
            owners.append(first.owner)
            run.start = .end(ofOwner: first.owner)
        }
        return owners
    }

    /// Reads whole records, for stores without a read of their own.
    package func forEachText(
        in run: RecordRun, _ visit: (RecordText) throws -> Bool
    ) throws {
        var (run, batch) = (run, BatchSize())
        while true {
            let limit = batch.limit
            let found = try records(in: run, atMost: limit)
            guard try found.allSatisfy({ try $0.withText(visit) }), limit.isReached(by: found),
                let last = found.last
            else { return }
            run.start = RecordRun.Start(after: last)
            batch.adjust(after: found.fieldBytes)
        }
    }

    /// Returns the guid of the first record of a model that a user owns: of those of the first
    /// group, the one created first. Nil if there is none. A deleted one counts while it has an
    /// open conflict.
    package func firstRecord(of model: String, ownedBy login: String) throws -> String? {
        var group = try nextGroup(of: model, after: nil)
        while let present = group {
            let run = RecordRun(
                model: model, group: present, owners: .only(login),
                start: .beginning(ofOwner: login))
            if let place = try places(in: [(run, 1)])[0].first { return place.guid }
            group = try nextGroup(of: model, after: present)
        }
        return nil
    }

    /// Returns the guid of the record of a model that was made for a user: of several, the one
    /// created first. One that was another user's counts only if there is no other, so that nobody
    /// else decides which record it is. It looks at the first ten records of each group. Nil if the
    /// user owns none.
    package func ownRecord(of model: String, ownedBy login: String) throws -> String? {
        var found: [RecordRun.Start] = []
        var group = try nextGroup(of: model, after: nil)
        while let present = group {
            let run = RecordRun(
                model: model, group: present, owners: .only(login),
                start: .beginning(ofOwner: login))
            found += try places(in: [(run, 10)])[0]
            group = try nextGroup(of: model, after: present)
        }
        let guids = found.sorted { ($0.created, $0.guid) < ($1.created, $1.guid) }.map(\.guid)
        guard guids.count > 1 else { return guids.first }
        let changes = try ownershipChanges(of: guids, after: 0)
        let own = zip(guids, changes).first { $1.allSatisfy { $0.owner == login } }
        return own?.0 ?? guids.first
    }

    /// Returns the records with the guids, whatever their size.
    package func records(_ guids: [String]) throws -> [FoundRecord?] {
        try records(guids, maxBytes: .max)
    }
}

/// A change of the owner or group of a record.
package struct Reassignment: Sendable {
    /// The record with its present owner and group, without its values, and with the sequence and
    /// the stamp of the change.
    package let found: FoundRecord
    /// Owner and group before the change.
    package let former: Ownership

    package init(found: FoundRecord, former: Ownership) {
        self.found = found
        self.former = former
    }
}

/// Records of one model and group that are not deleted or have an open conflict, in the order of
/// owner, creation and guid.
package struct RecordRun: Hashable, Sendable {
    package let model: String
    package let group: String
    package let owners: Owners
    /// The records after this place are in the run. For a single owner, the place is one of that
    /// owner.
    package var start: Start

    package init(model: String, group: String, owners: Owners, start: Start) {
        self.model = model
        self.group = group
        self.owners = owners
        self.start = start
    }

    /// The owners whose records are in the run.
    package enum Owners: Hashable, Sendable {
        case only(String)
        case allBut(String)
        case everybody
    }

    package struct Start: Hashable, Sendable {
        package let owner: String
        package let created: Int64
        package let guid: String

        /// The place before all records of an owner. No owner comes before the empty one.
        package static func beginning(ofOwner owner: String = "") -> Start {
            Start(owner: owner, created: 0, guid: "")
        }

        /// The place after all records of an owner.
        package static func end(ofOwner owner: String) -> Start {
            Start(owner: owner, created: .max, guid: "")
        }

        package init(owner: String, created: Int64, guid: String) {
            self.owner = owner
            self.created = created
            self.guid = guid
        }

        package init(after found: FoundRecord) {
            self.init(
                owner: found.record.owner, created: found.created, guid: found.record.guid)
        }
    }
}

/// A position in the history of a record.
package struct HistoryPosition: Hashable, Sendable {
    package let revision: Int64
    /// Ascends with the entries of one revision, in the order in which they were written.
    package let number: Int64

    package init(revision: Int64, number: Int64) {
        self.revision = revision
        self.number = number
    }
}

/// An entry of a history with its place.
package struct PlacedHistoryEntry: Hashable, Sendable {
    package let place: HistoryPosition
    package let entry: HistoryEntry

    package init(number: Int64, entry: HistoryEntry) {
        place = HistoryPosition(revision: entry.revision, number: number)
        self.entry = entry
    }
}
