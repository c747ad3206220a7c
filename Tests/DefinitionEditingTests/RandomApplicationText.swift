import TestKit

/// A definition with groups, roles, rights and relations in a random layout.
struct RandomApplicationText {
    private struct Node {
        let name: String
        var attributes: [(String, String)] = []
        var children: [Node] = []
        /// As it is written, with comments.
        var text = ""
    }

    private var random: SplitMix64
    private var text = ""

    static func text(using random: inout SplitMix64) -> String {
        var definition = RandomApplicationText(random: random)
        definition.write()
        random = definition.random
        return definition.text
    }

    private init(random: SplitMix64) { self.random = random }

    private mutating func write() {
        text = chosen(["", "<?xml version='1.0'?>\n", "<!-- of a team -->\n"])
        write(application(), depth: 0)
        text += chosen(["", "\n", "<!-- the end -->"])
    }

    private mutating func chosen<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &random)]
    }

    // MARK: Contents

    private mutating func application() -> Node {
        let groups = ["users", "staff"]
        let devices = ["mobile", "desk"]
        let pairs = groups.flatMap { group in devices.map { (group, $0) } }
            .filter { _ in Bool.random(using: &random) }
        let roles = pairs.map { "\($0)-\($1)" }
        let models = ["list", "note", "tag"].prefix(Int.random(in: 0...3, using: &random))
        var attributes = [("application", "notes"), ("vendor", "own")]
        if Bool.random(using: &random) { attributes.append(("conflictMode", "MANUAL")) }
        if Bool.random(using: &random) {
            attributes.append((chosen(["xmlns:w", "xmlns:own"]), ownNamespace))
        }
        var node = Node(name: "application", attributes: attributes)
        node.children = [
            Node(name: "devices", children: named("device", devices)),
            Node(name: "groups", children: named("group", groups)),
            Node(
                name: "roles",
                children: pairs.map {
                    Node(name: "role", attributes: [("group", $0), ("device", $1)])
                }),
        ]
        var all: [Node] = []
        for name in models { all.append(model(name, among: Array(models), roles)) }
        node.children.append(Node(name: "models", children: all))
        return node
    }

    private func named(_ kind: String, _ names: [String]) -> [Node] {
        names.map { Node(name: kind, attributes: [("name", $0)]) }
    }

    private mutating func model(_ name: String, among models: [String], _ roles: [String]) -> Node {
        var fields: [Node] = []
        for number in 0..<Int.random(in: 0...3, using: &random) {
            fields.append(field("field\(number)", among: models, roles))
        }
        let sections = [Node(name: "fields", children: fields), credentials(roles)]
        return Node(name: "model", attributes: [("name", name)], children: sections)
    }

    private mutating func field(_ name: String, among models: [String], _ roles: [String]) -> Node {
        let option: (String, String) = chosen([
            ("model", chosen(models)), ("minValue", "5"), ("maxValue", ""), ("scale", "2"),
        ])
        let value = chosen([
            option.1, " \(option.1)\n", "<!-- it is -->\(option.1)", "\(option.1)<!-- it was -->",
            "<!-- a -->\(option.1) <!-- b -->",
        ])
        let options = Node(
            name: "options",
            children: [Node(name: "option", attributes: [("name", option.0)], text: value)])
        let more: [(String, String)] = chosen([
            [], [("required", "true")], [("defaultValue", "&lt;é")],
        ])
        return Node(
            name: "field", attributes: [("name", name), ("type", "TEXT")] + more,
            children: chosen([[options], [credentials(roles), options], [credentials(roles)], []]))
    }

    private mutating func credentials(_ roles: [String]) -> Node {
        var all: [Node] = []
        for role in roles where Bool.random(using: &random) {
            let rights: [(String, String)] = chosen([
                [], [("readAllowed", "ALL")], [("createAllowed", "OWN"), ("readAllowed", "GROUP")],
            ])
            all.append(Node(name: "credential", attributes: [("role", role)] + rights))
        }
        return Node(name: "credentials", children: all)
    }

    // MARK: Layout

    private mutating func write(_ node: Node, depth: Int) {
        text += "<\(node.name)"
        for (name, value) in node.attributes {
            let quote = chosen(["\"", "'"])
            text += blank(atLeast: 1) + name + chosen(["=", " = "]) + quote + value + quote
        }
        text += blank(atLeast: 0)
        if node.children.isEmpty, node.text.isEmpty, Bool.random(using: &random) {
            text += "/>"
            return
        }
        text += ">" + node.text
        for child in node.children {
            text += gap(depth)
            write(child, depth: depth + 1)
        }
        if node.text.isEmpty { text += gap(depth) }
        text += "</\(node.name)>"
    }

    private mutating func gap(_ depth: Int) -> String {
        let indentation = String(repeating: "  ", count: depth)
        return chosen([
            "", " ", "\n\(indentation)", "\n\n\(indentation)", "<!-- <x a='>'/> -->", "\r\n",
            "\n\(indentation)<!-- a line -->\n\(indentation)",
        ])
    }

    private mutating func blank(atLeast least: Int) -> String {
        chosen(Array(["", " ", "  ", "\n  ", "\t"].dropFirst(least)))
    }
}
