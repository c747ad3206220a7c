package import Hummingbird
package import NIOCore

/// The context of a request, with its connection.
package struct ConnectionContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    let channel: any Channel

    package init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// The network address of the client, as far as limits count it; see `clientAddress(of:)`.
    package var clientAddress: String { SyncServer.clientAddress(of: channel.remoteAddress) }

    /// Waits until the written bytes have reached the channel. Only then does the next write wait
    /// for the client: otherwise a writer faster than the event loop would fill the memory.
    package func pace() async throws {
        try await channel.eventLoop.submit {}.get()
    }

    /// Calls `body` repeatedly until the task is cancelled.
    package func repeating(
        every seconds: Int, _ body: @escaping @Sendable () -> Void
    ) -> RepeatedTask {
        let delay = TimeAmount.seconds(Int64(seconds))
        return channel.eventLoop.scheduleRepeatedTask(initialDelay: delay, delay: delay) { _ in
            body()
        }
    }

    /// Closes the connection after a delay, even in the middle of a response.
    package func close(afterSeconds seconds: Int) {
        let channel = channel
        channel.eventLoop.scheduleTask(in: .seconds(Int64(seconds))) {
            channel.close(promise: nil)
        }
    }
}
