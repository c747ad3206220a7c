import JSON

/// An operation of the native wire, with the JSON Schemas of its messages.
struct NativeOperation: Sendable {
    enum Answer: Sendable {
        case empty
        /// Accepted, to be carried out later.
        case accepted
        /// To another address.
        case redirect
        /// By status.
        case json([Int: JSONValue])
        case bytes
        case events
    }

    let method: AdminRoute.Method
    /// Relative to `/v1/ENVIRONMENT/`, with names in braces.
    let path: String
    /// Unique.
    let id: String
    let summary: String
    var query: [String: JSONValue] = [:]
    /// The headers of requests, beside that of the client's version.
    var headers: [HeaderParameter] = []
    var body: JSONValue?
    /// Whether the body is the contents of a file, or a part of them.
    var sendsContents = false
    let answer: Answer

    /// Whether anybody may ask without a token.
    var isOpen: Bool {
        [
            "signIn", "health", "signUp", "resetPassword", "requestReset", "beginSignIn",
            "finishSignIn", "providers",
        ].contains(id)
    }

    /// Whether it speaks in the words of the client's version, see the header `Waggle-Definition`.
    private var isInWordsOfVersion: Bool {
        path == "sync" || path == "conflicts" || path.hasPrefix("records/")
    }

    var document: JSONValue {
        var members: [String: JSONValue] = [
            "operationId": .string(id), "summary": .string(summary),
            "security": .array(isOpen ? [] : [.object(["token": .array([])])]),
            "parameters": .array(parameters),
            "responses": .object(
                responses.merging(RefusalStatus.responses(refusals)) { $1 }),
        ]
        if let body {
            members["requestBody"] = .object([
                "required": .boolean(true), "content": json(body),
            ])
        } else if sendsContents {
            members["requestBody"] = .object([
                "required": .boolean(false),
                "content": .object(["application/octet-stream": .object([:])]),
            ])
        }
        return .object(members)
    }

    private var parameters: [JSONValue] {
        let names = path.split(separator: "/").filter { $0.hasPrefix("{") }
            .map { $0.dropFirst().dropLast() }
        return names.map { name in
            .object([
                "name": .string(String(name)), "in": "path", "required": .boolean(true),
                "schema": .object(["type": "string"]),
            ])
        }
            + query.sorted { $0.key < $1.key }.map { name, schema in
                .object([
                    "name": .string(name), "in": "query", "required": .boolean(false),
                    "schema": schema,
                ])
            } + headers.map(\.document) + (isInWordsOfVersion ? [versionParameter] : [])
    }

    private var versionParameter: JSONValue {
        .object([
            "name": "Waggle-Definition", "in": "header", "required": .boolean(false),
            "description": .string(
                "the fingerprint of the definition that the client was built with; records, and "
                    + "names of models and fields, are then those of that version, and not of "
                    + "this document: /admin/v1/environments/ENVIRONMENT/openapi.json?version=N "
                    + "is the one of version N, which 'waggle openapi --version N' writes"),
            "schema": .object(["type": "string"]),
        ])
    }

    /// The headers of an answer in the words of a version.
    private var versionHeaders: JSONValue {
        .object([
            "Waggle-Definition": .object([
                "description": .string(
                    "the fingerprint of the definition whose names the response has, if the "
                        + "request names one"),
                "schema": .object(["type": "string"]),
            ])
        ])
    }

    private var responses: [String: JSONValue] {
        switch answer {
        case .empty: ["204": .object(["description": "done"])]
        case .accepted: ["202": .object(["description": "accepted"])]
        case .redirect: ["303": .object(["description": "the address is in the header Location"])]
        case .json(let schemas):
            Dictionary(
                schemas.map { status, schema in
                    var members: [String: JSONValue] = [
                        "description": "done", "content": json(schema),
                    ]
                    if isInWordsOfVersion { members["headers"] = versionHeaders }
                    return ("\(status)", .object(members))
                }, uniquingKeysWith: { first, _ in first })
        case .bytes:
            [
                "200": .bytes("the contents"), "206": .bytes("a part of the contents"),
                "304": .object(["description": "the contents are those of If-None-Match"]),
            ]
        case .events:
            [
                "200": .object([
                    "description": "notifications, until the stream ends",
                    "content": .object(["text/event-stream": .object([:])]),
                ])
            ]
        }
    }

    private func json(_ schema: JSONValue) -> JSONValue {
        .object(["application/json": .object(["schema": schema])])
    }
}

extension JSONValue {
    fileprivate static func bytes(_ description: String) -> JSONValue {
        .object([
            "description": .string(description), "headers": HeaderParameter.ofContents,
            "content": .object(["application/octet-stream": .object([:])]),
        ])
    }
}
