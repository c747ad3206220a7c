import GRDB

/// Edits of the records on this device that are done together or not at all.
public struct Transaction: ~Copyable {
    let store: DeviceStore
    let rules: LocalRules
    let db: GRDB.Database

    /// Stores a new record, or the fields that differ in one that is there already. Throws as
    /// ``Database/save(_:)-(Record)`` does.
    public func save(_ record: some Record) throws(DatabaseError) {
        try translating { try store.save(record.values, by: rules, db) }
    }

    /// Removes a record. Throws `refused` if the user may not delete it, and `recordUnknown` if
    /// there is none.
    public func remove<Model: Record>(_ record: Model) throws(DatabaseError) {
        try translating {
            try store.remove(record.guid, model: Model.modelName, by: rules, db)
        }
    }

    /// The record with this guid, or nil if there is none that the user sees. Throws
    /// `unreadable` for a record that does not fit the model.
    public func get<Model: Record>(
        _ type: Model.Type = Model.self, guid: String
    ) throws(DatabaseError) -> Model? {
        try translating { try store.shown(guid, as: type, by: rules, db) }
    }

    /// The records that a query finds, with the edits of this transaction. Throws `unreadable` if
    /// one of them does not fit the model.
    public func find<Model: Record>(_ query: Query<Model>) throws(DatabaseError) -> [Model] {
        try translating { try store.found(query, by: rules, db) }
    }

    private func translating<Result>(
        _ body: () throws -> Result
    ) throws(DatabaseError) -> Result {
        do {
            return try body()
        } catch {
            throw DatabaseError(error)
        }
    }
}
