import Hummingbird
import Logging
import NIOCore

/// Logs one line per request, without headers, query and body, which may contain secrets.
struct RequestLogMiddleware: RouterMiddleware {
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

/// Converts errors to the common format, and logs details that the client does not see.
struct ErrorMiddleware: RouterMiddleware {
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
            // A response to HEAD has no body; a client would read it as the next response.
            return request.method == .head ? response.createHeadResponse() : response
        }
    }
}

/// Makes room for a response in the memory budget. A response that does not fit is
/// refused: its client may read slowly, and hold it for as long.
struct AnswerMemoryMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: ConnectionContext,
        next: (Request, ConnectionContext) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        guard let connection = context.connection, !connection.isAnswerStreamed,
            let bytes = response.body.contentLength, bytes > MemoryBudget.uncountedBytes
        else { return response }
        do throws(MemoryShortage) {
            try connection.answer(bytes)
        } catch {
            throw HTTPFailure(error)
        }
        return response
    }
}

extension Duration {
    fileprivate var microseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}
