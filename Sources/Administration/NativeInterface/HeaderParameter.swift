import JSON

/// A header of requests in an OpenAPI document.
struct HeaderParameter: Hashable, Sendable {
    let name: String
    let description: String
    var isRequired = false

    var document: JSONValue {
        .object([
            "name": .string(name), "in": "header", "required": .boolean(isRequired),
            "description": .string(description), "schema": .object(["type": "string"]),
        ])
    }
}

extension HeaderParameter {
    /// The headers of a request for the contents of a file.
    static let ofDownload = [
        HeaderParameter(name: "Range", description: "the part to return, such as bytes=100-199"),
        HeaderParameter(
            name: "If-None-Match", description: "the ETag of contents that need not be returned"),
        HeaderParameter(
            name: "If-Range", description: "the ETag of the contents that the part is of"),
    ]

    /// The headers of a request with the contents of a file.
    static let ofUpload = [
        HeaderParameter(
            name: "Repr-Digest",
            description: "the SHA-256 of the whole file in Base64, as in sha-256=:…:",
            isRequired: true),
        HeaderParameter(
            name: "Content-Range",
            description: "the place of the part, as in bytes 100-199/1000; bytes */1000 without a "
                + "body, if only the last step is missing"),
    ]

    /// The headers of answers with the contents of a file.
    static let ofContents = answer([
        "ETag": "the SHA-256 of the file in hexadecimal digits",
        "Repr-Digest": "the same, as in the upload",
    ])

    /// The headers of an answer, by their descriptions.
    static func answer(_ headers: [String: String]) -> JSONValue {
        .object(
            headers.mapValues { description in
                .object([
                    "description": .string(description), "schema": .object(["type": "string"]),
                ])
            })
    }
}
