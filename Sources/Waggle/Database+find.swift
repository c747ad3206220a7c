import GRDB

extension Database {
    /// `database.find(Film.self).where(\.score >= 3).order(by: \.title).all()`
    public func find<Model: Record>(_ type: Model.Type) -> Search<Model> {
        find(Query())
    }

    public func find<Model: Record>(_ query: Query<Model>) -> Search<Model> {
        Search(database: self, query: query)
    }
}

/// A query of one database.
public struct Search<Model: Record>: Sendable {
    let database: Database
    public let query: Query<Model>

    private func with(_ query: Query<Model>) -> Search {
        Search(database: database, query: query)
    }
}

// MARK: - What to find

extension Search {
    /// Of several conditions all must hold.
    public func `where`(_ condition: Condition<Model>) -> Search { with(query.where(condition)) }

    public func `where`<Value: Comparing>(
        _ path: KeyPath<Model, Value>, _ test: FieldTest<Value>
    ) -> Search {
        with(query.where(path, test))
    }

    public func order(by path: KeyPath<Model, some Comparing>) -> Search {
        with(query.order(by: path))
    }

    public func order(byDescending path: KeyPath<Model, some Comparing>) -> Search {
        with(query.order(byDescending: path))
    }

    /// Leaves out so many from the start.
    public func skip(_ count: Int) -> Search { with(query.skip(count)) }

    /// So many at most.
    public func limit(to count: Int) -> Search { with(query.limit(to: count)) }
}

// MARK: - Finding it

extension Search {
    public func all() async throws(DatabaseError) -> [Model] {
        let session = try database.session()
        return try await session.store.read { [query] db in
            try session.store.found(query, by: session.rules, db)
        }
    }

    public func first() async throws(DatabaseError) -> Model? {
        try await limit(to: 1).all().first
    }

    /// The only one; nil where there is none. Throws `notUnique` where there are more.
    public func unique() async throws(DatabaseError) -> Model? {
        let found = try await limit(to: 2).all()
        guard found.count < 2 else { throw .notUnique(model: Model.modelName) }
        return found.first
    }

    public func count() async throws(DatabaseError) -> Int {
        let session = try database.session()
        return try await session.store.read { [query] db in
            try session.store.count(query, by: session.rules, db)
        }
    }

    /// What is found now, and again whenever that changes, by an edit or by a sync. It ends when
    /// the loop over it does.
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
