import JSON

/// A page as assistive technology gets it, as text: a line for each node, with role, name and
/// states.
struct AccessibilityTree: CustomStringConvertible {
    private let nodes: [String: JSONValue]
    private let root: String?

    /// `answer` is that of Chrome's `Accessibility.getFullAXTree`.
    init(_ answer: JSONValue) {
        let all = answer.member("nodes")?.elements ?? []
        nodes = Dictionary(
            all.map { ($0.member("nodeId")?.string ?? "", $0) },
            uniquingKeysWith: { first, _ in first })
        root = all.first?.member("nodeId")?.string
    }

    var description: String {
        root.map { lines(of: $0, depth: 0, in: "").joined(separator: "\n") } ?? ""
    }

    /// Nodes of the browser's own. Whether a list has one between itself and its options, its
    /// popup, differs from run to run.
    private static let silentRoles: Set = [
        "generic", "none", "InlineTextBox", "RootWebArea", "LayoutTableRow", "paragraph",
        "ListMarker", "MenuListPopup",
    ]
    private static let states = [
        "checked", "expanded", "selected", "pressed", "disabled", "required", "invalid",
    ]

    private func lines(of identifier: String, depth: Int, in parent: String) -> [String] {
        guard let node = nodes[identifier] else { return [] }
        let role = node.member("role")?.member("value")?.string ?? ""
        let name = node.member("name")?.member("value")?.string ?? ""
        let isText = role == "StaticText"
        let isSilent =
            node.member("ignored") == .boolean(true) || Self.silentRoles.contains(role)
            || (isText && (name == parent || name.allSatisfy(\.isWhitespace)))
        let children = (node.member("childIds")?.elements ?? []).compactMap(\.string).flatMap {
            lines(of: $0, depth: isSilent ? depth : depth + 1, in: isSilent ? parent : name)
        }
        guard !isSilent else { return children }
        let title = isText ? "'\(name)'" : role + (name.isEmpty ? "" : " '\(name)'")
        return [String(repeating: "  ", count: depth) + title + states(of: node)] + children
    }

    private func states(of node: JSONValue) -> String {
        let present = (node.member("properties")?.elements ?? []).compactMap {
            property -> String? in
            guard let name = property.member("name")?.string, Self.states.contains(name),
                let value = property.member("value")?.member("value")
            else { return nil }
            switch value {
            case .boolean(false), .string("false"): return nil
            case .boolean, .string("true"): return name
            case .string(let text): return "\(name) \(text)"
            case .null, .integer, .decimal, .array, .object, .unrepresentable: return name
            }
        }
        return present.isEmpty ? "" : " (\(present.joined(separator: ", ")))"
    }
}
