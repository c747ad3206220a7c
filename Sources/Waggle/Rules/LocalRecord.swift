import AccessPolicy
import JSON
import SyncProtocol

/// A record as the device has it.
struct LocalRecord: Hashable, Sendable {
    let guid: String
    let model: String
    var owner: String
    var group: String
    /// The revision on the server; 0 if the server has not sent the record.
    var revision: Int64 = 0
    var isDeleted = false
    var isConflicted = false
    /// The fields that the server sent; nil if it has not sent the record.
    var server: [String: JSONValue]?
    var conflicts: [ConflictMessage] = []
    /// The fields that the app sees: the server's with the waiting changes on top. Nil for a
    /// deleted record.
    var shown: [String: JSONValue]?
    /// Whether it has changes without an outcome.
    var isModified = false

    var ownership: Ownership { Ownership(owner: owner, group: group) }

    /// The record as the app sees it.
    func values(by rules: LocalRules) -> RecordValues {
        values(shown ?? server ?? [:], by: rules)
    }

    /// The record with other fields.
    func values(_ fields: [String: JSONValue], by rules: LocalRules) -> RecordValues {
        RecordValues(
            model: model, guid: guid, owner: owner, group: group, isConflicted: isConflicted,
            fields: rules.readable(fields, of: model))
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

    /// The record with its waiting changes, in their order, on top of the server's fields. Nil
    /// where nothing is left of it. `start` has the fields of a new record before any is set.
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
