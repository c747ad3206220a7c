/// Selects records of a model, with an order and a limit.
///
/// A query is a value without a database: `Query<Film>().where(\.score >= 3).order(by: \.title)`.
public struct Query<Model: Record>: Sendable {
    private(set) var predicates: [Predicate] = []
    private(set) var orders: [SortKey] = []
    private(set) var offset = 0
    private(set) var limit: Int?

    /// A query that finds every record of the model.
    public init() {}

    /// Narrows the query to records that meet the condition, beside all earlier conditions.
    public func `where`(_ condition: Condition<Model>) -> Query {
        changed { $0.predicates.append(condition.predicate) }
    }

    /// Narrows the query to records one field of which passes the test.
    public func `where`<Value: Comparing>(
        _ path: KeyPath<Model, Value>, _ test: FieldTest<Value>
    ) -> Query {
        self.where(Condition(path, test))
    }

    /// Sorts by a field, ascending, after all earlier orders. Null and hidden values come first;
    /// equal records come in the order of their guids. Texts come in the order of their UTF-8
    /// bytes, so `Z` before `a`, and both before `ä`.
    public func order(by path: KeyPath<Model, some Comparing>) -> Query {
        changed {
            $0.orders.append(
                SortKey(operand: .property(Model.property(at: path)), isDescending: false))
        }
    }

    /// Sorts by a field, descending, after all earlier orders.
    public func order(byDescending path: KeyPath<Model, some Comparing>) -> Query {
        changed {
            $0.orders.append(
                SortKey(operand: .property(Model.property(at: path)), isDescending: true))
        }
    }

    /// Sorts by the distance from a point, the nearest first, after all earlier orders. Records
    /// without a point, or with a hidden one, come last.
    public func order(by distance: Distance<Model>) -> Query {
        changed {
            $0.orders.append(SortKey(operand: .distance(distance.place), isDescending: false))
        }
    }

    /// Sorts by the distance from a point, the farthest first, after all earlier orders. Records
    /// without a point, or with a hidden one, come last here too.
    public func order(byDescending distance: Distance<Model>) -> Query {
        changed {
            $0.orders.append(SortKey(operand: .distance(distance.place), isDescending: true))
        }
    }

    /// Leaves out the first `count` records; a negative count is 0.
    public func skip(_ count: Int) -> Query { changed { $0.offset = max(0, count) } }

    /// Finds at most `count` records; a negative count is 0.
    public func limit(to count: Int) -> Query { changed { $0.limit = max(0, count) } }

    private func changed(_ change: (inout Query) -> Void) -> Query {
        var query = self
        change(&query)
        return query
    }
}

struct SortKey: Hashable, Sendable {
    let operand: Operand
    let isDescending: Bool

    enum Operand: Hashable, Sendable {
        case property(RecordProperty?)
        case distance(PlaceDistance)
    }
}
