import ChangeRules
import SyncEngine

/// A row and its changes.
struct PlannedRow {
    let row: ImportedRow
    let change: Change
    let owner: String?
    /// The stored record.
    var record: RecordView?
    /// Whether the change creates a record that an earlier row of the trial would have created.
    var isTriedUpdate = false

    /// The same row without some fields.
    func without(_ fields: Set<String>) -> PlannedRow {
        PlannedRow(
            row: row,
            change: Change(
                id: change.id, action: change.action, model: change.model, guid: change.guid,
                baseRevision: change.baseRevision,
                fields: change.fields.filter { !fields.contains($0.key) }, name: change.name),
            owner: owner, record: record, isTriedUpdate: isTriedUpdate)
    }

    /// The record of a deleted row is created and deleted at once, so that nobody sees it.
    var changes: [Change] { deletion.map { [change, $0] } ?? [change] }

    /// The deletion that follows the creation of a record for a deleted row; nil for any other
    /// change.
    var deletion: Change? {
        guard row.isDeleted, change.action == .create else { return nil }
        return Change(
            id: row.id, action: .delete, model: change.model, guid: change.guid,
            baseRevision: nil, fields: [:])
    }
}
