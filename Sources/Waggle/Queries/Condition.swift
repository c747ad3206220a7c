import ChangeRules
import DefinitionModel
import JSON
import SyncProtocol

/// A condition on the records of a model: a comparison of a key path with a value, as in
/// `\.score >= 3`, or several joined with `&&`, `||` and `!`.
///
/// A null or hidden field equals only null, and is neither less nor greater than any value.
public struct Condition<Model: Record>: Sendable {
    let predicate: Predicate
}

/// A condition without its model's type. A property that the model does not have matches nothing.
indirect enum Predicate: Hashable, Sendable {
    case comparison(RecordProperty?, Comparison, ConditionOperand)
    case inList(RecordProperty?, [JSONValue])
    case text(RecordProperty?, TextMatch, String)
    case isNull(RecordProperty?)
    case inside(RecordProperty?, JSONCondition)
    case within(RecordProperty?, GeoArea)
    case distance(PlaceDistance, Comparison, ConditionOperand)
    case isNamed(by: RecordProperty?, NamingRecords)
    case all([Predicate])
    case any([Predicate])
    case not(Predicate)
}

enum Comparison: String, Hashable, Sendable, CaseIterable {
    case equal = "="
    case notEqual = "<>"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
}

enum TextMatch: Hashable, Sendable, CaseIterable {
    case prefix, suffix, contains
    /// `%` stands for any text, `_` for one character, `\` takes the next one as it is.
    case like
}

/// The distance of the point in a field from another point.
struct PlaceDistance: Hashable, Sendable {
    let property: RecordProperty?
    /// Nil for a text that is no point, from which nothing has a distance.
    let start: GeoPosition?
}

/// Records that name others in one of their fields.
struct NamingRecords: Hashable, Sendable {
    let model: String
    let predicates: [Predicate]
    let orders: [SortKey]
    let offset: Int
    let limit: Int?

    init<Found: Record>(_ query: Query<Found>) {
        model = Found.modelName
        predicates = query.predicates
        orders = query.orders
        offset = query.offset
        limit = query.limit
    }
}

enum ConditionOperand: Hashable, Sendable {
    case value(JSONValue)
    case property(RecordProperty?)
}

// MARK: - Related records

extension Condition {
    /// One of the records that the query finds names the record in a field: `.isNamed(by:
    /// \TeamPlayer.player, of: Query().where(\.team == team.reference))` holds for each player of
    /// the team.
    public static func isNamed<Other: Record, Value: Comparing>(
        by path: KeyPath<Other, Value>, of query: Query<Other>
    ) -> Condition where Value.Plain == Reference<Model> {
        Condition(
            predicate: .isNamed(by: Other.property(at: path), NamingRecords(query)))
    }
}

// MARK: - Joined

extension Condition {
    /// Both conditions hold.
    public static func && (left: Condition, right: Condition) -> Condition {
        Condition(predicate: .all([left.predicate, right.predicate]))
    }

    /// At least one of the conditions holds.
    public static func || (left: Condition, right: Condition) -> Condition {
        Condition(predicate: .any([left.predicate, right.predicate]))
    }

    /// The condition does not hold.
    public static prefix func ! (condition: Condition) -> Condition {
        Condition(predicate: .not(condition.predicate))
    }
}
