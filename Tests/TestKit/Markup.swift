/// An XML element as a value that tests take apart, change and print.
package struct Markup: Hashable, Sendable {
    package var name: String
    package var attributes: [Attribute]
    package var children: [Markup]
    /// Precedes the children.
    package var text: String

    package struct Attribute: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package init(
        _ name: String, _ attributes: [Attribute] = [], text: String = "",
        children: [Markup] = []
    ) {
        self.name = name
        self.attributes = attributes
        self.text = text
        self.children = children
    }
}

extension Markup: CustomStringConvertible {
    /// As XML on one line, in its simplest form.
    package var description: String {
        let attributes = attributes.map { " \($0.name)=\"\(escaped($0.value))\"" }.joined()
        let content = escaped(text) + children.map(\.description).joined()
        return content.isEmpty
            ? "<\(name)\(attributes)/>" : "<\(name)\(attributes)>\(content)</\(name)>"
    }
}

private func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
        switch scalar {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case "\"": "&quot;"
        case "\t", "\n", "\r": "&#\(scalar.value);"
        default: String(scalar)
        }
    }.joined()
}
