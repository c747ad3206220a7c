import NIOCore

/// Defers the flush of a connection until its event loop has run the tasks that are queued already,
/// at the latest until the connection is closed.
///
/// Otherwise, a loop that runs requests alternates between them and system calls.
final class FlushCoalescer: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private var isQueued = false

    func flush(context: ChannelHandlerContext) {
        guard !isQueued else { return }
        isQueued = true
        context.eventLoop.assumeIsolated().execute { self.flushNow(context) }
    }

    func close(
        context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?
    ) {
        flushNow(context)
        context.close(mode: mode, promise: promise)
    }

    private func flushNow(_ context: ChannelHandlerContext) {
        guard isQueued else { return }
        isQueued = false
        context.flush()
    }
}
