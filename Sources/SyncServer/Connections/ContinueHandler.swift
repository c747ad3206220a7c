import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Answers `Expect: 100-continue` (RFC 9110, 10.1.1). Without this, clients such as Android's early
/// HTTP libraries wait for a second or more before they send a body.
final class ContinueHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The number of requests without a complete response.
    private var unanswered = 0
    /// Whether the response of the first of them has begun.
    private var hasBegun = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let request) = unwrapInboundIn(data) else {
            return context.fireChannelRead(data)
        }
        unanswered += 1
        // An interim response in the middle of another response would corrupt that.
        let isExpected =
            unanswered == 1 && request.headerFields[.expect]?.lowercased() == "100-continue"
        context.fireChannelRead(data)
        // The request may have been refused at once.
        guard isExpected, unanswered == 1, !hasBegun else { return }
        let answer = HTTPResponsePart.head(HTTPResponse(status: .continue))
        context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head: hasBegun = true
        case .body: break
        case .end:
            unanswered -= 1
            hasBegun = false
        }
        context.write(data, promise: promise)
    }
}
