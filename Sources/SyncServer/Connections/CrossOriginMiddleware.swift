import HTTPTypes
import Hummingbird

/// Lets pages of some origins read responses in a browser (CORS, as the Fetch standard has it).
///
/// Requests carry tokens in `Authorization` and no cookies, so credentials are never allowed: a
/// page cannot act for a user whose token it does not have.
struct CrossOriginMiddleware: RouterMiddleware {
    private let origins: AllowedOrigins
    private let askableRoots: Set<String>

    /// Nil if no origin is allowed: then no response has a header of CORS.
    ///
    /// - Parameter roots: The first parts of the paths to which pages may send any header.
    init?(_ origins: AllowedOrigins, allowingAskedHeadersAt roots: Set<String>) {
        guard origins != .none else { return nil }
        self.origins = origins
        askableRoots = roots
    }

    func handle(
        _ request: Request, context: ConnectionContext,
        next: (Request, ConnectionContext) async throws -> Response
    ) async throws -> Response {
        let origin = request.headers[.origin].flatMap { origins.allows($0) ? $0 : nil }
        if let origin, request.isPreflight {
            var response = Response(status: .noContent, headers: Self.preflightHeaders)
            if let asked = request.headers[.accessControlRequestHeaders], isAskable(request) {
                response.headers[.accessControlAllowHeaders] = asked
                response.headers[.accessControlMaxAge] = "300"
            }
            addOrigin(origin, to: &response.headers)
            return response
        }
        var response = try await next(request, context)
        addOrigin(origin, to: &response.headers)
        if origin != nil { response.headers[.accessControlExposeHeaders] = Self.exposedHeaders }
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

    private static let preflightHeaders: HTTPFields = [
        .accessControlAllowMethods: "GET, HEAD, POST, PUT, PATCH, DELETE",
        .accessControlAllowHeaders: [
            "Authorization", "Content-Type", "Content-Range", "Repr-Digest", "Range", "If-Range",
            "If-None-Match", "Last-Event-ID", "X-Request-Id", "traceparent", "If-Match",
            "Waggle-Definition",
            "ZUMO-API-VERSION", "X-ZUMO-AUTH", "X-ZUMO-APPLICATION", "X-ZUMO-FEATURES",
            "X-ZUMO-INSTALLATION-ID", "X-ZUMO-VERSION", "X-HTTP-Method-Override",
            "X-Parse-Application-Id", "X-Parse-Client-Version", "X-Parse-Installation-Id",
            "X-Parse-Javascript-Key", "X-Parse-Master-Key", "X-Parse-REST-API-Key",
            "X-Parse-Request-Id", "X-Parse-Revocable-Session", "X-Parse-Session-Token",
            "X-Requested-With", "Pragma", "Cache-Control",
        ].joined(separator: ", "),
        .accessControlMaxAge: "600", .cacheControl: "no-store",
        .vary: "Access-Control-Request-Method, Access-Control-Request-Headers",
    ]

    /// Those that a page needs beside the ones that every page may read.
    private static let exposedHeaders = [
        "Accept-Ranges", "Content-Range", "ETag", "Link", "Repr-Digest", "Retry-After",
        "Waggle-Definition", "X-Request-Id", "X-Parse-Job-Status-Id", "X-Parse-Push-Status-Id",
    ].joined(separator: ", ")
}

extension Request {
    /// The question of a browser whether a page may send a request.
    fileprivate var isPreflight: Bool {
        method == .options && headers[.accessControlRequestMethod] != nil
    }
}
