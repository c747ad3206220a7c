import NIOCore

/// Closes a connection whose other end does not take what it asked for: nothing of what was written
/// went out for so long. A body goes out in pieces of 64 KiB at most.
final class StalledReader: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = NIOAny

    private let timeout: TimeAmount
    /// Parts that were written and have not gone out.
    private var waiting = 0
    /// Whether one has gone out since the last look.
    private var hasMoved = false
    private var nextLook: Scheduled<Void>?

    init(seconds: Int) {
        timeout = .seconds(Int64(seconds))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let promise = promise ?? context.eventLoop.makePromise()
        waiting += 1
        promise.futureResult.assumeIsolated().whenComplete { _ in
            self.waiting -= 1
            self.hasMoved = true
        }
        lookLater(context)
        context.write(data, promise: promise)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        nextLook?.cancel()
    }

    private func lookLater(_ context: ChannelHandlerContext) {
        guard nextLook == nil else { return }
        hasMoved = false
        nextLook = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) {
            self.nextLook = nil
            guard self.waiting > 0 else { return }
            if self.hasMoved {
                self.lookLater(context)
            } else {
                context.close(promise: nil)
            }
        }
    }
}
