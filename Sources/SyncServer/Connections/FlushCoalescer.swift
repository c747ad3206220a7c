import NIOCore

/// Sends what is written to a connection after the tasks that its event loop has queued, and before
/// the connection is closed.
///
/// A loop that runs requests interleaves them with system calls otherwise, and each response wakes
/// its client separately.
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

    func handlerRemoved(context: ChannelHandlerContext) {
        isQueued = false
    }

    private func flushNow(_ context: ChannelHandlerContext) {
        guard isQueued else { return }
        isQueued = false
        context.flush()
    }
}
