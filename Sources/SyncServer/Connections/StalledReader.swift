import NIOCore

/// Closes a connection whose other end does not take what it asked for: for so long no part of an
/// answer went out, and not a byte of the one that is next. A file goes out in parts of 64 KiB.
final class StalledReader: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = NIOAny

    private let timeout: TimeAmount
    /// Parts that were written and have not gone out.
    private var waiting = 0
    /// Whether one has gone out since the last look.
    private var hasMoved = false
    /// Bytes that waited when it last looked.
    private var bytesBefore = 0
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
        context.write(data, promise: promise)
        if nextLook == nil { lookLater(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        nextLook?.cancel()
    }

    private func lookLater(_ context: ChannelHandlerContext) {
        hasMoved = false
        bytesBefore = waitingBytes(context)
        nextLook = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) {
            self.look(context)
        }
    }

    private func look(_ context: ChannelHandlerContext) {
        nextLook = nil
        guard waiting > 0 else { return }
        if hasMoved || waitingBytes(context) < bytesBefore {
            lookLater(context)
        } else {
            context.close(promise: nil)
        }
    }

    /// 0 where a connection does not tell; then only whole parts count.
    private func waitingBytes(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }
}
