import SyncEngine

extension ReadRecord {
    /// The exact columns that a statement must select.
    static let columns = columns(fields: "fields")

    /// The columns without the fields. SQLite reads the whole text of each selected column, also if
    /// nobody asks for it.
    static let columnsWithoutFields = columns(fields: "NULL")

    private static func columns(fields: String) -> String {
        """
        guid, model, owner, group_name, \(fields), revision, is_deleted, is_conflicted, created,
        place, moved
        """
    }

    /// Reads a row without copying: the texts stay in SQLite's memory.
    init(_ row: StatementRow) throws(StoreError) {
        try self.init(row, fields: row.fields())
    }

    /// Reads a row of `columnsWithoutFields`. Fields that are nil are empty.
    init(_ row: StatementRow, fields: UnsafeBufferPointer<UInt8>?) throws(StoreError) {
        self.init(
            guid: try row.bytes(0), model: try row.bytes(1), owner: try row.bytes(2),
            group: try row.bytes(3), fields: fields ?? Self.noFields,
            revision: try row.number(5, as: .revision),
            isDeleted: row.number(6) != 0, isConflicted: row.number(7) != 0,
            created: try row.number(8, as: .sequence),
            lastChanged: RowKey.sequence(of: row.place))
    }
}

extension ReadRecord {
    private static let emptyObject: StaticString = "{}"

    private static var noFields: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: emptyObject.utf8Start, count: emptyObject.utf8CodeUnitCount)
    }
}

extension StatementRow {
    /// The fields, in a row of `ReadRecord.columns`.
    func fields() throws(StoreError) -> UnsafeBufferPointer<UInt8> { try bytes(4) }

    /// The row number, in a row of `ReadRecord.columns`.
    var place: Int64 { number(9) }

    /// The model, the owner and the group, in a row of `ReadRecord.columns`.
    func owner() throws(StoreError) -> OwnedRecord {
        OwnedRecord(model: try text(1), owner: try text(2), group: try text(3))
    }

    /// Sequence of the last change of owner or group, in a row of `ReadRecord.columns`.
    var moved: Int64 { number(10) }
}
