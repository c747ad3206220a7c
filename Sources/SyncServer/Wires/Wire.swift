package import HTTPTypes
package import Hummingbird

/// A protocol for clients, with its own paths. A wire translates between messages and calls of the
/// engine, and has no rules of its own.
package protocol Wire: Sendable {
    /// Called once per run of the server, before it listens.
    func routes(in host: WireHost) -> WireRoutes
}

/// The routes of a wire.
package struct WireRoutes: Sendable {
    package typealias Handler =
        @Sendable (_ request: Request, _ context: ConnectionContext) async throws -> Response

    package typealias ErrorTranslation =
        any MiddlewareProtocol<Request, Response, ConnectionContext>

    /// The prefix of every path, such as `/v1`.
    package let prefix: String
    /// By path in Hummingbird's syntax (`records/:guid`) and method. The host answers other methods
    /// with status 405.
    package var handlers: [String: [HTTPRequest.Method: Handler]] = [:]
    /// Converts errors to responses, that of a response without room in memory too. Errors
    /// that this throws, and all errors if it is nil, are written in the format `refusals`.
    package let errors: ErrorTranslation?
    /// The format of refusals that happen before the routes: too many connections, no valid HTTP,
    /// an unknown path. It applies to all paths with the same first part as a route of the wire. If
    /// it is nil, they are JSON with `code`, `message`, `help` and `details`.
    package let refusals: RefusalFormat?
    package var pageHeaders = PageHeaders()
    /// Whether pages of allowed origins may send any header that they ask for.
    package var allowsAskedHeaders = false

    package init(
        prefix: String, errors: ErrorTranslation? = nil, refusals: RefusalFormat? = nil
    ) {
        self.prefix = prefix
        self.errors = errors
        self.refusals = refusals
    }

    package mutating func on(
        _ method: HTTPRequest.Method, _ path: String, _ handler: @escaping Handler
    ) {
        handlers[path, default: [:]][method] = handler
    }
}

extension WireRoutes {
    /// The first parts of the paths.
    var roots: Set<String> {
        let parts = handlers.keys.compactMap { "\(prefix)/\($0)".split(separator: "/").first }
        return Set(parts.map(String.init))
    }

    func add(to router: Router<ConnectionContext>) {
        let group = router.group(RouterPath(prefix))
        if let errors { group.add(middleware: errors) }
        group.add(middleware: AnswerMemoryMiddleware())
        for (path, handlers) in handlers {
            for (method, handler) in handlers {
                group.on(RouterPath(path), method: method, use: handler)
            }
            let allowed = handlers.keys.map(\.rawValue).sorted()
            for method in Self.methods where handlers[method] == nil {
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
