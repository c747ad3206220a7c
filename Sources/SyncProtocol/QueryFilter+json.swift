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
        let steps = parts[1].strings, case .object(let members) = parts[2], members.count == 1,
        let (word, value) = members.first, let test = JSONCondition.Test(word, value)
    else {
        throw .wrongArguments(
            at: path,
            help: "write a field, the names that lead to the value, and one of 'eq', 'lt', 'le', "
                + #"'gt', 'ge', 'in', 'all', 'only' and 'exists': ["meta", ["size"], {"gt": 5}]"#)
    }
    return .inside(operand: operand, JSONCondition(path: steps, test))
}

extension JSONCondition.Test {
    fileprivate init?(_ word: String, _ value: JSONValue) {
        if let comparison = QueryFilter.Comparison(rawValue: word), comparison.isOfOrder {
            self = .compares(comparison, value)
        } else if word == "eq" {
            self = .equals(value)
        } else if word == "exists", value == .boolean(true) {
            self = .exists
        } else if case .array(let values) = value {
            switch word {
            case "in": self = .isAmong(Set(values))
            case "all": self = .hasAll(Set(values))
            case "only": self = .hasOnly(Set(values))
            case _: return nil
            }
        } else {
            return nil
        }
    }
}

extension QueryFilter.Comparison {
    fileprivate var isOfOrder: Bool {
        switch self {
        case .lt, .le, .gt, .ge: true
        case .eq, .ne: false
        }
    }
}

extension JSONValue {
    /// Nil if it is no list of strings.
    fileprivate var strings: [String]? {
        guard case .array(let elements) = self else { return nil }
        let texts = elements.compactMap { element -> String? in
            if case .string(let text) = element { text } else { nil }
        }
        return texts.count == elements.count ? texts : nil
    }
}

private func placeCondition(_ json: JSONValue, at path: String) throws(QueryFault) -> QueryFilter {
    guard case .array(let parts) = json, parts.count == 2, case .string(let operand) = parts[0],
        case .object(let members) = parts[1], members.count == 1,
        let (word, value) = members.first, let area = GeoArea(word, value)
    else {
        throw .wrongArguments(
            at: path,
            help: "write a field and its area, as two opposite corners or as a polygon: "
                + #"["place", {"box": ["52,13", "53,14"]}]"#)
    }
    return .within(operand: operand, area)
}

extension GeoArea {
    fileprivate init?(_ word: String, _ value: JSONValue) {
        guard let texts = value.strings else { return nil }
        let positions = texts.compactMap { GeoPosition($0) }
        guard positions.count == texts.count else { return nil }
        switch word {
        case "box" where positions.count == 2:
            self = .box(southWest: positions[0], northEast: positions[1])
        case "polygon" where positions.count > 2: self = .polygon(positions)
        case _: return nil
        }
    }
}
