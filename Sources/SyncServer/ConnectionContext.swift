import Hummingbird
import NIOCore

/// What goes with a request on its way, also the loop of the connection that it came over.
struct ConnectionContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    private let loop: any EventLoop

    init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        loop = source.channel.eventLoop
    }

    /// Waits until what was written has got to the connection. Only then does a further write wait
    /// for the other end to take it: a writer that is faster than the loop would fill the memory.
    func pace() async throws {
        try await loop.submit {}.get()
    }
}
