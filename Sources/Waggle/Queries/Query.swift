/// Which records of a model to find, in which order, and how many.
///
/// A query is a value without a database: `Query<Film>().where(\.score >= 3).order(by: \.title)`.
public struct Query<Model: Record>: Sendable {
    private(set) var predicates: [Predicate] = []
    private(set) var orders: [SortKey] = []
    private(set) var offset = 0
    private(set) var limit: Int?

    public init() {}

    /// Of several conditions all must hold.
    public func `where`(_ condition: Condition<Model>) -> Query {
        changed { $0.predicates.append(condition.predicate) }
    }

    public func `where`<Value: Comparing>(
        _ path: KeyPath<Model, Value>, _ test: FieldTest<Value>
    ) -> Query {
        self.where(Condition(path, test))
    }

    /// Of several orders the first counts most; records that are alike come in the order of their
    /// guids. What is null or hidden comes first.
    public func order(by path: KeyPath<Model, some Comparing>) -> Query {
        changed {
            $0.orders.append(SortKey(property: Model.property(at: path), isDescending: false))
        }
    }

    public func order(byDescending path: KeyPath<Model, some Comparing>) -> Query {
        changed {
            $0.orders.append(SortKey(property: Model.property(at: path), isDescending: true))
        }
    }

    /// Leaves out so many from the start.
    public func skip(_ count: Int) -> Query { changed { $0.offset = max(0, count) } }

    /// So many at most.
    public func limit(to count: Int) -> Query { changed { $0.limit = max(0, count) } }

    private func changed(_ change: (inout Query) -> Void) -> Query {
        var query = self
        change(&query)
        return query
    }
}

struct SortKey: Hashable, Sendable {
    let property: RecordProperty?
    let isDescending: Bool
}
