import DefinitionModel
import JSON

extension ParseParameters {
    /// Objects that are no records, in the order that is asked for. Their values are compared as
    /// texts, and one that is missing comes first. Keys that no object has do not sort.
    func sorted(
        _ objects: [[String: JSONValue]], byAtMost maxKeys: Int
    ) throws(ParseFailure) -> [[String: JSONValue]] {
        var unused = Set(objects.flatMap(\.keys))
        let keys = order.map { key in
            (name: key.hasPrefix("-") ? String(key.dropFirst()) : key, descends: key.hasPrefix("-"))
        }.filter { unused.remove($0.name) != nil }
        guard keys.count <= maxKeys else {
            throw .badQuery("'order' has \(keys.count) keys, but only \(maxKeys) are allowed")
        }
        return keys.reversed().reduce(objects) { objects, key in
            let (name, descends) = key
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
