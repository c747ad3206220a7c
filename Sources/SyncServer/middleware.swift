import Hummingbird
import Logging
import NIOCore

/// Gives each request its id, counts it, and logs one line, without headers, query and body, which
/// may contain secrets.
struct RequestLogMiddleware: RouterMiddleware {
    let metrics: ServerMetrics?

    func handle(
        _ request: Request, context: ConnectionContext,
        next: (Request, ConnectionContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        var context = context
        let id = RequestIdentifier(of: request.headers, or: RequestIdentifier.fresh)
        context.logger[metadataKey: LogLines.requestKey] = "\(id.text)"
        if let trace = traceIdentifier(of: request.headers) {
            context.logger[metadataKey: "trace"] = "\(trace)"
        }
        var response = try await next(request, context)
        let duration = start.duration(to: .now)
        id.add(to: &response.headers)
        metrics?.answered(context.endpointPath, request.method, response.status, in: duration)
        context.logger.info(
            "request",
            metadata: [
                "method": "\(request.method)", "path": "\(request.uri.path.shortened)",
                "status": "\(response.status.code)",
                "microseconds": "\(duration.nanoseconds / 1000)",
            ])
        return response
    }
}

/// Converts errors to the common format, and logs details that the client does not see.
struct ErrorMiddleware: RouterMiddleware {
    let metrics: ServerMetrics?

    func handle(
        _ request: Request, context: ConnectionContext,
        next: (Request, ConnectionContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let failure = HTTPFailure(error, request: request)
            metrics?.failed(failure.code)
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
