import ChangeRules
import DefinitionModel
import JSON

/// Translates filters to conditions of a find, whose logic has two values.
///
/// In a filter, a comparison with null neither holds nor holds its `not`. Therefore `not` is pushed
/// inwards, to the comparisons.
struct FilterTranslation: Sendable {
    let table: Table
    /// The guid of the row that has an id in a model, as the asker knows it; nil for none.
    let guid: @Sendable (_ id: String, _ model: String) -> String?

    func filter(
        _ expression: QuestionExpression, negated: Bool = false
    ) throws(QuestionFault) -> QueryFilter {
        switch expression {
        case .all(let parts): return try joined(parts, negated: negated, isAll: !negated)
        case .any(let parts): return try joined(parts, negated: negated, isAll: negated)
        case .not(let part): return try filter(part, negated: !negated)
        case .compare(let comparison, let left, let right):
            return try compared(negated ? comparison.opposite : comparison, left, right)
        case .among(let value, let list): return try among(value, list, negated: negated)
        case .constant(.boolean(let flag)?): return flag != negated ? .and([]) : .or([])
        case .constant: throw QuestionFault("The filter is a value that neither holds nor fails.")
        case .field, .call:
            return try compared(.eq, expression, .constant(.boolean(!negated)))
        }
    }

    private func joined(
        _ parts: [QuestionExpression], negated: Bool, isAll: Bool
    ) throws(QuestionFault) -> QueryFilter {
        var filters: [QueryFilter] = []
        for part in parts {
            let filter = try filter(part, negated: negated)
            if isAll, case .and(let inner) = filter {
                filters += inner
            } else if !isAll, case .or(let inner) = filter {
                filters += inner
            } else {
                filters.append(filter)
            }
        }
        guard !isAll else { return .and(filters) }
        let alternatives = withLists(filters)
        return alternatives.count == 1 ? alternatives[0] : .or(alternatives)
    }

    /// With one list for all equalities of one operand: it counts as one condition, and may be
    /// looked up.
    private func withLists(_ alternatives: [QueryFilter]) -> [QueryFilter] {
        var lists: [String: (place: Int, values: [JSONValue])] = [:]
        var joined: [QueryFilter] = []
        for alternative in alternatives {
            guard let (operand, values) = alternative.equalities else {
                joined.append(alternative)
                continue
            }
            if let list = lists[operand] {
                lists[operand] = (list.place, list.values + values)
            } else {
                lists[operand] = (joined.count, values)
                joined.append(alternative)
            }
        }
        for (operand, list) in lists where list.values.count > 1 {
            joined[list.place] = .among(operand: operand, list.values)
        }
        return joined
    }

    private func compared(
        _ comparison: QueryFilter.Comparison, _ left: QuestionExpression,
        _ right: QuestionExpression
    ) throws(QuestionFault) -> QueryFilter {
        if case .constant(let value) = left,
            !right.isConstant || value == nil && right != .constant(nil)
        {
            return try compared(comparison.swapped, right, left)
        }
        if right == .constant(nil) { return try comparedWithNull(comparison, left) }
        let kind = try kind(of: left)
        guard comparison.isEquality || kind != .boolean else {
            throw QuestionFault(
                "True and false can only be compared by 'eq', 'ne' and 'in', not by "
                    + "'\(comparison.rawValue)'.")
        }
        if case .constant(let value?) = right {
            return try compared(comparison, left, of: kind, with: value)
        }
        if case .field(let one) = left, case .field(let other) = right, comparison.isEquality,
            try self.kind(of: right) == kind
        {
            return .computes(
                comparison, .operand(try table.operand(named: one).name),
                .operand(try table.operand(named: other).name))
        }
        return .computes(comparison, try computed(left, as: kind), try computed(right, as: kind))
    }

    private func compared(
        _ comparison: QueryFilter.Comparison, _ left: QuestionExpression, of kind: ComparedKind,
        with value: FieldValue
    ) throws(QuestionFault) -> QueryFilter {
        if case .field(let name) = left, let model = try table.operand(named: name).target {
            return try compared(comparison, relation: name, to: model, with: value)
        }
        let value = try fitting(value, to: kind, of: left)
        if left.isCondition, case .boolean(let flag) = value {
            return try filter(left, negated: flag == (comparison == .ne))
        }
        if case .field(let name) = left,
            let simple = try simple(comparison, table.operand(named: name), value)
        {
            return simple
        }
        return .computes(comparison, try computed(left, as: kind), .constant(value))
    }

