import ChangeRules
import DefinitionModel
import ForeignValues
import JSON

/// Translates a `where` without subqueries to a filter of the engine.
///
/// A field that the model does not have is missing in every record. A value of another type than
/// the field's equals nothing. `null`, `$ne` and `$nin` match what is missing.
struct ParseFilter {
    let model: ModelRules
    let records: RecordTable
    /// Values in one list of the engine's filter; longer lists become several.
    let valuesPerList: Int

    /// Throws 102 for operators that are not supported, and 107 for a wrong structure.
    func filter(_ json: JSONValue) throws(ParseFailure) -> QueryFilter {
        guard case .object(let members) = json else { throw .badJSON("a condition is no object") }
        var parts: [QueryFilter] = []
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            switch name {
            case "$or": parts.append(.or(try filters(value, of: name)))
            case "$and": parts.append(.and(try filters(value, of: name)))
            case "$nor": parts.append(.not(.or(try filters(value, of: name))))
            case "$relatedTo": throw .badQuery("$relatedTo cannot stand here")
            case _: parts.append(try condition(value, on: name))
            }
        }
        return .and(parts)
    }

    private func filters(
        _ json: JSONValue, of name: String
    ) throws(ParseFailure) -> [QueryFilter] {
        guard case .array(let elements) = json, !elements.isEmpty else {
            throw .badQuery("\(name) takes a list of conditions")
        }
        var filters: [QueryFilter] = []
        for element in elements { filters.append(try filter(element)) }
        return filters
    }

    private func condition(
        _ json: JSONValue, on name: String
    ) throws(ParseFailure) -> QueryFilter {
        guard !name.hasPrefix("$") else { throw .badQuery("unknown operator \(name)") }
        let operand = FilterOperand(name, of: model, in: records)
        if let place = operand.innerPlace { return try condition(json, inside: place) }
        guard case .object(let members) = json, json.hasOperators else {
            return try equality(json, operand)
        }
        var parts: [QueryFilter] = []
        for (word, value) in members.sorted(by: { $0.key < $1.key }) {
            parts.append(try constraint(word, value, operand, beside: members))
        }
        return .and(parts)
    }

    private func constraint(
        _ word: String, _ value: JSONValue, _ operand: FilterOperand,
        beside members: [String: JSONValue]
    ) throws(ParseFailure) -> QueryFilter {
        if Self.wordsOfValues.contains(word) { try Self.checkAreValues([value], of: word) }
        switch word {
        case "$eq": return try equality(value, operand)
        case "$ne": return .not(try equality(value, operand))
        case "$lt": return try comparison(.lt, value, operand)
        case "$lte": return try comparison(.le, value, operand)
        case "$gt": return try comparison(.gt, value, operand)
        case "$gte": return try comparison(.ge, value, operand)
        case "$in": return try membership(value, operand)
        case "$nin": return .not(try membership(value, operand))
        case "$exists":
            guard case .boolean(let exists) = value else { throw .badQuery("bad $exists value") }
            let isMissing = operand.name.map { QueryFilter.null(operand: $0) } ?? .always
            return exists ? .not(isMissing) : isMissing
        case "$regex": return try pattern(value, members["$options"], operand)
        case "$options":
            guard members["$regex"] != nil else { throw .badQuery("$options without $regex") }
            return .always
        case _:
            if let field = operand.placeName,
                let filter = try placeConstraint(word, value, on: field, beside: members)
            {
                return filter
            }
            throw .badQuery("the operator \(word) is not supported here")
        }
    }
}

// MARK: - Values

extension ParseFilter {
    /// The operators that compare with one value.
    static let wordsOfValues: Set = ["$eq", "$ne", "$lt", "$lte", "$gt", "$gte"]

    private func equality(
        _ json: JSONValue, _ operand: FilterOperand
    ) throws(ParseFailure) -> QueryFilter {
        guard let name = operand.name else { return json == .null ? .always : .never }
        guard json != .null else { return .null(operand: name) }
        guard let value = try value(json, of: operand) else { return .never }
        return .compare(.eq, operand: name, with: .value(value))
    }

    private func membership(
        _ json: JSONValue, _ operand: FilterOperand
    ) throws(ParseFailure) -> QueryFilter {
        guard case .array(let elements) = json else { throw .badJSON("bad $in value") }
        try Self.checkAreValues(elements, of: "$in")
        let matchesMissing = elements.contains(.null)
        guard let name = operand.name else { return matchesMissing ? .always : .never }
        var values: [JSONValue] = []
        for element in elements where element != .null {
            if let value = try value(element, of: operand) { values.append(value) }
        }
        let lists = values.lists(of: valuesPerList).map {
            QueryFilter.among(operand: name, $0)
        }
        let parts = lists + (matchesMissing ? [.null(operand: name)] : [])
        return parts.count == 1 ? parts[0] : .or(parts)
    }

