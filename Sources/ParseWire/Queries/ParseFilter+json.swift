import ChangeRules
import DefinitionModel
import JSON

/// Conditions on an `Object` or an `Array`, and on keys that lead into it, such as `meta.size`.
extension ParseFilter {
    func condition(
        _ json: JSONValue, inside place: FilterOperand.InnerPath
    ) throws(ParseFailure) -> QueryFilter {
        guard case .object(let members) = json, json.hasOperators else {
            return place.equals(json)
        }
        var parts: [QueryFilter] = []
        for (word, value) in members.sorted(by: { $0.key < $1.key }) {
            parts.append(try constraint(word, value, inside: place, beside: members))
        }
        return .and(parts)
    }

    private func constraint(
        _ word: String, _ value: JSONValue, inside place: FilterOperand.InnerPath,
        beside members: [String: JSONValue]
    ) throws(ParseFailure) -> QueryFilter {
        if Self.wordsOfValues.contains(word) { try Self.checkAreValues([value], of: word) }
        switch word {
        case "$eq": return place.equals(value)
        case "$ne": return .not(place.equals(value))
        case "$lt": return place.filter(.compares(.lt, value))
        case "$lte": return place.filter(.compares(.le, value))
        case "$gt": return place.filter(.compares(.gt, value))
        case "$gte": return place.filter(.compares(.ge, value))
        case "$in": return isAmong(try list(value, of: word), inside: place)
        case "$nin": return .not(isAmong(try list(value, of: word), inside: place))
        case "$all": return try hasAll(value, inside: place)
        case "$containedBy": return place.filter(.hasOnly(Set(try list(value, of: word))))
        case "$exists":
            guard case .boolean(let exists) = value else { throw .badQuery("bad $exists value") }
            return exists ? place.filter(.exists) : .not(place.filter(.exists))
        case "$regex": return try pattern(value, members["$options"], inside: place)
        case "$options":
            guard members["$regex"] != nil else { throw .badQuery("$options without $regex") }
            return .always
        case _:
            throw .badQuery("the operator \(word) is not supported for objects and arrays")
        }
    }

    private func pattern(
        _ json: JSONValue, _ options: JSONValue?, inside place: FilterOperand.InnerPath
    ) throws(ParseFailure) -> QueryFilter {
        let (literal, ignoresCase) = try Self.literal(json, options)
        return place.filter(.hasPart(literal.part(ignoringCase: ignoresCase)))
    }

    /// The elements are values, or each is a `$regex`, as clients send it for arrays in which each
    /// text has an element that begins with it.
    private func hasAll(
        _ json: JSONValue, inside place: FilterOperand.InnerPath
    ) throws(ParseFailure) -> QueryFilter {
        if case .array(let elements) = json, !elements.isEmpty,
            elements.allSatisfy({ $0.member("$regex") != nil })
        {
            var parts = [place.filter(.hasAll([]))]
            for element in elements {
                parts.append(
                    try pattern(
                        element.member("$regex") ?? .null, element.member("$options"),
                        inside: place))
            }
            return .and(parts)
        }
        let lists = try list(json, of: "$all").lists(of: valuesPerList)
        guard !lists.isEmpty else { return place.filter(.hasAll([])) }
        return .and(lists.map { place.filter(.hasAll(Set($0))) })
    }

    private func isAmong(
        _ values: [JSONValue], inside place: FilterOperand.InnerPath
    ) -> QueryFilter {
        let lists = values.filter { $0 != .null }.lists(of: valuesPerList)
            .map { place.filter(.isAmong(Set($0))) }
        let parts = values.contains(.null) ? lists + [place.equals(.null)] : lists
        return parts.count == 1 ? parts[0] : .or(parts)
    }

    private func list(_ json: JSONValue, of word: String) throws(ParseFailure) -> [JSONValue] {
        guard case .array(let elements) = json else { throw .badJSON("bad \(word) value") }
        try Self.checkAreValues(elements, of: word)
        return elements
    }
}

extension FilterOperand.InnerPath {
    func filter(_ test: JSONCondition.Test) -> QueryFilter {
        .inside(operand: field, JSONCondition(path: path, test))
    }

    /// Null matches what is missing.
    func equals(_ value: JSONValue) -> QueryFilter {
        value == .null ? .not(filter(.exists)) : filter(.equals(value))
    }
}
