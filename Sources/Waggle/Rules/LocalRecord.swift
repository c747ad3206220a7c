import AccessPolicy
import JSON
import SyncProtocol

/// A record as the device has it.
struct LocalRecord: Hashable, Sendable {
    let guid: String
    let model: String
    var owner: String
    var group: String
    /// Of the server's record; 0 while the server has none that the device knows of.
    var revision: Int64 = 0
    var isDeleted = false
    var isConflicted = false
    /// What the server sent; nil where it sent none.
    var server: [String: JSONValue]?
    var conflicts: [ConflictMessage] = []
    /// What the app sees: the server's values with the waiting changes on top. Nil for a record
    /// that is not there for the app, since it is deleted.
    var shown: [String: JSONValue]?
    /// Whether it has changes that the server has not settled.
    var isModified = false

    var ownership: Ownership { Ownership(owner: owner, group: group) }

    var values: RecordValues {
        RecordValues(
            model: model, guid: guid, owner: owner, group: group, isConflicted: isConflicted,
            fields: shown ?? server ?? [:])
    }
}

extension LocalRecord {
    init(_ message: RecordMessage) {
        guid = message.guid
        model = message.model
        owner = message.owner
        group = message.group
        revision = message.revision
        isDeleted = message.deleted
        isConflicted = message.conflicted
        server = message.fields ?? [:]
        conflicts = message.conflicts ?? []
    }

    /// With the changes of this record that wait, in their order, on top of what the server sent.
    /// Nil where nothing is left of it.
    /// `start` is what a record has that was made here, before anything is set.
    func showing(_ changes: [LocalChange], start: [String: JSONValue]) -> LocalRecord? {
        let pending = changes.filter(\.state.isPending)
        var record = self
        record.isModified = !pending.isEmpty
        record.shown = isDeleted ? nil : server
        for change in pending {
            switch change.action {
            case .create:
                record.shown = start.merging(change.fields) { _, given in given }
            case .update, .resolve:
                if let shown = record.shown {
                    record.shown = shown.merging(change.fields) { _, given in given }
                } else if change.action == .resolve, !change.fields.isEmpty {
                    record.shown = (server ?? [:]).merging(change.fields) { _, given in given }
                }
            case .delete: record.shown = nil
            }
        }
        guard record.server != nil || !pending.isEmpty else { return nil }
        let isGone = record.isDeleted && !record.isConflicted
        return isGone && pending.isEmpty ? nil : record
    }
}
