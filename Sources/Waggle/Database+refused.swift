import GRDB
import SyncProtocol

/// A change that the server refused. It is no part of the record any more, and kept until it is
/// mended or given up.
public struct RefusedChange: Hashable, Sendable, Identifiable {
    public enum Action: String, Hashable, Sendable, CaseIterable {
        case create, update, delete, resolve
    }

    public let id: String
    public let action: Action
    public let model: String
    public let guid: String
    public let refusals: [Refusal]
    /// What it set.
    public let values: RecordValues
}

extension RefusedChange {
    /// The record that it wanted, on top of what there is; nil where it is of another model.
    public func record<Model: Record>(as type: Model.Type) throws(RecordError) -> Model? {
        guard model == Model.modelName, action != .delete else { return nil }
        return try Model(values)
    }
}

extension Database {
    /// What the server refused, the oldest first.
    public func refusedChanges() async throws(DatabaseError) -> [RefusedChange] {
        try await look { store, db in
            try store.changes(in: [.refused], db).map { change in
                RefusedChange(change, on: try store.record(change.guid, db))
            }
        }
    }

    /// Gives a refused change up. To mend it instead, save the record as it should be, and then
    /// forget the change.
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
    fileprivate init(_ change: LocalChange, on record: LocalRecord?) {
        id = change.id
        action = Action(change.action)
        model = change.model
        guid = change.guid
        refusals = change.causes.map { Refusal($0) }
        let start = record?.shown ?? change.before ?? [:]
        values = RecordValues(
            model: change.model, guid: change.guid, owner: record?.owner ?? "",
            group: record?.group ?? "", isConflicted: record?.isConflicted ?? false,
            fields: start.merging(change.fields) { _, own in own })
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
