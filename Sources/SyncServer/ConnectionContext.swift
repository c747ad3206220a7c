package import Hummingbird
import NIOCore

/// What goes with a request on its way, also the loop of the connection that it came over.
package struct ConnectionContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    private let loop: any EventLoop

    package init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        loop = source.channel.eventLoop
    }

    /// Waits until what was written has got to the connection. Only then does a further write wait
    /// for the other end to take it: a writer that is faster than the loop would fill the memory.
    package func pace() async throws {
        try await loop.submit {}.get()
    }
}
