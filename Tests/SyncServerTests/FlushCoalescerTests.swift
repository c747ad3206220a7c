import NIOCore
import NIOEmbedded
import Testing

@testable import SyncServer

@Suite("An event loop sends what it has written after its queued tasks")
struct FlushCoalescerTests {
    /// Counts what reaches the connection.
    private final class Flushes: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer

        private(set) var count = 0

        func flush(context: ChannelHandlerContext) {
            count += 1
            context.flush()
        }
    }

    private let channel = EmbeddedChannel()
    private let flushes = Flushes()

    init() throws {
        try channel.pipeline.syncOperations.addHandlers([flushes, FlushCoalescer()])
    }

    private func respond(_ text: String) {
        channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
    }

    private func sent() throws -> String? {
        try channel.readOutbound(as: ByteBuffer.self).map { String(buffer: $0) }
    }

    @Test func queuedTasksRunFirst() throws {
        channel.embeddedEventLoop.execute { respond("b") }
        respond("a")
        #expect(try sent() == nil)
        channel.embeddedEventLoop.run()
        #expect(flushes.count == 1)
        #expect(try sent() == "a")
        #expect(try sent() == "b")
    }

    @Test func laterResponseIsSentToo() throws {
        for text in ["a", "b"] {
            respond(text)
            channel.embeddedEventLoop.run()
            #expect(try sent() == text)
        }
        #expect(flushes.count == 2)
    }

    @Test func closedConnectionGetsItsResponse() throws {
        respond("a")
        channel.close(promise: nil)
        #expect(try sent() == "a")
        channel.embeddedEventLoop.run()
        #expect(flushes.count == 1)
    }

    @Test func closeWithoutResponseFlushesNothing() {
        channel.close(promise: nil)
        #expect(flushes.count == 0)
    }
}
