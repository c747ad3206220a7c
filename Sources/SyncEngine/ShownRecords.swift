import SyncProtocol

/// Records that came through the gate: what their reader may see of them, before it is put into
/// words.
struct ShownRecords: Sendable {
    private var pages: [PageRecords] = []
    /// What is looked at, as long as nothing of it is shown: then there is no reason to keep it.
    private var looked: PageRecords?
    private var shown: [Shown] = []
    /// What of one or more of them is seen.
    private var selections: [FieldSelection] = []
    private var conflicts: [[ConflictMessage]] = []

    /// All of numbers, so that there is nothing to count for each record that is handed on.
    private struct Shown: Sendable {
        let page: Int
        let place: Int
        let selection: Int
        /// Of what may be seen of it; nil when the record has none.
        let conflicts: Int?
    }

    var count: Int { shown.count }

    /// What is shown from here on is of this page.
    mutating func begin(_ page: PageRecords) { looked = page }

    /// What is shown from here on has these fields.
    mutating func begin(_ selection: FieldSelection) { selections.append(selection) }

    mutating func show(_ place: Int, conflicts found: [ConflictMessage]?) {
        if let page = looked {
            pages.append(page)
            looked = nil
        }
        if let found { conflicts.append(found) }
        shown.append(
            Shown(
                page: pages.count - 1, place: place, selection: selections.count - 1,
                conflicts: found == nil ? nil : conflicts.count - 1))
    }

    mutating func removeAll(of guid: String) {
        var guid = guid
        guid.withUTF8 { guid in
            shown.removeAll {
                let page = pages[$0.page]
                return page.isSame(guid, at: page.rows[$0.place].guid)
            }
        }
    }

    func messages() throws(StoreError) -> [RecordMessage] {
        try shown.map { one throws(StoreError) in
            try RecordMessage(
                pages[one.page][one.place], showing: selections[one.selection],
                conflicts: one.conflicts.map { conflicts[$0] })
        }
    }
}

extension RecordMessage {
    init(
        _ record: StoredRecord, showing fields: FieldSelection, conflicts: [ConflictMessage]?
    ) throws(StoreError) {
        let isGone = record.isDeleted && !record.isConflicted
        self.init(
            model: record.model, guid: record.guid, revision: record.revision,
            owner: record.owner, group: record.group, deleted: record.isDeleted,
            conflicted: record.isConflicted,
            fields: isGone ? nil : try fields.values(in: record.fieldsText), conflicts: conflicts)
    }
}

// MARK: - As JSON

extension ShownRecords {
    /// About how many they come to.
    var expectedBytes: Int { pages.reduce(0) { $0 + $1.textBytes + 200 * $1.count } }

    /// The messages, with commas between them, members in the order of their bytes. For a page of
    /// records this is what takes the time.
    func write(to writer: inout JSONWriter) throws(StoreError) {
        var next = shown.startIndex
        for (number, page) in pages.enumerated() {
            let end = shown[next...].firstIndex { $0.page != number } ?? shown.endIndex
            if next > 0 && next < end { writer.piece(",") }
            try page.withBytes { bytes throws(StoreError) in
                try write(shown[next..<end], of: page.rows, bytes, to: &writer)
            }
            next = end
        }
    }

    private func write(
        _ shown: ArraySlice<Shown>, of rows: [PageRecords.Row],
        _ bytes: UnsafeBufferPointer<UInt8>, to writer: inout JSONWriter
    ) throws(StoreError) {
        var names = WrittenNames()
        for index in shown.indices {
            if index > shown.startIndex { writer.piece(",") }
            let row = rows[shown[index].place]
            names.take(row.names, in: bytes)
            try write(shown[index], row, names, bytes, to: &writer)
        }
    }

    private func write(
        _ one: Shown, _ row: PageRecords.Row, _ names: borrowing WrittenNames,
        _ bytes: UnsafeBufferPointer<UInt8>, to writer: inout JSONWriter
    ) throws(StoreError) {
        if row.isConflicted || row.isDeleted {
            try writeState(of: row, one.conflicts.map { conflicts[$0] }, to: &writer)
        } else {
            writer.piece(#"{"conflicted":false,"deleted":false"#)
        }
        if row.isConflicted || !row.isDeleted {
            writer.piece(#","fields":"#)
            let fields = UnsafeBufferPointer(rebasing: bytes[row.fields])
            try selections[one.selection].write(fields, to: &writer)
        }
        names.writeGroup(to: &writer)
        writer.string(UnsafeBufferPointer(rebasing: bytes[row.guid]))
        names.writeModelAndOwner(to: &writer)
        writer.integer(row.revision)
        writer.piece("}")
    }

    private func writeState(
        of row: PageRecords.Row, _ conflicts: [ConflictMessage]?, to writer: inout JSONWriter
    ) throws(StoreError) {
        writer.piece(#"{"conflicted":"#)
        writer.flag(row.isConflicted)
        if let conflicts {
            writer.piece(#","conflicts":"#)
            writer.piece(written: try JSONText.encode(conflicts))
        }
        writer.piece(#","deleted":"#)
        writer.flag(row.isDeleted)
    }
}

/// What neighbouring records mostly have alike, as it is written between what they have not.
private struct WrittenNames: ~Copyable {
    private var names: PageRecords.Names?
    private var group: [UInt8] = []
    private var modelAndOwner: [UInt8] = []

    mutating func take(_ names: PageRecords.Names, in bytes: UnsafeBufferPointer<UInt8>) {
        guard self.names != names else { return }
        self.names = names
        group = written { writer in
            writer.piece(#","group":"#)
            writer.string(UnsafeBufferPointer(rebasing: bytes[names.group]))
            writer.piece(#","guid":"#)
        }
        modelAndOwner = written { writer in
            writer.piece(#","model":"#)
            writer.string(UnsafeBufferPointer(rebasing: bytes[names.model]))
            writer.piece(#","owner":"#)
            writer.string(UnsafeBufferPointer(rebasing: bytes[names.owner]))
            writer.piece(#","revision":"#)
        }
    }

    borrowing func writeGroup(to writer: inout JSONWriter) { writer.piece(group) }

    borrowing func writeModelAndOwner(to writer: inout JSONWriter) { writer.piece(modelAndOwner) }
}

private func written(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    write(&writer)
    return writer.bytes
}
