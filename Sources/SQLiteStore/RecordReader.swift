import GRDB
import SyncEngine

/// Reads records of the row where a statement stands, out of SQLite's own memory.
struct RecordReader {
    /// What the statement has to select, and nothing else.
    static let columns = """
        guid, model, owner, group_name, fields, revision, is_deleted, is_conflicted, created, place,
        moved
        """

    private let row: StatementRow

    init(of statement: Statement) { row = StatementRow(of: statement) }

    /// Good until the statement goes on.
    func record() throws(StoreError) -> ReadRecord {
        ReadRecord(
            guid: try row.bytes(0), model: try row.bytes(1), owner: try row.bytes(2),
            group: try row.bytes(3), fields: try row.bytes(4), revision: row.number(5),
            isDeleted: row.number(6) != 0, isConflicted: row.number(7) != 0,
            created: row.number(8), lastChanged: Place.sequence(of: row.number(9)))
    }

    /// The sequence at which it last got another owner or group.
    var moved: Int64 { row.number(10) }
}
