import ChangeRules
import JSON

extension ShownRecords {
    /// The size of the stored text that is shown, which is at most the size of the stored text. A
    /// value that is not shown changes nothing.
    func storedBytes() throws(StoreError) -> Int {
        var sum = 0
        for index in shown.indices { sum += try storedBytes(ofRecordAt: index) }
        return sum
    }

    func storedBytes(ofRecordAt index: Int) throws(StoreError) -> Int {
        let one = shown[index]
        let row = pages[one.page].rows[one.place]
        let hasFields = row.isConflicted || !row.isDeleted
        let fields =
            hasFields
            ? try pages[one.page].withBytes { bytes throws(StoreError) in
                try selections[one.selection].storedBytes(
                    in: UnsafeBufferPointer(rebasing: bytes[row.fields]))
            } : 0
        let open = one.conflicts.map { conflicts[$0] } ?? []
        return open.reduce(fields) { $0 + $1.leastBytes }
    }

    /// Keeps only what is shown of the last page, so that large values which are not shown take no
    /// memory until the answer is complete.
    mutating func compactLastPage() throws(StoreError) {
        guard let whole = pages.last else { return }
        let number = pages.count - 1
        var compact = PageRecords()
        for index in shown.indices.reversed().prefix(while: { shown[$0].page == number }).reversed()
        {
            let one = shown[index]
            try compact.append(whole, at: one.place, showing: selections[one.selection])
            replace(index, by: one.moved(to: compact.count - 1))
        }
        replaceLastPage(by: compact)
    }
}

extension PageRecords {
    /// Appends a record of another page with its visible fields only. Its former values
    /// are left out.
    fileprivate mutating func append(
        _ page: PageRecords, at place: Int, showing fields: FieldSelection
    ) throws(StoreError) {
        let row = page.rows[place]
        var writer = JSONWriter()
        try page.withBytes { bytes throws(StoreError) in
            let stored = UnsafeBufferPointer(rebasing: bytes[row.fields])
            if row.isConflicted || !row.isDeleted {
                try fields.write(stored, to: &writer)
            } else {
                writer.piece("{}")
            }
        }
        append(
            StoredRecord(
                guid: page.guid(at: place), model: page.text(at: row.names.model),
                owner: page.text(at: row.names.owner), group: page.text(at: row.names.group),
                revision: row.revision, isDeleted: row.isDeleted, isConflicted: row.isConflicted,
                fieldsText: writer.text),
            RecordPast(created: row.created, lastChanged: row.lastChanged, ownershipChanges: []))
    }
}

extension RecordView {
    /// A lower bound of the size of its values as JSON.
    var leastBytes: Int {
        (conflicts ?? []).reduce((fields ?? [:]).leastBytes) { $0 + $1.leastBytes }
    }
}

extension RecordConflict {
    fileprivate var leastBytes: Int {
        base.fields.leastBytes + mine.fields.leastBytes + theirs.fields.leastBytes
    }
}
