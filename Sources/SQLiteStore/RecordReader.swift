import Foundation
import GRDB
import GRDBSQLite
import SyncEngine

/// Reads records of the row where a statement stands, out of SQLite's own memory.
///
/// Pages have many rows, and to make a text of each column of each, through a copy that has to be
/// measured first, was a quarter of a page. Models, owners and groups are mostly those of the row
/// before, and are then the same texts.
struct RecordReader {
    /// What the statement has to select, first of all.
    static let columns =
        "guid, model, owner, group_name, revision, is_deleted, is_conflicted, fields"

    private let row: SQLiteStatement
    private var model = LastText()
    private var owner = LastText()
    private var group = LastText()

    init(of statement: Statement) { row = statement.sqliteStatement }

    mutating func record() throws(StoreError) -> StoredRecord {
        StoredRecord(
            guid: String(decoding: try bytes(0), as: UTF8.self),
            model: model.text(of: try bytes(1)), owner: owner.text(of: try bytes(2)),
            group: group.text(of: try bytes(3)), revision: number(4), isDeleted: number(5) != 0,
            isConflicted: number(6) != 0,
            fieldsText: String(decoding: try bytes(7), as: UTF8.self))
    }

    /// 0 for what is none.
    func number(_ column: Int32) -> Int64 { sqlite3_column_int64(row, column) }

    /// Until the statement goes on.
    private func bytes(_ column: Int32) throws(StoreError) -> UnsafeBufferPointer<UInt8> {
        guard let text = sqlite3_column_text(row, column) else {
            throw .unreadable("a record has no value in column \(column + 1)", remedy: .backup)
        }
        return UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(row, column)))
    }
}

/// A text that is mostly the same as the one before.
private struct LastText {
    private var last = ""

    mutating func text(of bytes: UnsafeBufferPointer<UInt8>) -> String {
        let isSame = last.withUTF8 { last in
            guard last.count == bytes.count else { return false }
            guard let one = last.baseAddress, let other = bytes.baseAddress else { return true }
            return memcmp(one, other, bytes.count) == 0
        }
        if !isSame { last = String(decoding: bytes, as: UTF8.self) }
        return last
    }
}
