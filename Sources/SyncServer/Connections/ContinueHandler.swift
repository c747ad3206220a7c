import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Tells a client that waits for it before it sends a body to go on (RFC 9110, 10.1.1). Without
/// that it would wait for a second or more, as Android's first clients for HTTP do each time.
final class ContinueHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Requests that came and were not answered to the end.
    private var unanswered = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let request) = unwrapInboundIn(data) {
            unanswered += 1
            // While another answer is on its way, this one would come into the midst of it.
            if unanswered == 1, request.headerFields[.expect]?.lowercased() == "100-continue" {
                let answer = HTTPResponsePart.head(HTTPResponse(status: .continue))
                context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
            }
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { unanswered -= 1 }
        context.write(data, promise: promise)
    }
}
