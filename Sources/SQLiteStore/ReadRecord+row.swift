import SyncEngine

extension ReadRecord {
    /// The exact columns that a statement must select.
    static let columns = """
        guid, model, owner, group_name, fields, revision, is_deleted, is_conflicted, created, place,
        moved
        """

    /// Reads a row without copying: the texts stay in SQLite's memory. Fields that are not read
    /// are empty.
    init(_ row: StatementRow, readingFields: Bool) throws(StoreError) {
        self.init(
            guid: try row.bytes(0), model: try row.bytes(1), owner: try row.bytes(2),
            group: try row.bytes(3), fields: try readingFields ? row.bytes(4) : Self.noFields,
            revision: try row.number(5, as: .revision),
            isDeleted: row.number(6) != 0, isConflicted: row.number(7) != 0,
            created: try row.number(8, as: .sequence),
            lastChanged: RowKey.sequence(of: row.number(9)))
    }
}

extension ReadRecord {
    private static let emptyObject: StaticString = "{}"

    private static var noFields: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: emptyObject.utf8Start, count: emptyObject.utf8CodeUnitCount)
    }
}

extension StatementRow {
    /// The model, the owner and the group, in a row of `ReadRecord.columns`.
    func owner() throws(StoreError) -> OwnedRecord {
        OwnedRecord(model: try text(1), owner: try text(2), group: try text(3))
    }

    /// Sequence of the last change of owner or group, in a row of `ReadRecord.columns`.
    var moved: Int64 { number(10) }
}
