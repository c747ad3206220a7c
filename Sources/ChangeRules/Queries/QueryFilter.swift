package import JSON

/// A condition on records as a client states it. Whether its fields exist, and whether its values
/// are of their types, is not checked yet.
package indirect enum QueryFilter: Hashable, Sendable {
    case and([QueryFilter])
    case or([QueryFilter])
    case not(QueryFilter)
    case compare(Comparison, operand: String, with: Comparand)
    case among(operand: String, [JSONValue])
    case between(operand: String, low: JSONValue, high: JSONValue)
    /// With `%` for any text and `_` for any one character; `\` takes the meaning from the next.
    case like(operand: String, pattern: String)
    case prefix(operand: String, String)
    case null(operand: String)
    /// Holds for what stands inside the value of a field with the format `json`.
    case inside(operand: String, JSONCondition)
    /// Holds for a field with the format `geo` whose value is in the area.
    case within(operand: String, GeoArea)
    /// Holds where neither value is null and they compare so.
    case computes(Comparison, ComputedValue, ComputedValue)

    package enum Comparison: String, Hashable, Sendable, CaseIterable {
        case eq, ne, lt, le, gt, ge
    }

    /// The other side of a comparison.
    package enum Comparand: Hashable, Sendable {
        case value(JSONValue)
        case field(String)
    }
}
