package import ChangeRules

/// Records that passed the read filter, with their visible fields, before they are encoded.
package struct ShownRecords: Sendable {
    package private(set) var pages: [PageRecords] = []
    /// The current page until one of its records is shown. A page without any is not kept.
    private var looked: PageRecords?
    package private(set) var shown: [Shown] = []
    /// Sets of visible fields, each shared by one or more records.
    package private(set) var selections: [FieldSelection] = []
    package private(set) var conflicts: [[RecordConflict]] = []

    /// A record as indices. Plain integers avoid reference counting per record.
    package struct Shown: Sendable {
        /// Index in `pages`.
        package let page: Int
        /// Index in the page's `rows`.
        package let place: Int
        /// Index in `selections`.
        package let selection: Int
        /// Index in `conflicts`; nil if the record has none.
        package let conflicts: Int?

        func moved(to place: Int) -> Shown {
            Shown(page: page, place: place, selection: selection, conflicts: conflicts)
        }
    }

    package var count: Int { shown.count }

    /// Whether a record of the current page is shown.
    var showsCurrentPage: Bool { looked == nil && !pages.isEmpty }

    /// Estimated size of the encoded records.
    package var expectedBytes: Int { pages.reduce(0) { $0 + $1.textBytes + 200 * $1.count } }

    /// Makes `page` the source of the records that are shown next.
    mutating func begin(_ page: PageRecords) { looked = page }

    /// Sets the visible fields of the records that are shown next.
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

    mutating func replace(_ index: Int, by one: Shown) { shown[index] = one }

    mutating func replaceLastPage(by page: PageRecords) { pages[pages.count - 1] = page }

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
