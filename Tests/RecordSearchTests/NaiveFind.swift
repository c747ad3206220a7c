import Foundation
import JSON
import SyncProtocol

/// A second implementation of queries, on pulled records and the filter as JSON. Invisible values
/// are not in the records, so they cannot influence the result.
struct NaiveFind {
    /// All visible records of all models, by guid.
    let records: [String: RecordMessage]
    let model: String
    /// The position in the order of creation, by guid.
    private let ages: [String: Int]

    /// - Parameter created: The guids of the model's records, in the order of their creation.
    init(_ pulled: [RecordMessage], of model: String, created: [String]) {
        records = Dictionary(pulled.map { ($0.guid, $0) }) { _, last in last }
        self.model = model
        ages = Dictionary(uniqueKeysWithValues: zip(created, 1...))
    }

    func guids(_ filter: JSONValue?, sort: String) -> [String] {
        let keys =
            sort.isEmpty ? ["$group", "$owner"] : sort.split(separator: ",").map(String.init)
        let found = records.values.filter {
            $0.model == model && isThere($0) && (filter.map { matches($0) } ?? { _ in true })($0)
        }
        return found.sorted { precedes($0, $1, by: keys) }.map(\.guid)
    }

    private func isThere(_ record: RecordMessage) -> Bool { !record.deleted || record.conflicted }

    // MARK: - Values

    /// Nil for null and for an invisible value.
    private func value(_ name: String, of record: RecordMessage) -> JSONValue? {
        if let dot = name.firstIndex(of: ".") {
            guard case .string(let guid) = record.fields?[String(name[..<dot])],
                let other = records[guid], isThere(other)
            else { return nil }
            return value(String(name[name.index(after: dot)...]), of: other)
        }
        switch name {
        case "$guid": return .string(record.guid)
        case "$owner": return .string(record.owner)
        case "$group": return .string(record.group)
        case "$conflicted": return .boolean(record.conflicted)
        case _:
            let value = record.fields?[name]
            return value == .null ? nil : value
        }
    }

    /// Decimals are strings, so the field decides how to compare.
    private func isNumber(_ name: String) -> Bool {
        ["whole", "part", "price", "cost", "size", "day", "due"]
            .contains(name.split(separator: ".").last.map(String.init) ?? "")
    }

    /// -1, 0 or 1.
    private func compare(_ left: JSONValue, _ right: JSONValue, asNumbers: Bool) -> Int {
        if asNumbers {
            let (one, other) = (decimal(left), decimal(right))
            return one < other ? -1 : one > other ? 1 : 0
        }
        let (one, other) = (bytes(left), bytes(right))
        return one.lexicographicallyPrecedes(other)
            ? -1 : other.lexicographicallyPrecedes(one) ? 1 : 0
    }

    private func decimal(_ json: JSONValue) -> Decimal {
        switch json {
        case .integer(let number): Decimal(number)
        case .string(let text), .decimal(let text): Decimal(string: text) ?? .nan
        case .null, .boolean, .array, .object, .unrepresentable: .nan
        }
    }

    private func bytes(_ json: JSONValue) -> [UInt8] {
        switch json {
        case .string(let text): Array(text.utf8)
        case .boolean(let flag): [flag ? 1 : 0]
        case .object(let members): bytes(members["guid"] ?? "") + bytes(members["filename"] ?? "")
        case .null, .integer, .decimal, .array, .unrepresentable: []
        }
    }

    private func precedes(
        _ first: RecordMessage, _ second: RecordMessage, by keys: [String]
    ) -> Bool {
        for key in keys {
            let name = String(key.drop { $0 == "-" })
            let (one, other) = (value(name, of: first), value(name, of: second))
            guard let one else {
                if other != nil { return false }
                continue
            }
            guard let other else { return true }
            let order = compare(one, other, asNumbers: isNumber(name))
            if order != 0 { return key.hasPrefix("-") ? order > 0 : order < 0 }
        }
        return (ages[first.guid] ?? 0) < (ages[second.guid] ?? 0)
    }

    // MARK: - Conditions

    private func matches(_ filter: JSONValue) -> (RecordMessage) -> Bool {
        guard case .object(let members) = filter, let (word, content) = members.first else {
            return { _ in false }
        }
        if case .string(let name) = content { return { value(name, of: $0) == nil } }
        if word == "not" { return { !matches(content)($0) } }
        guard case .array(let parts) = content else { return { _ in false } }
        if word == "and" { return { record in parts.allSatisfy { matches($0)(record) } } }
        if word == "or" { return { record in parts.contains { matches($0)(record) } } }
        guard case .string(let name) = parts[0] else { return { _ in false } }
        return { record in
            guard let value = value(name, of: record) else { return false }
            return holds(word, name, value, Array(parts[1...]), record)
        }
    }

    private func holds(
        _ word: String, _ name: String, _ value: JSONValue, _ arguments: [JSONValue],
        _ record: RecordMessage
    ) -> Bool {
        let orders: [Int?] = arguments.map { argument in
            if case .object(let members) = argument, case .string(let other) = members["field"] {
                return self.value(other, of: record)
                    .map { compare(value, $0, asNumbers: isNumber(name)) }
            }
            return compare(value, argument, asNumbers: isNumber(name))
        }
        guard let first = orders.first, let order = first else { return false }
        switch word {
        case "eq": return order == 0
        case "ne": return order != 0
        case "lt": return order < 0
        case "le": return order <= 0
        case "gt": return order > 0
        case "ge": return order >= 0
        case "between": return order >= 0 && (orders[1] ?? 1) <= 0
        case "in":
            guard case .array(let values) = arguments[0] else { return false }
            return values.contains { compare(value, $0, asNumbers: isNumber(name)) == 0 }
        case "prefix": return bytes(value).starts(with: bytes(arguments[0]))
        case "like":
            guard case .string(let text) = value, case .string(let pattern) = arguments[0] else {
                return false
            }
            return isLike(Array(text.unicodeScalars)[...], Array(pattern.unicodeScalars)[...])
        case _: return false
        }
    }

    private func isLike(
        _ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>
    ) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        let rest = pattern.dropFirst()
        switch first {
        case "%":
            return isLike(text, rest) || (!text.isEmpty && isLike(text.dropFirst(), pattern))
        case "_": return !text.isEmpty && isLike(text.dropFirst(), rest)
        case "\\": return text.first == rest.first && isLike(text.dropFirst(), rest.dropFirst())
        case _: return text.first == first && isLike(text.dropFirst(), rest)
        }
    }
}
