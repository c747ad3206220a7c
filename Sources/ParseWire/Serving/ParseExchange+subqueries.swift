import ChangeRules
import DefinitionModel
import ForeignValues
import JSON
import RecordSearch
import SyncEngine

/// Conditions that are about the result of another find. Each is replaced by what it finds, so
/// that a subquery shows no more than a find of the same caller.
extension ParseExchange {
    private static let mostSubqueryDepth = 3

    /// Throws 102 for a wrong structure, and 154 if a subquery finds too much.
    func withoutSubqueries(
        _ json: JSONValue, depth: Int, for caller: Caller
    ) async throws -> JSONValue {
        switch json {
        case .array(let elements):
            var resolved: [JSONValue] = []
            for element in elements {
                resolved.append(try await withoutSubqueries(element, depth: depth, for: caller))
            }
            return .array(resolved)
        case .object(let members):
            var resolved: [String: JSONValue] = [:]
            var others: [JSONValue] = []
            for (name, value) in members {
                guard Self.replacements[name] == nil else {
                    throw ParseFailure.badQuery("\(name) is a condition on a key")
                }
                let conditions = try await conditions(value, depth: depth, for: caller)
                resolved[name] = conditions[0]
                others += conditions.dropFirst().map { .object([name: $0]) }
            }
            return others.isEmpty
                ? .object(resolved) : .object(["$and": .array([.object(resolved)] + others)])
        case .null, .boolean, .integer, .decimal, .string, .unrepresentable: return json
        }
    }

    /// Replaces the subqueries in what a key is compared with. An operator that would stand twice
    /// is in a further condition: all of them must hold.
    private func conditions(
        _ json: JSONValue, depth: Int, for caller: Caller
    ) async throws -> [JSONValue] {
        guard case .object(let members) = json,
            members.keys.contains(where: { Self.replacements[$0] != nil })
        else { return [try await withoutSubqueries(json, depth: depth, for: caller)] }
        guard depth < Self.mostSubqueryDepth else {
            throw ParseFailure.badQuery("subqueries are nested too deeply")
        }
        var conditions: [[String: JSONValue]] = [
            members.filter { Self.replacements[$0.key] == nil }
        ]
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            guard let word = Self.replacements[name] else { continue }
            let values = JSONValue.array(
                try await found(by: value, of: name, depth: depth, for: caller))
            if let free = conditions.firstIndex(where: { $0[word] == nil }) {
                conditions[free][word] = values
            } else {
                conditions.append([word: values])
            }
        }
        return conditions.map { .object($0) }
    }

    private static let replacements = [
        "$inQuery": "$in", "$notInQuery": "$nin", "$select": "$in", "$dontSelect": "$nin",
    ]

    private func found(
        by json: JSONValue, of name: String, depth: Int, for caller: Caller
    ) async throws -> [JSONValue] {
        let isOfKeys = name.lowercased().hasSuffix("select")
        guard case .object(let members) = json else { throw ParseFailure.badQuery("bad \(name)") }
        guard isOfKeys else {
            return try await objects(of: members, depth: depth, for: caller).map(\.pointer)
        }
        guard case .object(let query)? = members["query"], case .string(let key)? = members["key"]
        else { throw ParseFailure.badQuery("\(name) takes 'query' and 'key'") }
        let steps = key.split(separator: ".").map(String.init)
        return try await objects(of: query, showing: key, depth: depth, for: caller)
            .compactMap { JSONValue.object($0.members).value(at: steps[...]) }
    }

    private typealias FoundObject = (pointer: JSONValue, members: [String: JSONValue])

    private func objects(
        of query: [String: JSONValue], showing key: String? = nil, depth: Int, for caller: Caller
    ) async throws -> [FoundObject] {
        guard case .string(let className)? = query["className"] else {
            throw ParseFailure.badQuery("a subquery takes 'className' and 'where'")
        }
        let known = ["where", "order", "limit", "skip", "redirectClassNameForKey"]
        var own = query.filter { known.contains($0.key) }
        own["limit"] = own["limit"] ?? .integer(Int64(ParseParameters.mostRecords))
        own["keys"] = .array([.string(key ?? "objectId")])
        own["count"] = query["limit"] == nil ? .integer(1) : nil
        var parameters = try ParseParameters(own)
        parameters.filter = try await withoutSubqueries(
            parameters.filter, depth: depth + 1, for: caller)
        let model = try model(className, redirectedBy: parameters)
        let (found, count) = try await records(parameters, of: model, for: caller)
        guard count ?? 0 <= found.count else {
            throw ParseFailure(154, "a subquery finds more than \(found.count) objects")
        }
        let objects = try await objects(of: found, parameters, model, for: caller)
        return zip(found, objects).map { view, members in
            let name = model.model.foreignName
            return (ParsePointer(className: name, objectID: view.id).json, members)
        }
    }
}

extension JSONValue {
    /// The value to which keys of objects lead; nil if there is none.
    fileprivate func value(at steps: ArraySlice<String>) -> JSONValue? {
        guard let step = steps.first else { return self }
        guard case .object(let members) = self else { return nil }
        return members[step]?.value(at: steps.dropFirst())
    }
}
