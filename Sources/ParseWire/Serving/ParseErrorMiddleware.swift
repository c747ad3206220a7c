import HTTPTypes
import Hummingbird
import SyncServer

/// Converts errors to the form of Parse, and lets pages of every origin read the answers: clients
/// in a browser send their keys in the request, never in cookies.
struct ParseErrorMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: ConnectionContext,
        next: (Request, ConnectionContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            response = try await next(request, context)
        } catch {
            // The client causes a refusal in the form of Parse.
            if !(error is ParseFailure) {
                HTTPFailure(error, request: request).log(to: context.logger)
            }
            response = ParseFailure(of: error, request).response.response
        }
        response.headers.openToPages()
        return response
    }
}

extension HTTPFields {
    /// Lets pages of every origin read a response, and no cache keep it.
    mutating func openToPages() {
        for (name, value) in Self.crossOriginHeaders { self[name] = value }
        self[.cacheControl] = "no-store"
    }

    private static let crossOriginHeaders: [(HTTPField.Name, String)] = [
        (.accessControlAllowOrigin, "*"),
        (.accessControlAllowMethods, "GET,PUT,POST,DELETE,OPTIONS"),
        (
            .accessControlAllowHeaders,
            PageHeaders.parse.ofRequests.joined(separator: ", ")
        ),
        (
            .accessControlExposeHeaders,
            PageHeaders.parse.ofResponses.joined(separator: ", ")
        ),
    ]
}

extension PageHeaders {
    /// All that clients of Parse use.
    static let parse = PageHeaders(
        ofRequests: [
            "X-Parse-Master-Key", "X-Parse-REST-API-Key", "X-Parse-Javascript-Key",
            "X-Parse-Client-Key", "X-Parse-Windows-Key", "X-Parse-Application-Id",
            "X-Parse-Client-Version", "X-Parse-Session-Token", "X-Requested-With",
            "X-Parse-Revocable-Session", "X-Parse-Request-Id", "X-Parse-Installation-Id",
            "Authorization", "If-Match", "Content-Type", "Pragma", "Cache-Control",
        ],
        ofResponses: ["X-Parse-Job-Status-Id", "X-Parse-Push-Status-Id", "ETag", "Retry-After"])
}
