import HTTPTypes
import Hummingbird

/// Lets pages of some origins read responses in a browser (CORS, as the Fetch standard has it).
///
/// Requests carry tokens in `Authorization` and no cookies, so credentials are never allowed: a
/// page cannot act for a user whose token it does not have.
struct CrossOriginMiddleware: RouterMiddleware {
    private let origins: AllowedOrigins
    /// The first parts of the paths to which pages may send any header.
    private let askableRoots: Set<String>
    private let preflightHeaders: HTTPFields
    private let exposedHeaders: String

    /// Nil if no origin is allowed: then no response has a header of CORS.
    init?(_ origins: AllowedOrigins, of wires: [WireRoutes]) {
        guard origins != .none else { return nil }
        self.origins = origins
        askableRoots = wires.filter(\.allowsAskedHeaders).reduce(into: []) {
            $0.formUnion($1.roots)
        }
        let headers = wires.map(\.pageHeaders).reduce(PageHeaders.common) { $0.joined(with: $1) }
        preflightHeaders = [
            .accessControlAllowMethods: "GET, HEAD, POST, PUT, PATCH, DELETE",
            .accessControlAllowHeaders: headers.ofRequests.joined(separator: ", "),
            .accessControlMaxAge: "600", .cacheControl: "no-store",
            .vary: "Access-Control-Request-Method, Access-Control-Request-Headers",
        ]
        exposedHeaders = headers.ofResponses.joined(separator: ", ")
    }

    func handle(
        _ request: Request, context: ConnectionContext,
        next: (Request, ConnectionContext) async throws -> Response
    ) async throws -> Response {
        let origin = request.headers[.origin].flatMap { origins.allows($0) ? $0 : nil }
        if let origin, request.isPreflight {
            var response = Response(status: .noContent, headers: preflightHeaders)
            if let asked = request.headers[.accessControlRequestHeaders], isAskable(request) {
                response.headers[.accessControlAllowHeaders] = asked
                response.headers[.accessControlMaxAge] = "300"
            }
            addOrigin(origin, to: &response.headers)
            return response
        }
        var response = try await next(request, context)
        addOrigin(origin, to: &response.headers)
        if origin != nil { response.headers[.accessControlExposeHeaders] = exposedHeaders }
        return response
    }

    private func isAskable(_ request: Request) -> Bool {
        request.root.map(askableRoots.contains) ?? false
    }

    /// A response to one origin is not one to another, also not to one that is not allowed.
    private func addOrigin(_ origin: String?, to headers: inout HTTPFields) {
        if origins == .every {
            if origin != nil { headers[.accessControlAllowOrigin] = "*" }
        } else {
            if let origin { headers[.accessControlAllowOrigin] = origin }
            headers.append(HTTPField(name: .vary, value: "Origin"))
        }
    }
}

extension Request {
    /// The question of a browser whether a page may send a request.
    fileprivate var isPreflight: Bool {
        method == .options && headers[.accessControlRequestMethod] != nil
    }
}
