package import ChangeRules

/// Records that passed the gate: what their reader may see of them, before it is encoded.
package struct ShownRecords: Sendable {
    package private(set) var pages: [PageRecords] = []
    /// What is looked at, as long as nothing of it is shown: then there is no reason to keep it.
    private var looked: PageRecords?
    package private(set) var shown: [Shown] = []
    /// What of one or more of them is seen.
    package private(set) var selections: [FieldSelection] = []
    package private(set) var conflicts: [[RecordConflict]] = []

    /// A record by its indexes: numbers alone, so no reference is counted for each record.
    package struct Shown: Sendable {
        /// In `pages`.
        package let page: Int
        /// In the page's `rows`.
        package let place: Int
        /// In `selections`.
        package let selection: Int
        /// In `conflicts`; nil when the record has none.
        package let conflicts: Int?
    }

    package var count: Int { shown.count }

    /// About how many they come to.
    package var expectedBytes: Int { pages.reduce(0) { $0 + $1.textBytes + 200 * $1.count } }

    /// What is shown from here on is of this page.
    mutating func begin(_ page: PageRecords) { looked = page }

    /// What is shown from here on has these fields.
    mutating func begin(_ selection: FieldSelection) { selections.append(selection) }

    mutating func show(_ place: Int, conflicts found: [RecordConflict]?) {
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

    package func views() throws(StoreError) -> [RecordView] {
        try shown.map { one throws(StoreError) in
            try RecordView(
                pages[one.page][one.place], showing: selections[one.selection],
                conflicts: one.conflicts.map { conflicts[$0] })
        }
    }
}

extension RecordView {
    init(
        _ record: StoredRecord, showing fields: FieldSelection, conflicts: [RecordConflict]?
    ) throws(StoreError) {
        let isGone = record.isDeleted && !record.isConflicted
        self.init(
            model: record.model, guid: record.guid, revision: record.revision,
            owner: record.owner, group: record.group, isDeleted: record.isDeleted,
            isConflicted: record.isConflicted,
            fields: isGone ? nil : try fields.values(in: record.fieldsText), conflicts: conflicts)
    }
}