    // MARK: - Kinds

    private func kind(of expression: QuestionExpression) throws(QuestionFault) -> ComparedKind {
        switch expression {
        case .constant(let value?): ComparedKind(value)
        case .field(let name): ComparedKind(try table.operand(named: name).type)
        case .call(let function, _): function.kind
        case .compare, .among, .all, .any, .not: .boolean
        case .constant(nil): throw Self.noValue
        }
    }

    private func fitting(
        _ value: FieldValue, to kind: ComparedKind, of other: QuestionExpression
    ) throws(QuestionFault) -> FieldValue {
        if let value = kind.value(value) { return value }
        guard case .field(let name) = other else { throw misfit(ComparedKind(value), kind) }
        throw QuestionFault(
            "The column '\(name)' takes \(kind.name), and the filter compares it with "
                + "\(ComparedKind(value).name).")
    }

    private func misfit(_ found: ComparedKind, _ wanted: ComparedKind) -> QuestionFault {
        QuestionFault("The filter has \(found.name) where it needs \(wanted.name).")
    }

    private static let noValue = QuestionFault(
        "The filter has a condition or null where it needs a value.")

    // MARK: - Null

    private func comparedWithNull(
        _ comparison: QueryFilter.Comparison, _ left: QuestionExpression
    ) throws(QuestionFault) -> QueryFilter {
        if case .constant(let value) = left, comparison.isEquality {
            return (value == nil) == (comparison == .eq) ? .and([]) : .or([])
        }
        let isNull: QueryFilter
        switch left {
        case .field(let name): isNull = .null(operand: try table.operand(named: name).name)
        case .call:
            // Only null is not equal to itself.
            let value = try computed(left, as: kind(of: left))
            isNull = .not(.computes(.eq, value, value))
        case .constant, .compare, .among, .all, .any, .not: return .or([])
        }
        switch comparison {
        case .eq: return isNull
        case .ne:
            if case .not(let isThere) = isNull { return isThere }
            return .not(isNull)
        case .lt, .le, .gt, .ge: return .or([])
        }
    }

    /// A comparison that a find knows itself, and may look up; nil if it must be computed.
    private func simple(
        _ comparison: QueryFilter.Comparison, _ operand: TableOperand, _ value: FieldValue
    ) -> QueryFilter? {
        guard comparison.isEquality || operand.type.hasRanges,
            let value = json(value, for: operand)
        else { return nil }
        return .compare(comparison, operand: operand.name, with: .value(value))
    }

    /// Nil for a value that must be computed with.
    private func json(_ value: FieldValue, for operand: TableOperand) -> JSONValue? {
        switch (operand.type, value) {
        case (.text, .text), (.integer, .integer), (.decimal, .decimal), (.decimal, .integer),
            (.boolean, .boolean), (.date, .date):
            JSONValue(value)
        case (.text, _), (.integer, _), (.decimal, _), (.boolean, _), (.date, _), (.belongsTo, _),
            (.file, _):
            nil
        }
    }

    /// A comparison of a relation with the id of a row. An empty text is no row, as in rows.
    private func compared(
        _ comparison: QueryFilter.Comparison, relation name: String, to model: String,
        with value: FieldValue
    ) throws(QuestionFault) -> QueryFilter {
        guard comparison.isEquality, case .text(let id) = value else {
            throw noID(name)
        }
        if !id.isEmpty {
            if let guid = guid(id, model) {
                let operand = try table.operand(named: name).name
                return .compare(comparison, operand: operand, with: .value(.string(guid)))
            }
            if comparison == .eq { return .or([]) }
        }
        return try comparedWithNull(comparison, .field(name))
    }

    private func noID(_ name: String) -> QuestionFault {
        QuestionFault(
            "The column '\(name)' has ids of other rows, which can only be compared with texts, by "
                + "'eq', 'ne' and 'in'.")
    }

    /// Equality with one of a list. Null is in a list with null.
    private func among(
        _ value: QuestionExpression, _ list: [QuestionExpression], negated: Bool
    ) throws(QuestionFault) -> QueryFilter {
        guard case .field(let name) = value else {
            let comparisons = list.map { QuestionExpression.compare(.eq, value, $0) }
            return try joined(comparisons, negated: negated, isAll: negated)
        }
        let operand = try table.operand(named: name)
        let nulls: [QuestionExpression] =
            operand.target == nil ? [.constant(nil)] : [.constant(nil), .constant(.text(""))]
        let values = try values(of: list.filter { !nulls.contains($0) }, for: operand, name)
        let isNull = QueryFilter.null(operand: operand.name)
        let isAmong = values.isEmpty ? .or([]) : QueryFilter.among(operand: operand.name, values)
        guard list.contains(where: nulls.contains) else {
            return negated ? .and([.not(isNull), .not(isAmong)]) : isAmong
        }
        let parts = values.isEmpty ? [isNull] : [isNull, isAmong]
        return negated ? .and(parts.map { .not($0) }) : .or(parts)
    }

