import ForeignValues
import JSON

/// Decides a condition on a key of an object that its members do not decide; nil for other keys.
typealias SpecialCondition = (
    _ name: String, _ condition: JSONValue, _ object: [String: JSONValue]
) throws(ParseFailure) -> Bool?

/// Conditions on objects that are no records: users without a profile, sessions and roles.
extension JSONValue {
    /// Whether a condition on a key admits a value, nil for none. Throws 102 for operators other
    /// than `$eq`, `$ne`, `$in`, `$nin` and `$exists`.
    func admits(_ value: JSONValue?) throws(ParseFailure) -> Bool {
        guard hasOperators, case .object(let members) = self else { return isSame(as: value) }
        var isAdmitted = true
        for (word, operand) in members.sorted(by: { $0.key < $1.key }) {
            let holds = try operand.holds(word, for: value)
            isAdmitted = isAdmitted && holds
        }
        return isAdmitted
    }

    private func holds(_ word: String, for value: JSONValue?) throws(ParseFailure) -> Bool {
        switch word {
        case "$eq": return isSame(as: value)
        case "$ne": return !isSame(as: value)
        case "$in", "$nin":
            if case .array(let elements) = self {
                return elements.contains { $0.isSame(as: value) } == (word == "$in")
            }
        case "$exists":
            if case .boolean(let exists) = self { return exists == (value != nil) }
        case _: break
        }
        throw .badQuery("\(word) is not supported here")
    }

    /// Null is what is missing. An object in place of a pointer is one.
    private func isSame(as value: JSONValue?) -> Bool {
        guard let value else { return self == .null }
        if let pointer = ParsePointer(self) { return pointer == ParsePointer(value) }
        return self == value
    }

    /// Whether a `where` finds an object. Throws 102 for what no condition can be.
    ///
    /// - Parameter special: Decides conditions on keys that are no members; nil for other keys.
    func finds(
        _ object: [String: JSONValue], deciding special: SpecialCondition = { _, _, _ in nil }
    ) throws(ParseFailure) -> Bool {
        guard case .object(let members) = self else { throw .badJSON("'where' is no object") }
        var isFound = true
        for (name, condition) in members.sorted(by: { $0.key < $1.key }) {
            let holds: Bool
            if let decided = try special(name, condition, object) {
                holds = decided
            } else if name.hasPrefix("$") {
                let parts = try condition.found(object, in: name, deciding: special)
                let isAny = parts.contains(true)
                holds =
                    name == "$and" ? !parts.contains(false) : name == "$or" ? isAny : !isAny
            } else {
                holds = try condition.admits(object[name])
            }
            isFound = isFound && holds
        }
        return isFound
    }

    private func found(
        _ object: [String: JSONValue], in name: String, deciding special: SpecialCondition
    ) throws(ParseFailure) -> [Bool] {
        guard ["$and", "$or", "$nor"].contains(name), case .array(let parts) = self, !parts.isEmpty
        else { throw .badQuery("\(name) is not supported here, or takes a list of conditions") }
        var found: [Bool] = []
        for part in parts { found.append(try part.finds(object, deciding: special)) }
        return found
    }
}
