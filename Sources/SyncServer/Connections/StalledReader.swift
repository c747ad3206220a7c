import NIOCore

/// Closes a connection whose client reads too slowly: during a whole interval, fewer than 64 KiB
/// were sent, and not even everything that waited when the interval began.
///
/// Stands before the encoder, where it sees the bytes that go to the connection.
final class StalledReader: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = IOData

    private let timeout: TimeAmount
    private var writtenBytes = 0
    /// At the last check.
    private var before = Progress()
    private var nextLook: Scheduled<Void>?

    private struct Progress {
        var writtenBytes = 0
        var sentBytes = 0
    }

    init(seconds: Int) {
        timeout = .seconds(Int64(seconds))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        writtenBytes += unwrapOutboundIn(data).readableBytes
        context.write(data, promise: promise)
        if nextLook == nil { lookLater(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        nextLook?.cancel()
    }

    private func lookLater(_ context: ChannelHandlerContext) {
        before = Progress(
            writtenBytes: writtenBytes, sentBytes: writtenBytes - waitingBytes(context))
        nextLook = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) {
            self.look(context)
        }
    }

    private func look(_ context: ChannelHandlerContext) {
        nextLook = nil
        let waiting = waitingBytes(context)
        guard waiting > 0 else { return }
        let sent = writtenBytes - waiting
        if sent - before.sentBytes >= chunkBytes || sent >= before.writtenBytes {
            lookLater(context)
        } else {
            context.close(promise: nil)
        }
    }

    /// 0 if the connection does not report it.
    private func waitingBytes(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }
}
