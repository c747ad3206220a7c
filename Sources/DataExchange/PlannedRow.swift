import ChangeRules
import SyncEngine

/// A row and its change.
struct PlannedRow {
    let row: ImportedRow
    let change: Change
    let owner: String?
    /// The stored record.
    var record: RecordView?
    /// Whether the change creates a record that an earlier row of the trial would have created.
    var isTriedUpdate = false

    /// The deletion that follows the creation of a record for a deleted row; nil for any other
    /// change.
    func deletion(from revision: Int64?) -> PlannedRow? {
        guard row.isDeleted, change.action == .create else { return nil }
        return PlannedRow(
            row: row,
            change: Change(
                id: row.id, action: .delete, model: change.model, guid: change.guid,
                baseRevision: revision, fields: [:]),
            owner: nil)
    }
}
