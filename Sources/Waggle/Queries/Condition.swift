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

enum ConditionOperand: Hashable, Sendable {
    case value(JSONValue)
    case property(RecordProperty?)
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
