import Foundation
import HTTPTypes
import Logging
import NIOCore
import NIOHTTPTypes
import SyncProtocol

/// Responses of the handler itself.
extension RequestGuard {
    /// A response after which the connection is closed.
    struct Refusal {
        let failure: HTTPFailure
    }

    /// Sent after the responses to earlier requests.
    func refuse(_ failure: HTTPFailure, _ context: ChannelHandlerContext) {
        let refusal = Refusal(failure: failure)
        self.refusal = refusal
        if unanswered == 1 { send(refusal, context) }
    }

    func send(_ refusal: Refusal, _ context: ChannelHandlerContext) {
        phase = .answering
        metrics?.failed(refusal.failure.code)
        var response = OwnResponse(refusal.failure, isLast: true)
        RequestIdentifier(of: [:], or: RequestIdentifier.fresh)
            .add(to: &response.head.headerFields)
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
            var response = failure.map { OwnResponse($0, isLast: isLast) } ?? .healthy(isLast)
            id.add(to: &response.head.headerFields)
            self.log(id, response.head.status, failure, since: start)
            self.write(response, context).assumeIsolated().whenComplete { _ in
                self.finish()
                self.unanswered -= 1
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
        _ response: OwnResponse, _ context: ChannelHandlerContext
    ) -> EventLoopFuture<Void> {
        let sent = context.eventLoop.makePromise(of: Void.self)
        context.write(wrapOutboundOut(.head(response.head)), promise: nil)
        context.write(wrapOutboundOut(.body(ByteBuffer(bytes: response.body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: sent)
        return sent.futureResult
    }

    private func log(
        _ id: RequestIdentifier, _ status: HTTPResponse.Status, _ failure: HTTPFailure?,
        since start: NIODeadline
    ) {
        let duration = NIODeadline.now() - start
        metrics?.answered("/health", .get, status, in: .nanoseconds(duration.nanoseconds))
        if let failure { metrics?.failed(failure.code) }
        var logger = logger
        logger[metadataKey: LogLines.requestKey] = "\(id.text)"
        failure?.log(to: logger)
        logger.info(
            "request",
            metadata: [
                "method": "GET", "path": "/health", "status": "\(status.code)",
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

/// A response that needs no route.
private struct OwnResponse {
    var head: HTTPResponse
    let body: [UInt8]

    private init(_ message: some Encodable, status: HTTPResponse.Status, isLast: Bool) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Texts only, which can always be encoded.
        body = [UInt8]((try? encoder.encode(message)) ?? Data())
        head = HTTPResponse(
            status: status,
            headerFields: [
                .contentType: "application/json; charset=utf-8", .cacheControl: "no-store",
                .xContentTypeOptions: "nosniff", .contentLength: "\(body.count)",
            ])
        if isLast { head.headerFields[.connection] = "close" }
    }

    init(_ failure: HTTPFailure, isLast: Bool) {
        self.init(ErrorMessage(failure), status: failure.status, isLast: isLast)
        for field in failure.headers { head.headerFields[field.name] = field.value }
    }

    static func healthy(_ isLast: Bool) -> OwnResponse {
        OwnResponse(HealthMessage(status: "ok"), status: .ok, isLast: isLast)
    }
}
