import DefinitionModel
package import JSON

/// A condition on what stands inside the value of a field with the format `json`.
package struct JSONCondition: Hashable, Sendable {
    /// The members that lead to the values in question, the outer ones first; empty for the whole
    /// value. A step into an array goes into each object in it, or to the element of that number.
    package let path: [String]
    package let test: Test

    package enum Test: Hashable, Sendable {
        /// One of the values is this one, or an array with it.
        case equals(JSONValue)
        /// One of the values is among these, or an array with one of them.
        case isAmong(Set<JSONValue>)
        /// One of the values, or an element of an array, compares so. Numbers compare with numbers
        /// and strings, by their bytes, with strings.
        case compares(QueryFilter.Comparison, JSONValue)
        /// One of the values is a text with this part, or an array with such a text.
        case hasPart(TextPart)
        /// One of the values is an array with all of these.
        case hasAll(Set<JSONValue>)
        /// One of the values is an array without any other element.
        case hasOnly(Set<JSONValue>)
        /// There is a value that is not null.
        case exists
    }

    package init(path: [String], _ test: Test) {
        self.path = path
        self.test = test
    }

    package func holds(for value: JSONValue) -> Bool {
        Self.values(in: value, at: path[...]).contains(where: test.holds)
    }

    private static func values(
        in value: JSONValue, at path: ArraySlice<String>
    ) -> [JSONValue] {
        guard let step = path.first else { return [value] }
        switch value {
        case .object(let members):
            return members[step].map { values(in: $0, at: path.dropFirst()) } ?? []
        case .array(let elements):
            let named = Int(step).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
            return (named.map { values(in: $0, at: path.dropFirst()) } ?? [])
                + elements.filter(\.isObject).flatMap { values(in: $0, at: path) }
        case .null, .boolean, .integer, .decimal, .string, .unrepresentable: return []
        }
    }
}

extension JSONCondition.Test {
    /// The listed values; one for a single comparison.
    package var valueCount: Int {
        switch self {
        case .equals, .compares, .hasPart: 1
        case .isAmong(let values), .hasAll(let values), .hasOnly(let values): values.count
        case .exists: 0
        }
    }

    fileprivate func holds(for value: JSONValue) -> Bool {
        switch self {
        case .equals(let other): value == other || value.elements.contains(other)
        case .isAmong(let others):
            others.contains(value) || !others.isDisjoint(with: value.elements)
        case .compares(let comparison, let other):
            ([value] + value.elements).contains { $0.compares(comparison, to: other) }
        case .hasPart(let part):
            ([value] + value.elements).contains { $0.text.map(part.stands) ?? false }
        case .hasAll(let others):
            value.isArray && others.isSubset(of: value.elements)
        case .hasOnly(let others):
            value.isArray && others.isSuperset(of: value.elements)
        case .exists: value != .null
        }
    }
}

extension JSONValue {
    fileprivate var isObject: Bool { if case .object = self { true } else { false } }

    fileprivate var isArray: Bool { if case .array = self { true } else { false } }

    /// Nil if it is no text.
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }

    /// None for what is no array.
    fileprivate var elements: [JSONValue] {
        if case .array(let elements) = self { elements } else { [] }
    }

    fileprivate func compares(_ comparison: QueryFilter.Comparison, to other: JSONValue) -> Bool {
        if let number, let other = other.number {
            return comparison.holds(isLess: number < other, isSame: number == other)
        }
        guard case .string(let text) = self, case .string(let other) = other else { return false }
        return comparison.holds(
            isLess: ByteKey(text) < ByteKey(other), isSame: text.hasSameBytes(as: other))
    }
}

extension QueryFilter.Comparison {
    fileprivate func holds(isLess: Bool, isSame: Bool) -> Bool {
        switch self {
        case .eq: isSame
        case .ne: !isSame
        case .lt: isLess
        case .le: isLess || isSame
        case .gt: !isLess && !isSame
        case .ge: !isLess
        }
    }
}
