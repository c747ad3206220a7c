import HTTPTypes
import Hummingbird
import JSON
import Logging
import NIOCore
import NIOHTTPTypes

/// Responses of the handler itself.
extension RequestGuard {
    /// A response after which the connection is closed.
    struct Refusal {
        /// Nil if none has arrived.
        let request: HTTPRequest?
        let failure: HTTPFailure
        let start = NIODeadline.now()
    }

    /// Sent after the responses to earlier requests.
    func refuse(
        _ request: HTTPRequest?, _ failure: HTTPFailure, _ context: ChannelHandlerContext
    ) {
        let refusal = Refusal(request: request, failure: failure)
        self.refusal = refusal
        if unanswered.count == 1 { send(refusal, context) }
    }

    func send(_ refusal: Refusal, _ context: ChannelHandlerContext) {
        phase = .answering
        metrics?.failed(refusal.failure.code)
        var response = formats.refusal(refusal.failure, of: refusal.request)
        response.headers[.connection] = "close"
        let id = RequestIdentifier(
            of: refusal.request?.headerFields ?? [:], or: RequestIdentifier.fresh)
        id.add(to: &response.headers)
        if let request = refusal.request {
            log(id, request, response.status, refusal.failure, since: refusal.start)
        }
        write(response, context).assumeIsolated().whenComplete { _ in
            self.finish()
            self.linger(context)
        }
    }

    func answerHealth(_ request: HTTPRequest, _ context: ChannelHandlerContext) {
        phase = .answering
        answersArrival = true
        let start = NIODeadline.now()
        let id = RequestIdentifier(of: request.headerFields, or: RequestIdentifier.fresh)
        health.failure(on: context.eventLoop).assumeIsolated().whenSuccess { failure in
            let isLast = request.headerFields[.connection] == "close"
            var response =
                failure.map { self.formats.refusal($0, of: request) } ?? .state("ok")
            if isLast { response.headers[.connection] = "close" }
            id.add(to: &response.headers)
            self.metrics?.answered(
                "/health", .get, response.status,
                in: .nanoseconds((NIODeadline.now() - start).nanoseconds))
            if let failure { self.metrics?.failed(failure.code) }
            self.log(id, request, response.status, failure, since: start)
            self.write(response, context).assumeIsolated().whenComplete { _ in
                self.finish()
                self.unanswered.answer()
                if isLast { self.linger(context) } else { self.goOn(context) }
            }
        }
    }

    /// Continues after a response of this handler with the parts that came meanwhile.
    private func goOn(_ context: ChannelHandlerContext) {
        let parts = later
        later = []
        phase = .open
        for part in parts { take(part, context) }
        context.fireChannelReadComplete()
        watch(context)
        guard holdsRead else { return }
        holdsRead = false
        read(context: context)
    }

    private func write(
        _ response: WholeResponse, _ context: ChannelHandlerContext
    ) -> EventLoopFuture<Void> {
        let sent = context.eventLoop.makePromise(of: Void.self)
        var head = HTTPResponse(status: response.status, headerFields: response.headers)
        head.headerFields[.contentLength] = "\(response.body.count)"
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(ByteBuffer(bytes: response.body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: sent)
        return sent.futureResult
    }

    private func log(
        _ id: RequestIdentifier, _ request: HTTPRequest, _ status: HTTPResponse.Status,
        _ failure: HTTPFailure?, since start: NIODeadline
    ) {
        let duration = NIODeadline.now() - start
        var logger = logger
        logger[metadataKey: LogLines.requestKey] = "\(id.text)"
        failure?.log(to: logger)
        logger.info(
            "request",
            metadata: [
                "method": "\(request.method)",
                "path": "\(Request(bodiless: request).uri.path.shortened)",
                "status": "\(status.code)",
                "microseconds": "\(duration.nanoseconds / 1000)",
            ])
    }
}

extension HTTPRequest {
    /// A request with a body goes the usual way.
    var isForHealth: Bool {
        guard method == .get, path == "/health" else { return false }
        let hasBody =
            headerFields.contains(.contentLength) || headerFields.contains(.transferEncoding)
        return !hasBody
    }
}

extension WholeResponse {
    /// The response to `GET /health` and `GET /ready`.
    static func state(_ word: String) -> WholeResponse {
        .json(bytes: JSONValue.object(["status": .string(word)]).text.utf8)
    }
}
