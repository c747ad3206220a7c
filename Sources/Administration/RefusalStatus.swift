import JSON

/// A status with which a route may refuse a request, as the OpenAPI documents name it.
package enum RefusalStatus: Int, CaseIterable, Hashable, Sendable {
    case badRequest = 400
    case unauthorized = 401
    case forbidden = 403
    case notFound = 404
    case requestTimeout = 408
    case conflict = 409
    case lengthRequired = 411
    case preconditionFailed = 412
    case contentTooLarge = 413
    case uriTooLong = 414
    case unsupportedMediaType = 415
    case rangeNotSatisfiable = 416
    case unprocessableContent = 422
    case tooManyRequests = 429
    case internalServerError = 500
    case serviceUnavailable = 503
    case insufficientStorage = 507
}

extension RefusalStatus {
    /// Statuses with which any route may answer: a request may be malformed, its client may leave,
    /// and the database may be busy, full or broken.
    static let ofEveryRoute: Set<RefusalStatus> = [
        .badRequest, .requestTimeout, .internalServerError, .serviceUnavailable,
        .insufficientStorage,
    ]

    /// The responses of an operation with these statuses, by status.
    static func responses(_ statuses: Set<RefusalStatus>) -> [String: JSONValue] {
        let references = statuses.map { status -> (String, JSONValue) in
            let name = "#/components/responses/refusal\(status.rawValue)"
            return ("\(status.rawValue)", .object(["$ref": .string(name)]))
        }
        return Dictionary(references, uniquingKeysWith: { first, _ in first })
    }

    /// The responses of all statuses, for the components of a document with the schema `error`.
    static var components: JSONValue {
        let responses = allCases.map { status -> (String, JSONValue) in
            let content: JSONValue = .object([
                "application/json": .object([
                    "schema": .object(["$ref": "#/components/schemas/error"])
                ])
            ])
            let response: [String: JSONValue] = [
                "description": .string(status.meaning), "content": content,
            ]
            return ("refusal\(status.rawValue)", .object(response))
        }
        return .object(Dictionary(responses, uniquingKeysWith: { first, _ in first }))
    }

    /// The code of the error says it exactly.
    private var meaning: String {
        switch self {
        case .badRequest: "the request is malformed, or a value in it is illegal"
        case .unauthorized: "nobody is signed in, or the password or token is wrong"
        case .forbidden: "the caller may not do this"
        case .notFound: "the request names something that does not exist"
        case .requestTimeout: "the request came too slowly, or its client has gone"
        case .conflict: "the present state does not allow it"
        case .lengthRequired: "the request does not say how long its body is"
        case .preconditionFailed: "somebody else has changed it meanwhile"
        case .contentTooLarge: "the body is too large, or takes too long to process"
        case .uriTooLong: "the query is too long"
        case .unsupportedMediaType: "the body or the file is of another type than it must be"
        case .rangeNotSatisfiable: "the file does not have these bytes"
        case .unprocessableContent: "the contents have errors, or take too long to read"
        case .tooManyRequests: "there were too many such requests; Retry-After may say when to ask"
        case .internalServerError: "the server failed"
        case .serviceUnavailable: "the server is busy, stopping or without its database"
        case .insufficientStorage: "the server's disk is full"
        }
    }
}
