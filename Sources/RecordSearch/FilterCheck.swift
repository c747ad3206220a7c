import ChangeRules
import DefinitionModel
import JSON
import SyncEngine

/// Checks the filter of a query against the definition. An error names the position in the filter.
struct FilterCheck {
    let operands: OperandNames
    let limits: Limits
    private var conditions = 0

    init(operands: OperandNames, limits: Limits) {
        self.operands = operands
        self.limits = limits
    }

    mutating func condition(_ message: QueryFilter) throws(QueryFault) -> FilterCondition {
        try condition(message, at: "filter", depth: 1)
    }

    private mutating func condition(
        _ message: QueryFilter, at path: String, depth: Int
    ) throws(QueryFault) -> FilterCondition {
        guard depth <= limits.filterDepth else { throw .tooDeep(max: limits.filterDepth, at: path) }
        conditions += 1
        guard conditions <= limits.filterConditions else {
            throw .tooManyConditions(max: limits.filterConditions, at: path)
        }
        let path = "\(path).\(message.word)"
        switch message {
        case .and(let parts): return .all(try self.conditions(parts, at: path, depth: depth + 1))
        case .or(let parts): return .any(try self.conditions(parts, at: path, depth: depth + 1))
        case .not(let part): return .not(try condition(part, at: path, depth: depth + 1))
        case .compare(let comparison, let name, let comparand):
            return try self.comparison(comparison, name, comparand, at: path)
        case .among(let name, let values): return try membership(name, values, at: path)
        case .between(let name, let low, let high):
            let operand = try operand(name, fitFor: message, at: path)
            return .all([
                .compares(
                    operand, .greaterOrEqual, .value(try value(low, of: operand, name, path, 1))),
                .compares(
                    operand, .lessOrEqual, .value(try value(high, of: operand, name, path, 2))),
            ])
        case .like(let name, let text):
            let operand = try operand(name, fitFor: message, at: path)
            guard let pattern = LikePattern(text) else { throw .illegalPattern(at: "\(path)[1]") }
            return .isLike(operand, pattern)
        case .prefix(let name, let text):
            return .hasPrefix(try operand(name, fitFor: message, at: path), text)
        case .null(let name): return .isNull(try operands.operand(name, .filterIllegal, at: path))
        case .within(let name, let area): return try self.area(area, name, at: path)
        case .inside(let name, let test): return try inside(name, test, at: path)
        case .computes(let comparison, let left, let right):
            return .computes(
                FilterCondition.Comparison(comparison), try computed(left, at: path, depth: depth),
                try computed(right, at: path, depth: depth))
        }
    }

    /// A function counts as a condition, since it costs as much.
    private mutating func computed(
        _ value: ComputedValue, at path: String, depth: Int
    ) throws(QueryFault) -> ComputedOperand {
        switch value {
        case .operand(let name):
            return .operand(try operands.operand(name, .filterIllegal, at: path))
        case .constant(let value): return .constant(value)
        case .call(let function, let parts):
            guard depth <= limits.filterDepth else {
                throw .tooDeep(max: limits.filterDepth, at: path)
            }
            conditions += 1
            guard conditions <= limits.filterConditions else {
                throw .tooManyConditions(max: limits.filterConditions, at: path)
            }
            var operands: [ComputedOperand] = []
            for part in parts {
                operands.append(try computed(part, at: path, depth: depth + 1))
            }
            return .call(function, operands)
        }
    }

    /// Counts as ten conditions: the value is read anew for each.
    private mutating func inside(
        _ name: String, _ condition: JSONCondition, at path: String
    ) throws(QueryFault) -> FilterCondition {
        let operand = try operands.operand(name, .filterIllegal, at: "\(path)[0]")
        guard operands.format(of: operand) == .json else { throw .noJSON(name, at: "\(path)[0]") }
        conditions += 9
        guard conditions <= limits.filterConditions else {
            throw .tooManyConditions(max: limits.filterConditions, at: path)
        }
        guard condition.path.count <= TextFormat.maxDepth else {
            throw .tooDeep(max: TextFormat.maxDepth, at: "\(path)[1]")
        }
        guard condition.test.valueCount <= limits.filterValues else {
            throw .tooManyValues(
                condition.test.valueCount, max: limits.filterValues, at: "\(path)[2]")
        }
        return .inside(operand, condition)
    }

