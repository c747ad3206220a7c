import HummingbirdCore
import NIOCore

/// Accepts connections whether or not the last ones are being handled: the threads that do that may
/// be busy, and `GET /health` does not need them. The number of connections is limited all the
/// same.
final class SteadyAcceptor: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        context.read()
    }

    /// Adds the handler to a server's channel.
    static func add(to channel: any Channel) async throws {
        try await channel.eventLoop.submit {
            let pipeline = channel.pipeline.syncOperations
            let limit = try pipeline.context(
                handlerType: AvailableConnectionsChannelHandler<MaximumAvailableConnections>.self)
            try pipeline.addHandler(SteadyAcceptor(), position: .after(limit.handler))
        }.get()
    }
}
