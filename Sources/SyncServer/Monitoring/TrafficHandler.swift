import NIOCore

/// Counts a connection and its bytes.
final class TrafficHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let metrics: ServerMetrics

    init(_ metrics: ServerMetrics) { self.metrics = metrics }

    func handlerAdded(context: ChannelHandlerContext) { metrics.opened() }
    func handlerRemoved(context: ChannelHandlerContext) { metrics.closed() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        metrics.received(bytes: unwrapInboundIn(data).readableBytes)
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        metrics.sent(bytes: unwrapOutboundIn(data).readableBytes)
        context.write(data, promise: promise)
    }
}
