extension Database {
    /// Stores a new record, or what is different in one that is there already. Whether it may be is
    /// decided here, by the rules of the server.
    public func save(_ record: some Record) async throws(DatabaseError) {
        try await save(record.values)
    }

    /// The same of a record of any model, with those of its fields that are set. The others of one
    /// that is there already stay as they are.
    public func save(_ values: RecordValues) async throws(DatabaseError) {
        try await edit { store, rules, db in try store.save(values, by: rules, db) }
    }

    /// Why `save` would refuse this record: every reason, such as to be shown beside the fields of
    /// a form. Empty where it would store it. Nothing is changed.
    public func refusals(saving record: some Record) async throws(DatabaseError) -> [Refusal] {
        let values = record.values
        let session = try session()
        do {
            try await session.store.read { db in
                try session.store.check(values, by: session.rules, db)
            }
            return []
        } catch {
            guard case .refused(let refusals) = error else { throw error }
            return refusals
        }
    }

    public func remove(_ record: some Record) async throws(DatabaseError) {
        try await remove(record.values.model, record.guid)
    }

    private func remove(_ model: String, _ guid: String) async throws(DatabaseError) {
        try await edit { store, rules, db in
            try store.remove(guid, model: model, by: rules, db)
        }
    }

    /// Every record of a model that is seen here, or none where one of them may not be removed.
    public func removeAll<Model: Record>(_ type: Model.Type) async throws(DatabaseError) {
        try await edit { store, rules, db in
            for guid in try store.guids(ofModel: Model.modelName, db) {
                try store.remove(guid, model: Model.modelName, by: rules, db)
            }
        }
    }

    /// Nil where there is none, or none that this user sees.
    public func get<Model: Record>(
        _ type: Model.Type = Model.self, guid: String
    ) async throws(DatabaseError) -> Model? {
        try await look { store, db in try store.shown(guid, as: type, db) }
    }

    /// The record that another one belongs to.
    public func get<Model: Record>(
        _ reference: Reference<Model>
    ) async throws(DatabaseError) -> Model? {
        try await get(Model.self, guid: reference.guid)
    }

    public func exists<Model: Record>(
        _ type: Model.Type, guid: String
    ) async throws(DatabaseError) -> Bool {
        try await get(type, guid: guid) != nil
    }

    /// How many records of a model there are.
    public func count<Model: Record>(_ type: Model.Type) async throws(DatabaseError) -> Int {
        try await find(type).count()
    }

    /// Every record of a model, in the order of their guids.
    public func list<Model: Record>(_ type: Model.Type) async throws(DatabaseError) -> [Model] {
        try await find(type).all()
    }

    /// Several edits as one: all of them, or none where one throws.
    public func transaction<Result: Sendable>(
        _ body: @Sendable @escaping (borrowing Transaction) throws -> Result
    ) async throws(DatabaseError) -> Result {
        try await edit { store, rules, db in
            try body(Transaction(store: store, rules: rules, db: db))
        }
    }
}
