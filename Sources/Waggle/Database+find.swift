import GRDB

extension Database {
    /// A search for records of a model, to be narrowed and then run:
    /// `database.find(Film.self).where(\.score >= 3).order(by: \.title).all()`
    public func find<Model: Record>(_ type: Model.Type) -> Search<Model> {
        find(Query())
    }

    /// A search for the records that a query describes.
    public func find<Model: Record>(_ query: Query<Model>) -> Search<Model> {
        Search(database: self, query: query)
    }
}

/// A query that runs against one database.
public struct Search<Model: Record>: Sendable {
    let database: Database
    /// The query that the search runs.
    public let query: Query<Model>

    private func with(_ query: Query<Model>) -> Search {
        Search(database: database, query: query)
    }
}

// MARK: - Queries

extension Search {
    /// Narrows the search to records that meet the condition, beside all earlier conditions.
    public func `where`(_ condition: Condition<Model>) -> Search { with(query.where(condition)) }

    /// Narrows the search to records one field of which passes the test.
    public func `where`<Value: Comparing>(
        _ path: KeyPath<Model, Value>, _ test: FieldTest<Value>
    ) -> Search {
        with(query.where(path, test))
    }

    /// Sorts by a field, ascending, after all earlier orders. Null and hidden values come first.
    /// Texts come in the order of their UTF-8 bytes, so `Z` before `a`, and both before `ä`.
    public func order(by path: KeyPath<Model, some Comparing>) -> Search {
        with(query.order(by: path))
    }

    /// Sorts by a field, descending, after all earlier orders.
    public func order(byDescending path: KeyPath<Model, some Comparing>) -> Search {
        with(query.order(byDescending: path))
    }

    /// Sorts by the distance from a point, the nearest first, after all earlier orders. Records
    /// without a point, or with a hidden one, come last.
    public func order(by distance: Distance<Model>) -> Search { with(query.order(by: distance)) }

    /// Sorts by the distance from a point, the farthest first, after all earlier orders. Records
    /// without a point, or with a hidden one, come last here too.
    public func order(byDescending distance: Distance<Model>) -> Search {
        with(query.order(byDescending: distance))
    }

    /// Leaves out the first `count` records; a negative count is 0.
    public func skip(_ count: Int) -> Search { with(query.skip(count)) }

    /// Finds at most `count` records; a negative count is 0.
    public func limit(to count: Int) -> Search { with(query.limit(to: count)) }
}

// MARK: - Finding it

extension Search {
    /// The records that were found. Throws `notLoggedIn` when nobody is logged in, and `unreadable`
    /// if one of them does not fit the model.
    public func all() async throws(DatabaseError) -> [Model] {
        let session = try database.session()
        return try await session.store.read { [query] db in
            try session.store.found(query, by: session.rules, db)
        }
    }

    /// The first record that was found, or nil. Throws as ``all()`` does.
    public func first() async throws(DatabaseError) -> Model? {
        try await limit(to: 1).all().first
    }

    /// The only record that was found, or nil if there is none. Throws `notUnique` if there
    /// are more.
    public func unique() async throws(DatabaseError) -> Model? {
        let found = try await limit(to: 2).all()
        guard found.count < 2 else { throw .notUnique(model: Model.modelName) }
        return found.first
    }

    /// The number of records that were found. Throws `notLoggedIn`.
    public func count() async throws(DatabaseError) -> Int {
        let session = try database.session()
        return try await session.store.read { [query] db in
            try session.store.count(query, by: session.rules, db)
        }
    }

    /// The records that are found now, and again whenever an edit or a sync changes them. The
    /// observation ends with the loop over the stream. A slow reader gets only the newest result.
    ///
    /// Throws `notLoggedIn`. The stream throws a ``DatabaseError`` if reading fails later.
    public func observe() throws(DatabaseError) -> AsyncThrowingStream<[Model], any Error> {
        let session = try database.session()
        let observation = ValueObservation.tracking { [query] db in
            try session.store.found(query, by: session.rules, db)
        }.removeDuplicates()
        return AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                do {
                    for try await found in observation.values(in: session.store.pool) {
                        continuation.yield(found)
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: DatabaseError(error))
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
