package import ChangeRules
import DefinitionModel
package import JSON

extension QueryFilter {
    private enum Word: String, CaseIterable {
        case and, or, not, eq, ne, lt, le, gt, ge
        case among = "in"
        case between, like, prefix, null, inside, within
    }

    /// `path` locates the condition in the request: `filter.and[1]`.
    package init(_ json: JSONValue, at path: String) throws(QueryFault) {
        guard case .object(let members) = json, members.count == 1,
            let (name, content) = members.first
        else { throw .noCondition(at: path) }
        guard let word = Word(rawValue: name) else {
            throw .unknownOperator(name, known: Word.allCases.map(\.rawValue), at: path)
        }
        let path = "\(path).\(name)"
        switch word {
        case .and: self = .and(try conditions(content, at: path))
        case .or: self = .or(try conditions(content, at: path))
        case .not: self = .not(try QueryFilter(content, at: path))
        case .eq: self = try comparison(.eq, content, at: path)
        case .ne: self = try comparison(.ne, content, at: path)
        case .lt: self = try comparison(.lt, content, at: path)
        case .le: self = try comparison(.le, content, at: path)
        case .gt: self = try comparison(.gt, content, at: path)
        case .ge: self = try comparison(.ge, content, at: path)
        case .among: self = try membership(content, at: path)
        case .between: self = try range(content, at: path)
        case .like:
            let (operand, pattern) = try match(content, at: path)
            self = .like(operand: operand, pattern: pattern)
        case .prefix:
            let (operand, start) = try match(content, at: path)
            self = .prefix(operand: operand, start)
        case .null:
            guard case .string(let operand) = content else {
                throw .wrongArguments(at: path, help: #"write the field's name: "title""#)
            }
            self = .null(operand: operand)
        case .inside: self = try innerCondition(content, at: path)
        case .within: self = try placeCondition(content, at: path)
        }
    }
}

private func conditions(
    _ json: JSONValue, at path: String
) throws(QueryFault) -> [QueryFilter] {
    guard case .array(let elements) = json else {
        throw .wrongArguments(at: path, help: "write a list of conditions")
    }
    var conditions: [QueryFilter] = []
    for (index, element) in elements.enumerated() {
        conditions.append(try QueryFilter(element, at: "\(path)[\(index)]"))
    }
    return conditions
}

private func comparison(
    _ comparison: QueryFilter.Comparison, _ json: JSONValue, at path: String
) throws(QueryFault) -> QueryFilter {
    guard case .array(let parts) = json, parts.count == 2, case .string(let operand) = parts[0]
    else {
        throw .wrongArguments(
            at: path, help: #"write a field and a value, or another field: ["a", {"field": "b"}]"#)
    }
    guard case .object(let members) = parts[1], case .string(let field) = members["field"],
        members.count == 1
    else { return .compare(comparison, operand: operand, with: .value(parts[1])) }
    return .compare(comparison, operand: operand, with: .field(field))
}

private func membership(
    _ json: JSONValue, at path: String
) throws(QueryFault) -> QueryFilter {
    guard case .array(let parts) = json, parts.count == 2, case .string(let operand) = parts[0],
        case .array(let values) = parts[1]
    else {
        throw .wrongArguments(at: path, help: #"write a field and a list: ["score", [1, 2]]"#)
    }
    return .among(operand: operand, values)
}

private func range(_ json: JSONValue, at path: String) throws(QueryFault) -> QueryFilter {
    guard case .array(let parts) = json, parts.count == 3, case .string(let operand) = parts[0]
    else {
        throw .wrongArguments(at: path, help: #"write a field and two values: ["score", 1, 5]"#)
    }
    return .between(operand: operand, low: parts[1], high: parts[2])
}

private func match(
    _ json: JSONValue, at path: String
) throws(QueryFault) -> (operand: String, text: String) {
    guard case .array(let parts) = json, parts.count == 2, case .string(let operand) = parts[0],
        case .string(let text) = parts[1]
    else {
        throw .wrongArguments(at: path, help: #"write a field and a text: ["title", "Sol"]"#)
    }
    return (operand, text)
}

private func innerCondition(_ json: JSONValue, at path: String) throws(QueryFault) -> QueryFilter {
    guard case .array(let parts) = json, parts.count == 3, case .string(let operand) = parts[0],
        let condition = JSONCondition(.array([parts[1], parts[2]]))
    else {
        throw .wrongArguments(
            at: path,
            help: "write a field, the names that lead to the value, and one of 'eq', 'lt', 'le', "
                + #"'gt', 'ge', 'in', 'all', 'only' and 'exists': ["meta", ["size"], {"gt": 5}]"#)
    }
    return .inside(operand: operand, condition)
}

private func placeCondition(_ json: JSONValue, at path: String) throws(QueryFault) -> QueryFilter {
    guard case .array(let parts) = json, parts.count == 2, case .string(let operand) = parts[0],
        let area = GeoArea(parts[1])
    else {
        throw .wrongArguments(
            at: path,
            help: "write a field and its area, as two opposite corners or as a polygon: "
                + #"["place", {"box": ["52,13", "53,14"]}]"#)
    }
    return .within(operand: operand, area)
}
