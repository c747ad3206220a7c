import AccessPolicy
import Foundation

/// The records of one page, from the store to the encoder. All texts share one buffer: allocating,
/// retaining and releasing a string for each took about a third of the time of a page.
package struct PageRecords: Sendable {
    /// Always UTF-8.
    private var bytes: [UInt8] = []
    package private(set) var rows: [Row] = []
    /// Ownership changes by the index of the record; a record without any has no entry.
    private var ownershipChanges: [Int: [OwnershipChange]] = [:]

    package init() {}

    /// One record: the ranges of its texts in the buffer, and its numbers and flags.
    package struct Row: Sendable {
        package let guid: Range<Int>
        package let names: Names
        package let fields: Range<Int>
        package let revision: Int64
        package let isDeleted: Bool
        package let isConflicted: Bool
        let created: Int64
        let lastChanged: Int64
    }

    /// Ranges of the texts that many records share. Neighbours with the same text usually share its
    /// range.
    package struct Names: Hashable, Sendable {
        package let model: Range<Int>
        package let owner: Range<Int>
        package let group: Range<Int>
    }

    package var count: Int { rows.count }

    package mutating func append(_ record: ReadRecord, ownershipChanges: [OwnershipChange]) {
        let last = rows.last?.names
        let row = Row(
            guid: add(record.guid),
            names: Names(
                model: add(record.model, unlessAt: last?.model),
                owner: add(record.owner, unlessAt: last?.owner),
                group: add(record.group, unlessAt: last?.group)),
            fields: add(record.fields), revision: record.revision, isDeleted: record.isDeleted,
            isConflicted: record.isConflicted, created: record.created,
            lastChanged: record.lastChanged)
        append(row, ownershipChanges)
    }

    private mutating func append(_ row: Row, _ ownershipChanges: [OwnershipChange]) {
        if !ownershipChanges.isEmpty { self.ownershipChanges[rows.count] = ownershipChanges }
        rows.append(row)
    }

    private mutating func add(
        _ text: UnsafeBufferPointer<UInt8>, unlessAt place: Range<Int>?
    ) -> Range<Int> {
        guard let place, isSame(text, at: place) else { return add(text) }
        return place
    }

    /// Repairs invalid UTF-8, which a damaged file may contain, as `String(decoding:as:)` does.
    /// ASCII needs no check.
    private mutating func add(_ text: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        let start = bytes.count
        if text.reduce(0, |) < 0x80 {
            bytes.append(contentsOf: text)
        } else {
            bytes.append(contentsOf: String(decoding: text, as: UTF8.self).utf8)
        }
        return start..<bytes.count
    }

    func isSame(_ text: UnsafeBufferPointer<UInt8>, at place: Range<Int>) -> Bool {
        guard text.count == place.count else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            guard let one = text.baseAddress, let other = bytes.baseAddress else { return true }
            return memcmp(one, other + place.lowerBound, text.count) == 0
        }
    }

    package func withBytes<Result, Failure: Error>(
        _ use: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withUnsafeBufferPointer(use)
    }

    var textBytes: Int { bytes.count }

    func guid(at place: Int) -> String { text(at: rows[place].guid) }

    func ownership(_ names: Names) -> Ownership {
        Ownership(owner: text(at: names.owner), group: text(at: names.group))
    }

    func text(at place: Range<Int>) -> String { String(decoding: bytes[place], as: UTF8.self) }
}

/// A record whose texts point into the memory that it was read into.
package struct ReadRecord {
    package let guid: UnsafeBufferPointer<UInt8>
    package let model: UnsafeBufferPointer<UInt8>
    package let owner: UnsafeBufferPointer<UInt8>
    package let group: UnsafeBufferPointer<UInt8>
    package let fields: UnsafeBufferPointer<UInt8>
    package let revision: Int64
    package let isDeleted: Bool
    package let isConflicted: Bool
    package let created: Int64
    package let lastChanged: Int64

    package init(
        guid: UnsafeBufferPointer<UInt8>, model: UnsafeBufferPointer<UInt8>,
        owner: UnsafeBufferPointer<UInt8>, group: UnsafeBufferPointer<UInt8>,
        fields: UnsafeBufferPointer<UInt8>, revision: Int64, isDeleted: Bool, isConflicted: Bool,
        created: Int64, lastChanged: Int64
    ) {
        self.guid = guid
        self.model = model
        self.owner = owner
        self.group = group
        self.fields = fields
        self.revision = revision
        self.isDeleted = isDeleted
        self.isConflicted = isConflicted
        self.created = created
        self.lastChanged = lastChanged
    }
}

// MARK: - Conversion to values

extension PageRecords {
    package init(_ records: [StoredRecord], _ pasts: [RecordPast]) {
        for (record, past) in zip(records, pasts) { append(record, past) }
    }

    package mutating func append(_ record: StoredRecord, _ past: RecordPast) {
        let last = rows.last?.names
        let row = Row(
            guid: add(record.guid, unlessAt: nil),
            names: Names(
                model: add(record.model, unlessAt: last?.model),
                owner: add(record.owner, unlessAt: last?.owner),
                group: add(record.group, unlessAt: last?.group)),
            fields: add(record.fieldsText, unlessAt: nil), revision: record.revision,
            isDeleted: record.isDeleted, isConflicted: record.isConflicted, created: past.created,
            lastChanged: past.lastChanged)
        append(row, past.ownershipChanges)
    }

    private mutating func add(_ text: String, unlessAt place: Range<Int>?) -> Range<Int> {
        var text = text
        return text.withUTF8 { add($0, unlessAt: place) }
    }

    package subscript(place: Int) -> StoredRecord {
        let row = rows[place]
        return StoredRecord(
            guid: text(at: row.guid), model: text(at: row.names.model),
            owner: text(at: row.names.owner), group: text(at: row.names.group),
            revision: row.revision, isDeleted: row.isDeleted, isConflicted: row.isConflicted,
            fieldsText: text(at: row.fields))
    }

    package func past(at place: Int) -> RecordPast {
        RecordPast(
            created: rows[place].created, lastChanged: rows[place].lastChanged,
            ownershipChanges: ownershipChanges[place] ?? [])
    }
}

extension PageRecords: Equatable {
    package static func == (one: PageRecords, other: PageRecords) -> Bool {
        one.count == other.count
            && (0..<one.count).allSatisfy {
                one[$0] == other[$0] && one.past(at: $0) == other.past(at: $0)
            }
    }
}
