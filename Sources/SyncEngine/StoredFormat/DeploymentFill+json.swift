import ChangeRules
package import JSON

/// The form in which stores keep fills, and in which they are shown.
extension DeploymentFill {
    /// Reads a stored text. Throws `unreadable` if Waggle did not write it.
    package init(text: String) throws(StoreError) {
        let members = try JSONText.fields(text)
        try StoredFormat.checkVersion(of: members)
        guard case .array(let stored)? = members["rules"],
            let position = members["position"]?.count, let filled = members["filled"]?.count,
            let unfilled = members["unfilled"]?.count, case .boolean(let isDone)? = members["done"]
        else { throw .unreadable("the values of a deployment cannot be read") }
        let rules = stored.compactMap { FillRule($0) }
        // Without one of them, records would count as filled that are not.
        guard rules.count == stored.count else {
            throw .unreadable("a rule for the values of a deployment cannot be read")
        }
        self.init(rules)
        self.position = position
        self.filled = filled
        self.unfilled = unfilled
        self.isDone = isDone
    }

    /// The stored form.
    package var text: String {
        var stored = members
        stored["version"] = .integer(StoredFormat.version)
        return JSONText.text(of: stored)
    }

    /// The form that is shown.
    package var json: JSONValue { .object(members) }

    private var members: [String: JSONValue] {
        [
            "rules": .array(rules.map(\.json)), "position": .integer(position),
            "filled": .integer(filled), "unfilled": .integer(unfilled), "done": .boolean(isDone),
        ]
    }
}

extension JSONValue {
    /// The number, if it is one that a sequence or a number of records can be.
    fileprivate var count: Int64? {
        guard case .integer(let number) = self, StoredNumber.sequence.values.contains(number)
        else { return nil }
        return number
    }
}