    /// The values of a list, without ids of no row.
    private func values(
        of list: [QuestionExpression], for operand: TableOperand, _ name: String
    ) throws(QuestionFault) -> [JSONValue] {
        var values: [JSONValue] = []
        for item in list {
            guard case .constant(let constant?) = item else { throw otherValues(name) }
            if let model = operand.target {
                guard case .text(let id) = constant else { throw noID(name) }
                if let guid = guid(id, model) { values.append(.string(guid)) }
            } else {
                let constant = try fitting(
                    constant, to: ComparedKind(operand.type), of: .field(name))
                guard let value = json(constant, for: operand) else { throw otherValues(name) }
                values.append(value)
            }
        }
        return values
    }

    private func otherValues(_ name: String) -> QuestionFault {
        QuestionFault("The list of 'in' has other values than '\(name)'.")
    }

    /// The functions that look for a text in another one: the servers of these clients passed over
    /// case there, as they did in all comparisons of texts. No index is used for them.
    private static let searching: Set<ComputedFunction> = [
        .contains, .startsWith, .endsWith, .index,
    ]

    private func computed(
        _ expression: QuestionExpression, as kind: ComparedKind
    ) throws(QuestionFault) -> ComputedValue {
        switch expression {
        case .constant(let value?):
            guard let value = kind.value(value) else { throw misfit(ComparedKind(value), kind) }
            return .constant(value)
        case .field(let name):
            let operand = try table.operand(named: name)
            // Its value is the guid, which is not the id that rows show.
            guard operand.type != .belongsTo else { throw noID(name) }
            let found = ComparedKind(operand.type)
            guard found == kind else { throw misfit(found, kind) }
            return .operand(operand.name)
        case .call(let function, let parts):
            guard function.kind == kind else { throw misfit(function.kind, kind) }
            var values: [ComputedValue] = []
            for (index, part) in parts.enumerated() {
                values.append(try computed(part, as: function.kind(ofPart: index)))
            }
            return .call(
                function, Self.searching.contains(function) ? values.map(\.inLowercase) : values)
        case .constant(nil), .compare, .among, .all, .any, .not: throw Self.noValue
        }
    }
}

extension QuestionExpression {
    fileprivate var isConstant: Bool {
        guard case .constant = self else { return false }
        return true
    }

    fileprivate var isCondition: Bool {
        switch self {
        case .compare, .among, .all, .any, .not: true
        case .constant, .field, .call: false
        }
    }
}

extension ComputedValue {
    fileprivate var inLowercase: ComputedValue {
        switch self {
        case .constant(.text(let text)): .constant(.text(text.lowercased()))
        case .constant, .call(.lowercase, _): self
        case .operand, .call: .call(.lowercase, [self])
        }
    }
}

extension QueryFilter {
    /// The values of which an operand must have one; nil for another condition.
    fileprivate var equalities: (operand: String, values: [JSONValue])? {
        switch self {
        case .compare(.eq, let operand, .value(let value)): (operand, [value])
        case .among(let operand, let values): (operand, values)
        case .and, .or, .not, .compare, .between, .like, .prefix, .null, .within, .inside,
            .computes:
            nil
        }
    }
}

extension QueryFilter.Comparison {
    fileprivate var isEquality: Bool {
        switch self {
        case .eq, .ne: true
        case .lt, .le, .gt, .ge: false
        }
    }

    fileprivate var opposite: QueryFilter.Comparison {
        switch self {
        case .eq: .ne
        case .ne: .eq
        case .lt: .ge
        case .le: .gt
        case .gt: .le
        case .ge: .lt
        }
    }

    /// With the sides the other way round.
    fileprivate var swapped: QueryFilter.Comparison {
        switch self {
        case .eq, .ne: self
        case .lt: .gt
        case .le: .ge
        case .gt: .lt
        case .ge: .le
        }
    }
}

extension FieldTypeName {
    fileprivate var hasRanges: Bool {
        switch self {
        case .text, .integer, .decimal, .date: true
        case .boolean, .belongsTo, .file: false
        }
    }
}
