import JSON

/// The schemas of an OpenAPI document, of version 2 or 3.
struct OpenAPIDocument {
    let paths: [String: JSONValue]
    private let schemas: [String: JSONValue]

    /// Nil for other JSON.
    init?(_ json: JSONValue) {
        let named = json.member("definitions") ?? json.member("components")?.member("schemas")
        guard case .object(let schemas)? = named, case .object(let paths)? = json.member("paths")
        else { return nil }
        self.paths = paths
        self.schemas = schemas
    }

    /// The schema of the rows of a table: the one that its path refers to, or else the one that is
    /// called like the table.
    func row(of table: String, at path: JSONValue) -> JSONValue? {
        let stated = [body(of: path.member("post")), list(of: path.member("get")).flatMap(element)]
        let named = schemas.sorted { $0.key < $1.key }
            .first { $0.key.lowercased() == table.lowercased() }?.value
        return (stated + [named]).lazy.compactMap { $0 }.map(resolved)
            .first { $0.member("properties") != nil }
    }

    /// The schema itself, in place of a reference to it, or of a choice between it and null.
    func resolved(_ schema: JSONValue) -> JSONValue {
        var schema = schema
        // References in a circle lead to no schema.
        for _ in 0..<Self.maxSteps {
            guard let next = next(after: schema) else { break }
            schema = next
        }
        return schema
    }

    func isNullable(_ schema: JSONValue) -> Bool {
        [schema, resolved(schema)].contains { schema in
            let choices = Self.choices.flatMap { schema.member($0)?.elements ?? [] }
            return ["nullable", "x-nullable"].contains { schema.member($0) == .boolean(true) }
                || schema.member("type")?.texts.contains("null") ?? false
                || choices.contains(where: \.isNull)
        }
    }

    private static let maxSteps = 8
    private static let choices = ["anyOf", "oneOf"]

    private func next(after schema: JSONValue) -> JSONValue? {
        if let name = schema.member("$ref")?.text?.split(separator: "/").last {
            return schemas[String(name)]
        }
        for word in ["allOf"] + Self.choices {
            let others = schema.member(word)?.elements.filter { !$0.isNull } ?? []
            if others.count == 1 { return others[0] }
        }
        return nil
    }

    /// The schema of what a request sends.
    private func body(of request: JSONValue?) -> JSONValue? {
        let parameters = request?.member("parameters")?.elements ?? []
        return content(of: request?.member("requestBody"))
            ?? parameters.first { $0.member("in")?.text == "body" }?.member("schema")
    }

    private func list(of request: JSONValue?) -> JSONValue? {
        let answer = request?.member("responses")?.member("200")
        return content(of: answer) ?? answer?.member("schema")
    }

    private func content(of message: JSONValue?) -> JSONValue? {
        guard case .object(let types)? = message?.member("content") else { return nil }
        return (types["application/json"] ?? types.values.first)?.member("schema")
    }

    /// The schema of the elements of a list, which may be in a page.
    private func element(of list: JSONValue) -> JSONValue? {
        let list = resolved(list)
        if let element = list.member("items") { return element }
        let page = list.member("properties")
        return ["items", "results"].lazy.compactMap { page?.member($0) }
            .compactMap { resolved($0).member("items") }.first
    }
}

extension JSONValue {
    /// The elements of a list; none if it is no list.
    fileprivate var elements: [JSONValue] {
        if case .array(let elements) = self { elements } else { [] }
    }

    /// Whether it is the schema of null.
    fileprivate var isNull: Bool { member("type")?.text == "null" }
}
