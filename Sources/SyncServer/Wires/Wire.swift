package import HTTPTypes
package import Hummingbird

/// A protocol that clients speak, at paths of its own. It translates between its messages and the
/// calls of the engine; no rule lives in one.
package protocol Wire: Sendable {
    /// Called once for each run of the server, before it listens.
    func routes(in host: WireHost) -> WireRoutes
}

/// Which requests a wire answers.
package struct WireRoutes: Sendable {
    package typealias Answer =
        @Sendable (_ request: Request, _ context: ConnectionContext) async throws -> Response

    package typealias ErrorTranslation =
        any MiddlewareProtocol<Request, Response, ConnectionContext>

    /// The start of every path, such as `/v1`.
    package let prefix: String
    /// By path, and by method. A path is one of Hummingbird's, as in `records/:guid`. To other
    /// methods the host answers with status 405.
    package var answers: [String: [HTTPRequest.Method: Answer]] = [:]
    /// Turns thrown errors into responses. An error that it throws, and every error where there is
    /// none, is answered with an `HTTPFailure`.
    package let errors: ErrorTranslation?

    package init(
        prefix: String, errors: ErrorTranslation? = nil
    ) {
        self.prefix = prefix
        self.errors = errors
    }

    package mutating func on(
        _ method: HTTPRequest.Method, _ path: String, _ answer: @escaping Answer
    ) {
        answers[path, default: [:]][method] = answer
    }
}

extension WireRoutes {
    func add(to router: Router<ConnectionContext>) {
        let group = router.group(RouterPath(prefix))
        if let errors { group.add(middleware: errors) }
        for (path, answers) in answers {
            for (method, answer) in answers {
                group.on(RouterPath(path), method: method, use: answer)
            }
            let allowed = answers.keys.map(\.rawValue).sorted()
            for method in Self.methods where answers[method] == nil {
                group.on(RouterPath(path), method: method) { _, _ -> Response in
                    throw HTTPFailure.methodNotAllowed(method.rawValue, allowed: allowed)
                }
            }
        }
    }

    private static let methods: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace,
    ]
}
