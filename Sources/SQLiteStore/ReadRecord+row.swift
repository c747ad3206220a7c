import SyncEngine

extension ReadRecord {
    /// The exact columns that a statement must select.
    static let columns = """
        guid, model, owner, group_name, fields, revision, is_deleted, is_conflicted, created, place,
        moved
        """

    /// Reads a row without copying: the texts stay in SQLite's memory.
    init(_ row: StatementRow) throws(StoreError) {
        self.init(
            guid: try row.bytes(0), model: try row.bytes(1), owner: try row.bytes(2),
            group: try row.bytes(3), fields: try row.bytes(4), revision: row.number(5),
            isDeleted: row.number(6) != 0, isConflicted: row.number(7) != 0,
            created: row.number(8), lastChanged: RowKey.sequence(of: row.number(9)))
    }
}

extension StatementRow {
    /// Sequence of the last change of owner or group, in a row of `ReadRecord.columns`.
    var moved: Int64 { number(10) }
}