    private func area(
        _ area: GeoArea, _ name: String, at path: String
    ) throws(QueryFault) -> FilterCondition {
        let operand = try operands.operand(name, .filterIllegal, at: "\(path)[0]")
        guard operands.format(of: operand) == .geo else {
            throw .noPlace(name, .filterIllegal, at: "\(path)[0]")
        }
        if case .polygon(let corners) = area, corners.count > limits.filterValues {
            throw .tooManyValues(corners.count, max: limits.filterValues, at: "\(path)[1]")
        }
        return .isWithin(operand, area)
    }

    private mutating func conditions(
        _ messages: [QueryFilter], at path: String, depth: Int
    ) throws(QueryFault) -> [FilterCondition] {
        var conditions: [FilterCondition] = []
        for (index, message) in messages.enumerated() {
            conditions.append(try condition(message, at: "\(path)[\(index)]", depth: depth))
        }
        return conditions
    }

    private func comparison(
        _ comparison: QueryFilter.Comparison, _ name: String,
        _ comparand: QueryFilter.Comparand, at path: String
    ) throws(QueryFault) -> FilterCondition {
        let message = QueryFilter.compare(comparison, operand: name, with: comparand)
        let operand = try operand(name, fitFor: message, at: path)
        switch comparand {
        case .value(let json):
            return .compares(
                operand, FilterCondition.Comparison(comparison),
                .value(try value(json, of: operand, name, path, 1)))
        case .field(let other):
            let place = "\(path)[1].field"
            let second = try operands.operand(other, .filterIllegal, at: place)
            let (type, otherType) = (operand.property.type, second.property.type)
            guard type.kind == otherType.kind else {
                throw .incomparable(name, type, with: other, otherType, at: place)
            }
            return .compares(operand, FilterCondition.Comparison(comparison), .operand(second))
        }
    }

    private func membership(
        _ name: String, _ values: [JSONValue], at path: String
    ) throws(QueryFault) -> FilterCondition {
        let operand = try operands.operand(name, .filterIllegal, at: "\(path)[0]")
        guard values.count <= limits.filterValues else {
            throw .tooManyValues(values.count, max: limits.filterValues, at: "\(path)[1]")
        }
        var among: Set<FieldValue> = []
        for (index, json) in values.enumerated() {
            among.insert(try value(json, of: operand, name, "\(path)[1]", index))
        }
        return .isAmong(operand, among)
    }

    private func operand(
        _ name: String, fitFor message: QueryFilter, at path: String
    ) throws(QueryFault) -> Operand {
        let operand = try operands.operand(name, .filterIllegal, at: "\(path)[0]")
        let type = operand.property.type
        guard message.fits(type.kind) else {
            throw .unfitOperator(message.word, for: name, type, at: path)
        }
        return operand
    }

    private func value(
        _ json: JSONValue, of operand: Operand, _ name: String, _ path: String, _ index: Int
    ) throws(QueryFault) -> FieldValue {
        guard json != .null else { throw .comparesNull(name, at: "\(path)[\(index)]") }
        guard let value = FieldValue(json, of: operand.property.type) else {
            throw .wrongType(name, operand.property.type, at: "\(path)[\(index)]")
        }
        return value
    }
}

extension QueryFilter {
    fileprivate var word: String {
        switch self {
        case .and: "and"
        case .or: "or"
        case .not: "not"
        case .compare(let comparison, _, _): comparison.rawValue
        case .among: "in"
        case .between: "between"
        case .like: "like"
        case .prefix: "prefix"
        case .null: "null"
        case .within: "within"
        case .inside: "inside"
        case .computes: "computes"
        }
    }

    /// Whether the operator applies to values of a kind.
    fileprivate func fits(_ kind: ValueKind) -> Bool {
        switch self {
        case .compare(.lt, _, _), .compare(.le, _, _), .compare(.gt, _, _), .compare(.ge, _, _),
            .between:
            kind.hasRanges
        case .like, .prefix: kind == .text
        case .and, .or, .not, .compare(.eq, _, _), .compare(.ne, _, _), .among, .null,
            .within, .inside, .computes:
            true
        }
    }
}

extension FilterCondition.Comparison {
    fileprivate init(_ message: QueryFilter.Comparison) {
        switch message {
        case .eq: self = .equal
        case .ne: self = .notEqual
        case .lt: self = .less
        case .le: self = .lessOrEqual
        case .gt: self = .greater
        case .ge: self = .greaterOrEqual
        }
    }
}
