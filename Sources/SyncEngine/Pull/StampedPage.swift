/// A page of the changes of one model as an asker sees them, for clients that know a time in place
/// of a cursor. Nothing is made of each record but its place: to make a value of each text took
/// most of the time of a page.
package struct StampedPage: Sendable {
    private var parts: [Part] = []
    /// Sets of visible fields, each shared by one or more records.
    package private(set) var selections: [FieldSelection] = []
    package private(set) var count = 0
    /// The size of the stored fields that are shown, in bytes.
    package private(set) var storedBytes = 0
    /// The size of the texts that are kept, those of hidden records included, in bytes.
    package private(set) var heldBytes = 0
    /// Stamp of the last change of the last record.
    package private(set) var lastChange: Instant?
    /// Whether more records follow.
    package private(set) var hasMore = false

    /// Records that were read at once, and those of them that are shown.
    private struct Part: Sendable {
        let records: StampedRecords
        var shown: [Shown] = []
    }

    private struct Shown: Sendable {
        let place: Int
        /// Index in `selections`.
        let selection: Int
    }

    package init() {}

    /// Adds the records that the asker may see, up to a count of the page. Returns false at a
    /// record that is in conflict, whose answer needs more than is read.
    package mutating func add(
        _ records: StampedRecords, through readPolicy: ModelReadPolicy, skippingDeleted: Bool,
        upTo max: Int
    ) -> Bool {
        var part = Part(records: records)
        var names: PageRecords.Names?
        var isVisible = false
        for place in 0..<records.count where count < max {
            let row = records.content.rows[place]
            // The visible fields depend only on the ownership.
            if row.names != names {
                names = row.names
                let fields = readPolicy.fields(of: records.content.ownership(row.names))
                isVisible = fields != nil
                if let fields, fields != selections.last { selections.append(fields) }
            }
            guard isVisible, !(skippingDeleted && row.isDeleted) else { continue }
            guard !row.isConflicted else { return false }
            part.shown.append(Shown(place: place, selection: selections.count - 1))
            count += 1
            storedBytes += row.isDeleted ? 0 : row.fields.count
        }
        if !part.shown.isEmpty {
            parts.append(part)
            heldBytes += records.textBytes
        }
        noteLast()
        return true
    }

    /// Removes the record after the page, which tells that more follow.
    package mutating func end(at max: Int) {
        guard count > max, let last = parts.indices.last else { return }
        hasMore = true
        parts[last].shown.removeLast()
        if parts[last].shown.isEmpty { parts.removeLast() }
        count -= 1
        noteLast()
    }

    private mutating func noteLast() {
        lastChange = parts.last.flatMap { part in
            part.shown.last.map { part.records.stamps(at: $0.place).changedAt }
        }
    }
}

/// A record of a `StampedPage`. Its bytes are valid until the visit ends.
package struct StampedRow {
    /// The opaque id; nil if the guid is the id.
    package let name: String?
    package let guid: UnsafeBufferPointer<UInt8>
    package let revision: Int64
    package let isDeleted: Bool
    package let stamps: StampedRecords.Stamps
    /// Index in `StampedPage.selections`.
    package let selection: Int
    fileprivate let fields: UnsafeBufferPointer<UInt8>
}

extension StampedPage {
    package func forEachRow(_ visit: (StampedRow) throws(StoreError) -> Void) throws(StoreError) {
        for part in parts {
            let records = part.records
            try records.content.withBytes { bytes throws(StoreError) in
                for one in part.shown {
                    let row = records.content.rows[one.place]
                    try visit(
                        StampedRow(
                            name: records.name(at: one.place),
                            guid: UnsafeBufferPointer(rebasing: bytes[row.guid]),
                            revision: row.revision, isDeleted: row.isDeleted,
                            stamps: records.stamps(at: one.place), selection: one.selection,
                            fields: UnsafeBufferPointer(rebasing: bytes[row.fields])))
                }
            }
        }
    }

    /// Calls `use` with the values of a row, by the names of its selection. They are valid until it
    /// returns.
    package func withValues(
        of row: StampedRow, _ use: (StoredValues) -> Void
    ) throws(StoreError) {
        try selections[row.selection].withValues(in: row.fields, use)
    }
}
