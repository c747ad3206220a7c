import GRDB
import SyncProtocol

/// A change that the server refused. It is not part of the record any more; the device keeps it
/// until ``Database/forget(_:)`` discards it.
public struct RefusedChange: Hashable, Sendable, Identifiable {
    /// The kind of a change.
    public enum Action: String, Hashable, Sendable, CaseIterable {
        /// As on the wire.
        case create, update, delete, resolve
    }

    /// The id of the change, by which the server knows it.
    public let id: String
    /// The kind of the change.
    public let action: Action
    /// The model of the record.
    public let model: String
    /// The guid of the record.
    public let guid: String
    /// Every reason why the server refused the change.
    public let refusals: [Refusal]
    /// The record as the change wants it.
    public let values: RecordValues
}

extension RefusedChange {
    /// The record as the change wants it. Nil for a deletion, and if the record is of another
    /// model. Throws `unexpectedValue` if a value does not fit the model.
    public func record<Model: Record>(as type: Model.Type) throws(RecordError) -> Model? {
        guard model == Model.modelName, action != .delete else { return nil }
        return try Model(values)
    }
}

extension Database {
    /// The changes that the server refused, the oldest first. Throws `notLoggedIn`.
    public func refusedChanges() async throws(DatabaseError) -> [RefusedChange] {
        try await look { store, rules, db in
            try store.changes(in: [.refused], db).map { change in
                RefusedChange(change, on: try store.record(change.guid, db), by: rules)
            }
        }
    }

    /// Discards a refused change. To correct it instead, save the corrected record first, and then
    /// forget the change. Throws `notLoggedIn`; forgetting a change twice is no error.
    public func forget(_ change: RefusedChange) async throws(DatabaseError) {
        try await edit { store, _, db in
            guard let stored = try store.change(change.id, db), stored.state == .refused else {
                return
            }
            try store.removeChange(stored.number, db)
        }
    }
}

extension RefusedChange {
    fileprivate init(_ change: LocalChange, on record: LocalRecord?, by rules: LocalRules) {
        id = change.id
        action = Action(change.action)
        model = change.model
        guid = change.guid
        refusals = change.causes.map { Refusal($0) }
        let start = record?.shown ?? change.before ?? [:]
        values = RecordValues(
            model: change.model, guid: change.guid, owner: record?.owner ?? "",
            group: record?.group ?? "", isConflicted: record?.isConflicted ?? false,
            fields: rules.readable(start, of: change.model)
                .merging(change.fields) { _, own in own })
    }
}

extension RefusedChange.Action {
    fileprivate init(_ action: ChangeMessage.Action) {
        switch action {
        case .create: self = .create
        case .update: self = .update
        case .delete: self = .delete
        case .resolve: self = .resolve
        }
    }
}