    /// Throws 102 for operators among values, such as `{"$regex":"a"}`. As values, they would find
    /// nothing.
    static func checkAreValues(
        _ elements: [JSONValue], of word: String
    ) throws(ParseFailure) {
        guard !elements.contains(where: \.hasOperators) else {
            throw .badQuery("\(word) takes values, and no operators")
        }
    }

    private func comparison(
        _ word: QueryFilter.Comparison, _ json: JSONValue, _ operand: FilterOperand
    ) throws(ParseFailure) -> QueryFilter {
        guard let name = operand.orderedName else {
            if operand.name == nil { return .never }
            throw .badQuery("'\(operand.given)' has no order")
        }
        if operand.isWhole, case .decimal(let text) = json {
            return wholeComparison(word, text, name)
        }
        guard let value = try value(json, of: operand, isOrdered: true) else { return .never }
        return .compare(word, operand: name, with: .value(value))
    }

    /// Nil for a value of another type. Throws 107 for a `Date` that is none, and for a text that
    /// is no time in the place of one: what it is compared with would be missing in the answer, as
    /// if it were deleted.
    private func value(
        _ json: JSONValue, of operand: FilterOperand, isOrdered: Bool = false
    ) throws(ParseFailure) -> JSONValue? {
        if json.isDate || isOrdered && operand.isTime && json.isText,
            parseMilliseconds(json) == nil
        {
            throw .badJSON("a Date is a time such as 2026-11-21T05:58:23.176Z")
        }
        return operand.value(json, in: records, isOrdered: isOrdered)
    }

    /// Compares whole numbers with a number that is none.
    private func wholeComparison(
        _ word: QueryFilter.Comparison, _ text: String, _ name: String
    ) -> QueryFilter {
        let isLess = word == .lt || word == .le
        let isNegative = text.hasPrefix("-")
        guard let whole = Int64(text.split(separator: ".").first ?? "") ?? (text == "-0" ? 0 : nil)
        else { return isLess == isNegative ? .never : .not(.null(operand: name)) }
        // The whole number next to it, in the direction of zero.
        let comparison: QueryFilter.Comparison =
            isLess ? (isNegative ? .lt : .le) : (isNegative ? .ge : .gt)
        return .compare(comparison, operand: name, with: .value(.integer(whole)))
    }

    private func pattern(
        _ json: JSONValue, _ options: JSONValue?, _ operand: FilterOperand
    ) throws(ParseFailure) -> QueryFilter {
        let (literal, ignoresCase) = try Self.literal(json, options)
        guard let name = operand.textName else { return .never }
        if ignoresCase { return literal.filterOfAnyCase(on: name) }
        if literal.isStart, !literal.isEnd { return .prefix(operand: name, literal.text) }
        return .like(operand: name, pattern: literal.likePattern)
    }

    /// The text for which a `$regex` stands. Throws 102 for other expressions.
    static func literal(
        _ json: JSONValue, _ options: JSONValue?
    ) throws(ParseFailure) -> (pattern: LiteralPattern, ignoresCase: Bool) {
        guard case .string(let source) = json else { throw .badQuery("bad $regex value") }
        guard options ?? "" == "" || options == "i" else {
            throw .badQuery("the only $options are 'i'")
        }
        guard let literal = LiteralPattern(source) else {
            throw .badQuery("$regex is supported as a start, a part or an end of a text only")
        }
        return (literal, options == "i")
    }
}

extension JSONValue {
    fileprivate var isDate: Bool { member("__type") == "Date" }

    /// Whether it is an object with a key such as `$gt`.
    var hasOperators: Bool {
        guard case .object(let members) = self else { return false }
        return members.keys.contains { $0.hasPrefix("$") }
    }
}

extension LiteralPattern {
    /// A condition on the text in small letters.
    fileprivate func filterOfAnyCase(on name: String) -> QueryFilter {
        let (value, part) = (
            ComputedValue.call(.lowercase, [.operand(name)]),
            ComputedValue.call(.lowercase, [.constant(.text(text))])
        )
        if isStart, isEnd { return .computes(.eq, value, part) }
        let function: ComputedFunction = isStart ? .startsWith : isEnd ? .endsWith : .contains
        return .computes(.eq, .call(function, [value, part]), .constant(.boolean(true)))
    }
}

extension Array {
    /// The elements in lists of at most so many.
    func lists(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}

extension QueryFilter {
    static let always = QueryFilter.and([])
    static let never = QueryFilter.or([])
}
