import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Answers a request that offers another protocol (`Upgrade`, RFC 9110, 7.8) in HTTP/1.1, and
/// closes the connection after the response.
///
/// After such a request, NIO buffers further bytes without limit instead of parsing them. The
/// handler therefore stops reading.
final class UpgradeHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private enum LastRequest {
        case toCome
        case begun
        case whole
    }

    private var last = LastRequest.toCome
    /// The number of requests without a complete response.
    private var unanswered = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let request):
            unanswered += 1
            if request.offersAnotherProtocol { last = .begun }
        case .body: break
        case .end: if last == .begun { last = .whole }
        }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        if last != .whole { context.read() }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let isOfLast = last != .toCome && unanswered == 1
        switch unwrapOutboundIn(data) {
        case .head(var answer) where isOfLast && answer.status.code >= 200:
            answer.headerFields[.connection] = "close"
            context.write(wrapOutboundOut(.head(answer)), promise: promise)
        case .end where isOfLast:
            let promise = promise ?? context.eventLoop.makePromise()
            promise.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
            context.write(data, promise: promise)
        case .end:
            unanswered -= 1
            context.write(data, promise: promise)
        case .head, .body: context.write(data, promise: promise)
        }
    }
}

extension HTTPRequest {
    fileprivate var offersAnotherProtocol: Bool {
        method == .connect || headerFields[.upgrade] != nil
    }
}
