import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Traces
import Tracing

/// Gives each request its id, counts it, and logs one line, without headers, query and body, which
/// may contain secrets.
struct RequestLogMiddleware: RouterMiddleware {
    let metrics: ServerMetrics?
    /// Nil if nothing is traced.
    let traces: TraceRecorder?

    func handle(
        _ request: Request, context: ConnectionContext,
        next: (Request, ConnectionContext) async throws -> Response
    ) async throws -> Response {
        guard let traces else {
            let trace = TraceContext(of: request.headers)?.trace
            return try await answer(request, context, trace: trace, by: next)
        }
        var parent = ServiceContext.topLevel
        traces.extract(request.headers, into: &parent, using: HeaderExtractor())
        return try await traces.withSpan(
            "\(request.method)", context: parent, ofKind: .server
        ) { span in
            let response = try await answer(request, context, trace: span.trace.trace, by: next)
            span.note(response.status, of: request.method, context.endpointPath)
            span.attributes["waggle.request"] = RequestIdentifier.header.flatMap {
                response.headers[$0]
            }
            return response
        }
    }

    private func answer(
        _ request: Request, _ context: ConnectionContext, trace: String?,
        by next: (Request, ConnectionContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        var context = context
        let id = RequestIdentifier(of: request.headers, or: RequestIdentifier.fresh)
        context.logger[metadataKey: LogLines.requestKey] = "\(id.text)"
        if let trace { context.logger[metadataKey: "trace"] = "\(trace)" }
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

extension RecordedSpan {
    /// Names the span after the route, a template such as `/v1/{environment}/sync`: paths contain
    /// what users chose. Hummingbird has a route for paths that are not served.
    fileprivate func note(
        _ status: HTTPResponse.Status, of method: HTTPRequest.Method, _ route: String?
    ) {
        if let route, route != "NotFound" {
            operationName = "\(method) \(route)"
            attributes["http.route"] = route
        }
        attributes["http.request.method"] = method.rawValue
        attributes["http.response.status_code"] = status.code
        if status.kind == .serverError { setStatus(SpanStatus(code: .error)) }
    }
}

extension TraceContext {
    /// The span that called the server; nil without a valid header.
    fileprivate init?(of headers: HTTPFields) {
        guard let name = HTTPField.Name(Self.header), let text = headers[name] else { return nil }
        self.init(header: text)
    }
}

private struct HeaderExtractor: Extractor {
    func extract(key: String, from headers: HTTPFields) -> String? {
        HTTPField.Name(key).flatMap { headers[$0] }
    }
}

/// Converts errors to responses in the format of the wire, and logs details that the client does
/// not see.
struct ErrorMiddleware: RouterMiddleware {
    let formats: RefusalFormats
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
            failure.log(to: context.logger)
            return formats.refusal(failure, of: request).response
        }
    }
}

/// Takes the body from a response to HEAD, also from that of an error: a client would read it as
/// the next response.
struct HeadMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: ConnectionContext,
        next: (Request, ConnectionContext) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        return request.method == .head ? response.createHeadResponse() : response
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
