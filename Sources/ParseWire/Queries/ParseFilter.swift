import ChangeRules
import DefinitionModel
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
        guard case .object(let members) = json, !members.isEmpty,
            members.keys.contains(where: { $0.hasPrefix("$") })
        else { return try equality(json, operand) }
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
    private func equality(
        _ json: JSONValue, _ operand: FilterOperand
    ) throws(ParseFailure) -> QueryFilter {
        guard let name = operand.name else { return json == .null ? .always : .never }
        guard json != .null else { return .null(operand: name) }
        guard let value = operand.value(json, in: records) else { return .never }
        return .compare(.eq, operand: name, with: .value(value))
    }

    private func membership(
        _ json: JSONValue, _ operand: FilterOperand
    ) throws(ParseFailure) -> QueryFilter {
        guard case .array(let elements) = json else { throw .badJSON("bad $in value") }
        let matchesMissing = elements.contains(.null)
        guard let name = operand.name else { return matchesMissing ? .always : .never }
        let values = elements.compactMap { $0 == .null ? nil : operand.value($0, in: records) }
        let lists = stride(from: 0, to: values.count, by: valuesPerList).map { start in
            QueryFilter.among(
                operand: name, Array(values[start..<min(start + valuesPerList, values.count)]))
        }
        let parts = lists + (matchesMissing ? [.null(operand: name)] : [])
        return parts.count == 1 ? parts[0] : .or(parts)
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
        guard let value = operand.value(json, in: records, isOrdered: true) else { return .never }
        return .compare(word, operand: name, with: .value(value))
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
        guard case .string(let source) = json else { throw .badQuery("bad $regex value") }
        guard options == nil || options == .string("") else {
            throw .badQuery(
                "$options is not supported: ask for a start, a part or an end of a text")
        }
        guard let literal = LiteralPattern(source) else {
            throw .badQuery("$regex is supported as a start, a part or an end of a text only")
        }
        guard let name = operand.textName else { return .never }
        if literal.isStart, !literal.isEnd { return .prefix(operand: name, literal.text) }
        return .like(operand: name, pattern: literal.likePattern)
    }
}

extension QueryFilter {
    static let always = QueryFilter.and([])
    static let never = QueryFilter.or([])
}
