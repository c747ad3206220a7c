package import Hummingbird
package import NIOCore

/// What goes with a request on its way, also the connection that it came over.
package struct ConnectionContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    let channel: any Channel

    package init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// Waits until what was written has got to the connection. Only then does a further write wait
    /// for the other end to take it: a writer that is faster than the loop would fill the memory.
    package func pace() async throws {
        try await channel.eventLoop.submit {}.get()
    }

    /// Calls back again and again until it is cancelled.
    package func repeating(
        every seconds: Int, _ body: @escaping @Sendable () -> Void
    ) -> RepeatedTask {
        let delay = TimeAmount.seconds(Int64(seconds))
        return channel.eventLoop.scheduleRepeatedTask(initialDelay: delay, delay: delay) { _ in
            body()
        }
    }

    /// Closes the connection if it is still there then, whatever is on its way.
    package func close(afterSeconds seconds: Int) {
        let channel = channel
        channel.eventLoop.scheduleTask(in: .seconds(Int64(seconds))) {
            channel.close(promise: nil)
        }
    }
}
