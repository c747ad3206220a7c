extension Database {
    /// Stores a new record, or the fields that differ in one that is there already. The next sync
    /// sends the change.
    ///
    /// Throws `refused` with every reason where a right or a limit of the definition forbids it,
    /// decided on the device by the rules of the server; `removed` for a record that was removed;
    /// `outOfSpace` if the disk is full.
    public func save(_ record: some Record) async throws(DatabaseError) {
        try await save(record.values)
    }

    /// Stores a record of any model, with those of its fields that are set. The other fields of a
    /// record that is there already stay as they are. Throws as ``save(_:)-(Record)`` does.
    public func save(_ values: RecordValues) async throws(DatabaseError) {
        try await edit { store, rules, db in try store.save(values, by: rules, db) }
    }

    /// Every reason why `save` would refuse this record, for example to show beside the fields of a
    /// form. Empty if `save` would store it. Changes nothing. Throws the errors of `save` that
    /// are no refusals, such as `removed`.
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

    /// Removes a record. The next sync sends the removal.
    ///
    /// Throws `refused` if the user may not delete it, and `recordUnknown` if there is none.
    public func remove(_ record: some Record) async throws(DatabaseError) {
        try await remove(record.values.model, record.guid)
    }

    private func remove(_ model: String, _ guid: String) async throws(DatabaseError) {
        try await edit { store, rules, db in
            try store.remove(guid, model: model, by: rules, db)
        }
    }

    /// Removes every record of a model that the user sees, or none if one of them may not be
    /// removed; then it throws `refused`.
    public func removeAll<Model: Record>(_ type: Model.Type) async throws(DatabaseError) {
        try await edit { store, rules, db in
            for guid in try store.guids(ofModel: Model.modelName, db) {
                try store.remove(guid, model: Model.modelName, by: rules, db)
            }
        }
    }

    /// The record with this guid, or nil if there is none that the user sees. Throws
    /// `notLoggedIn`, and `unreadable` for a record that does not fit the model.
    public func get<Model: Record>(
        _ type: Model.Type = Model.self, guid: String
    ) async throws(DatabaseError) -> Model? {
        try await look { store, rules, db in
            try store.shown(guid, as: type, by: rules, db)
        }
    }

    /// The record that a reference names, or nil if there is none that the user sees. Throws as
    /// ``get(_:guid:)`` does.
    public func get<Model: Record>(
        _ reference: Reference<Model>
    ) async throws(DatabaseError) -> Model? {
        try await get(Model.self, guid: reference.guid)
    }

    /// Whether there is a record with this guid that the user sees. Throws as ``get(_:guid:)``
    /// does.
    public func exists<Model: Record>(
        _ type: Model.Type, guid: String
    ) async throws(DatabaseError) -> Bool {
        try await get(type, guid: guid) != nil
    }

    /// The number of records of a model that the user sees. Throws `notLoggedIn`.
    public func count<Model: Record>(_ type: Model.Type) async throws(DatabaseError) -> Int {
        try await find(type).count()
    }

    /// Every record of a model that the user sees, in the order of their guids. Throws
    /// `notLoggedIn`, and `unreadable` if one of them does not fit the model.
    public func list<Model: Record>(_ type: Model.Type) async throws(DatabaseError) -> [Model] {
        try await find(type).all()
    }

    /// Makes several edits as one: all of them, or none if the body throws. Other edits of the
    /// database wait until it ends.
    ///
    /// Throws the `DatabaseError` that the body throws. Any other error of the body arrives as
    /// `failed` with its description, so let the body return what the app has to know.
    public func transaction<Result: Sendable>(
        _ body: @Sendable @escaping (borrowing Transaction) throws -> Result
    ) async throws(DatabaseError) -> Result {
        try await edit { store, rules, db in
            try body(Transaction(store: store, rules: rules, db: db))
        }
    }
}
