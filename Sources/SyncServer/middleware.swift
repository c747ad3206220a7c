import Hummingbird
import Logging
import NIOCore

/// One line for each request: what was asked, and what came of it. Never a header, a query or a
/// body: those may hold secrets.
struct RequestLog: RouterMiddleware {
    func handle(
        _ request: Request, context: ConnectionContext,
        next: (Request, ConnectionContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let response = try await next(request, context)
        let duration = start.duration(to: .now)
        context.logger.info(
            "request",
            metadata: [
                "method": "\(request.method)", "path": "\(request.uri.path.shortened)",
                "status": "\(response.status.code)", "microseconds": "\(duration.microseconds)",
            ])
        return response
    }
}

/// Turns whatever is thrown into the one shape of errors, and logs what the asker is not told.
struct ErrorShape: RouterMiddleware {
    func handle(
        _ request: Request, context: ConnectionContext,
        next: (Request, ConnectionContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let failure = HTTPFailure(error, request: request)
            if let cause = failure.cause {
                context.logger.error("request failed", metadata: ["cause": "\(cause)"])
            }
            let response = try failure.response()
            // What is asked for its head alone gets no body, or the client takes that for the next
            // answer.
            return request.method == .head ? response.createHeadResponse() : response
        }
    }
}

extension Duration {
    fileprivate var microseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}
