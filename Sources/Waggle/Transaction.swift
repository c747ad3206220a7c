import GRDB

/// Edits of the records on this device that are done together or not at all.
public struct Transaction: ~Copyable {
    let store: DeviceStore
    let rules: LocalRules
    let db: GRDB.Database

    public func save(_ record: some Record) throws(DatabaseError) {
        try translating { try store.save(record.values, by: rules, db) }
    }

    public func remove<Model: Record>(_ record: Model) throws(DatabaseError) {
        try translating {
            try store.remove(record.guid, model: Model.modelName, by: rules, db)
        }
    }

    /// Nil where there is none, or none that this user sees.
    public func get<Model: Record>(
        _ type: Model.Type = Model.self, guid: String
    ) throws(DatabaseError) -> Model? {
        try translating { try store.shown(guid, as: type, db) }
    }

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
