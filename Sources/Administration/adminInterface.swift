package import JSON

/// The OpenAPI 3.1 document of the administration.
package func adminInterface() -> JSONValue {
    var paths: [String: [String: JSONValue]] = [:]
    for route in AdminRoute.all {
        paths[route.templatedPath, default: [:]][route.method.rawValue.lowercased()] =
            route.document
    }
    return .object([
        "openapi": "3.1.0",
        "info": .object(["title": "Waggle's administration", "version": "1"]),
        "servers": .array([.object(["url": .string(AdminRoute.prefix)])]),
        "paths": .object(paths.mapValues { .object($0) }),
        "components": .object([
            "schemas": .object(["error": MessageShape.error.schema]),
            "responses": RefusalStatus.components,
            "securitySchemes": .object([
                "session": .object([
                    "type": "apiKey", "in": "cookie", "name": "waggle-operator",
                    "description": "over HTTPS the name is __Host-waggle-operator",
                ]),
                "token": .object(["type": "http", "scheme": "bearer"]),
            ]),
        ]),
    ])
}

extension AdminRoute {
    /// With names in braces.
    fileprivate var templatedPath: String {
        "/"
            + path.split(separator: "/").map { part in
                part.hasPrefix(":") ? "{\(part.dropFirst())}" : String(part)
            }.joined(separator: "/")
    }

    fileprivate var document: JSONValue {
        var members: [String: JSONValue] = [
            "operationId": .string(operation.rawValue), "summary": .string(summary),
            "description": .string(access.description), "security": access.security,
            "parameters": .array(documentedParameters),
            "responses": .object(responses),
        ]
        if operation == .importRecords {
            members["requestBody"] = .object([
                "required": .boolean(true),
                "content": .object([
                    "text/csv": .object([:]), "application/jsonl": .object([:]),
                ]),
            ])
        }
        if let body {
            members["requestBody"] = .object([
                "required": .boolean(true), "content": content(body),
            ])
        }
        return .object(members)
    }

    private var documentedParameters: [JSONValue] {
        let inPath = parameters.map { name -> JSONValue in
            .object([
                "name": .string(name), "in": "path", "required": .boolean(true),
                "schema": .object(["type": "string"]),
            ])
        }
        return inPath + headerParameters.map(\.document)
            + documentedQuery.map { member in
                .object([
                    "name": .string(member.name), "in": "query",
                    "required": .boolean(member.isRequired), "schema": member.shape.schema,
                ])
            }
    }

    private var headerParameters: [HeaderParameter] {
        if answer == .bytes { return HeaderParameter.ofDownload }
        guard operation == .writeDraft else { return [] }
        return [
            HeaderParameter(
                name: "If-Match",
                description: "the ETag of the draft that the text was made from; without it, the "
                    + "draft is a new one")
        ]
    }

    /// Nil for answers without headers of their own.
    private var answerHeaders: JSONValue? {
        if answer == .bytes { return HeaderParameter.ofContents }
        guard [.showDraft, .writeDraft].contains(operation) else { return nil }
        return HeaderParameter.answer(["ETag": "the revision of the draft, for If-Match"])
    }

    /// All parameters after the question mark.
    package var documentedQuery: [MessageMember] {
        guard case .page = answer else { return query }
        return query + [
            MessageMember("next", .text("12"), isRequired: false),
            MessageMember("limit", .number(100), isRequired: false),
        ]
    }

    private var responses: [String: JSONValue] {
        successes.mapValues(withHeaders).merging(RefusalStatus.responses(refusals)) { $1 }
    }

    private func withHeaders(_ answer: JSONValue) -> JSONValue {
        guard let headers = answerHeaders, case .object(let members) = answer else {
            return answer
        }
        return .object(members.merging(["headers": headers]) { $1 })
    }

    private var successes: [String: JSONValue] {
        switch answer {
        case .empty: ["204": .object(["description": "done"])]
        case .json(let shape, let status):
            ["\(status)": .object(["description": "done", "content": content(shape)])]
        case .summary(let shape):
            [
                "200": .object([
                    "description": "done",
                    "content": .object([
                        "application/json": media(shape), "application/jsonl": .object([:]),
                    ]),
                ])
            ]
        case .page(let shape):
            ["200": .object(["description": "a page", "content": content(.page(of: shape))])]
        case .xml: ["200": .media("application/xml", "the definition")]
        case .zip: ["200": .media("application/zip", "an archive")]
        case .bytes:
            [
                "200": .media("*/*", "the contents"),
                "206": .media("*/*", "the part that the header Range names"),
                "304": .object(["description": "the contents have the tag of If-None-Match"]),
            ]
        case .rows:
            [
                "200": .object([
                    "description": "the rows, in the format that was asked for",
                    "content": .object([
                        "text/csv": .object([:]), "application/jsonl": .object([:]),
                    ]),
                ])
            ]
        case .events: ["200": .media("text/event-stream", "events, until the stream ends")]
        case .text(let type):
            ["200": .media(String(type.prefix { $0 != ";" }), "text")]
        }
    }

    private func content(_ shape: MessageShape) -> JSONValue {
        .object(["application/json": media(shape)])
    }

    private func media(_ shape: MessageShape) -> JSONValue {
        .object(["schema": shape.schema, "example": shape.example])
    }
}

extension JSONValue {
    fileprivate static func media(_ type: String, _ description: String) -> JSONValue {
        .object([
            "description": .string(description), "content": .object([type: .object([:])]),
        ])
    }
}

extension AdminAccess {
    /// The scopes that may do it, for people.
    package var description: String {
        switch self {
        case .anyone: "anyone"
        case .sessions: "any operator with a session"
        case .scopes(let scopes, let password):
            AdminScope.allCases.filter(scopes.contains).map(\.rawValue).joined(separator: ", ")
                + password.description
        }
    }

    fileprivate var security: JSONValue {
        switch self {
        case .anyone: .array([])
        case .sessions, .scopes(_, .alwaysInSession):
            .array([.object(["session": .array([])])])
        case .scopes:
            .array([.object(["session": .array([])]), .object(["token": .array([])])])
        }
    }
}

extension PasswordAgain {
    fileprivate var description: String {
        switch self {
        case .never: ""
        case .always: "; password again"
        case .alwaysInSession: "; with a session, password again"
        case .beyondTest: "; password again outside of test"
        }
    }
}
