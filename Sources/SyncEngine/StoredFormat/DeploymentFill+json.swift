import ChangeRules
package import JSON

/// The form in which stores keep fills, and in which they are shown.
extension DeploymentFill {
    /// Reads a stored text. Throws `unreadable` if Waggle did not write it.
    package init(text: String) throws(StoreError) {
        let members = try JSONText.fields(text)
        guard case .array(let rules)? = members["rules"],
            case .integer(let position)? = members["position"],
            case .integer(let filled)? = members["filled"],
            case .integer(let unfilled)? = members["unfilled"],
            case .boolean(let isDone)? = members["done"]
        else { throw .unreadable("the values of a deployment cannot be read") }
        self.init(rules.compactMap { FillRule($0) })
        self.position = position
        self.filled = filled
        self.unfilled = unfilled
        self.isDone = isDone
    }

    package var text: String { JSONText.text(of: members) }

    package var json: JSONValue { .object(members) }

    private var members: [String: JSONValue] {
        [
            "rules": .array(rules.map(\.json)), "position": .integer(position),
            "filled": .integer(filled), "unfilled": .integer(unfilled), "done": .boolean(isDone),
        ]
    }
}
