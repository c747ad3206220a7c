import TestKit

/// A document with one small change.
struct Mutation {
    /// The position and the kind of the change.
    let name: String
    let document: Markup

    /// Every possible change of every element and attribute.
    static func all(of document: Markup) -> [Mutation] {
        document.paths.flatMap { path in
            changes(of: document, at: path) + moves(of: document, at: path)
                + attributeChanges(of: document, at: path)
        }
    }

    private static func changes(of document: Markup, at path: [Int]) -> [Mutation] {
        let changes: [(String, (inout Markup) -> Void)] = [
            ("renamed", { $0.name += "s" }),
            ("in capitals", { $0.name = $0.name.uppercased() }),
            ("emptied", { ($0.text, $0.children) = ("", []) }),
            ("turned round", { $0.attributes.reverse() }),
            ("upside down", { $0.children.reverse() }),
            ("with a text", { $0.text += "text" }),
            ("with white space", { $0.text += " \t\r\n" }),
            ("with an element", { $0.children.append(Markup("other")) }),
            ("with one of another namespace", { $0.children.append(foreignElement) }),
            ("with one of its own kind", { $0.children.append(Markup($0.name, $0.attributes)) }),
        ]
        let attributes = addedAttributes.map { attribute in
            (
                "with \(attribute.name)",
                { (element: inout Markup) in element.attributes.append(attribute) }
            )
        }
        return (changes + attributes).map { name, change in
            var changed = document
            change(&changed[path])
            return Mutation(name: "\(label(document, path)) \(name)", document: changed)
        }
    }

    private static func moves(of document: Markup, at path: [Int]) -> [Mutation] {
        guard let index = path.last else { return [] }
        let parent = Array(path.dropLast())
        let element = document[path]
        var removed = document
        removed[parent].children.remove(at: index)
        var doubled = document
        doubled[parent].children.insert(element, at: index)
        var raised = removed
        raised[parent.dropLast()].children.append(element)
        var lowered = removed
        lowered[path.count > 1 || index > 0 ? [0] : []].children.append(element)
        let moves = [
            ("removed", removed), ("doubled", doubled), ("one up", raised), ("put first", lowered),
        ]
        return moves.map { Mutation(name: "\(label(document, path)) \($0)", document: $1) }
    }

    private static func attributeChanges(of document: Markup, at path: [Int]) -> [Mutation] {
        document[path].attributes.indices.flatMap { index -> [Mutation] in
            let attribute = document[path].attributes[index]
            guard !attribute.name.hasPrefix("xmlns") else { return [] }
            let changes: [(String, (inout Markup) -> Void)] =
                [
                    ("removed", { $0.attributes.remove(at: index) }),
                    ("renamed", { $0.attributes[index].name += "s" }),
                    ("in capitals", { $0.attributes[index].name = attribute.name.uppercased() }),
                ]
                + values(besides: attribute.value).map { value in
                    ("as '\(value)'", { $0.attributes[index].value = value })
                }
            return changes.map { name, change in
                var changed = document
                change(&changed[path])
                return Mutation(
                    name: "\(label(document, path)) \(attribute.name) \(name)", document: changed)
            }
        }
    }

    private static let foreignElement = Markup("x:a", [Markup.Attribute("xmlns:x", "urn:other")])

    private static let addedAttributes = [
        Markup.Attribute("other", ""), Markup.Attribute("xml:lang", "en"),
        Markup.Attribute("xml:other", ""), Markup.Attribute("xmlns:other", "urn:other"),
        Markup.Attribute("w:other", ""), Markup.Attribute("w:description", "a"),
    ]

    private static func values(besides value: String) -> [String] {
        [
            "", " ", "\n", "x", "x y", "1st", "a-b", "żółw", "true", "True", "1", "ALL", "MERGE",
            "TEXT", "a\u{301}", "-1", "007", "1000001", "2026-11-21", "2026-11-31", "| a", " |",
            "2026-11-21T24:00Z", "2026-11-21T10:30:15.25Z", value + " ", " " + value,
            value.lowercased(), value.uppercased(),
            String(repeating: "a", count: 40), String(repeating: "a", count: 41),
        ]
    }

    private static func label(_ document: Markup, _ path: [Int]) -> String {
        let steps = path.indices.map { document[Array(path[...$0])].name + "[\(path[$0])]" }
        return steps.isEmpty ? document.name : steps.joined(separator: "/")
    }
}

extension Markup {
    /// The paths to the element and its descendants, as indices of children.
    fileprivate var paths: [[Int]] {
        [[]] + children.indices.flatMap { index in children[index].paths.map { [index] + $0 } }
    }

    fileprivate subscript(path: some Collection<Int>) -> Markup {
        get {
            guard let first = path.first else { return self }
            return children[first][Array(path.dropFirst())]
        }
        set {
            if let first = path.first {
                children[first][Array(path.dropFirst())] = newValue
            } else {
                self = newValue
            }
        }
    }
}
