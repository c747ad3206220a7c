import SyncEngine

extension ReadRecord {
    /// What a statement has to select, and nothing else.
    static let columns = """
        guid, model, owner, group_name, fields, revision, is_deleted, is_conflicted, created, place,
        moved
        """

    /// Out of SQLite's own memory.
    init(_ row: StatementRow) throws(StoreError) {
        self.init(
            guid: try row.bytes(0), model: try row.bytes(1), owner: try row.bytes(2),
            group: try row.bytes(3), fields: try row.bytes(4), revision: row.number(5),
            isDeleted: row.number(6) != 0, isConflicted: row.number(7) != 0,
            created: row.number(8), lastChanged: Place.sequence(of: row.number(9)))
    }
}

extension StatementRow {
    /// Of a row of `ReadRecord.columns`, the sequence at which the record last got another owner or
    /// group.
    var moved: Int64 { number(10) }
}
