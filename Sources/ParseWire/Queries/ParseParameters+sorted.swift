import DefinitionModel
import JSON

extension ParseParameters {
    /// Objects that are no records, in the order that is asked for. Their values are compared as
    /// texts, and one that is missing comes first.
    func sorted(_ objects: [[String: JSONValue]]) -> [[String: JSONValue]] {
        order.reversed().reduce(objects) { objects, key in
            let descends = key.hasPrefix("-")
            let name = descends ? String(key.dropFirst()) : key
            let texts = objects.map { ByteKey($0[name]?.sortText ?? "") }
            let order = objects.indices.sorted { left, right in
                if texts[left] == texts[right] { return left < right }
                return (texts[left] < texts[right]) != descends
            }
            return order.map { objects[$0] }
        }
    }
}

extension JSONValue {
    /// The text of a text or of a `Date`; nil for other values.
    fileprivate var sortText: String? {
        switch self {
        case .string(let text): text
        case .object(let members): members["iso"]?.sortText
        case .null, .boolean, .integer, .decimal, .array, .unrepresentable: nil
        }
    }
}
