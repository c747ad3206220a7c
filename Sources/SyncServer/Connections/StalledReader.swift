import NIOCore

/// Closes a connection whose client does not read: during a whole interval no part of a response
/// was sent, nor a byte of the next part. Files are sent in parts of 64 KiB.
final class StalledReader: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = NIOAny

    private let timeout: TimeAmount
    /// Written parts that have not been sent.
    private var waiting = 0
    /// Whether a part was sent since the last check.
    private var hasMoved = false
    /// The number of waiting bytes at the last check.
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

    /// 0 if the connection does not report it; then only whole parts count.
    private func waitingBytes(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }
}
