import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Sets up the connections of a server: HTTP/1.1, with the limits of each connection.
struct HTTPConnections: HTTPChannelHandler {
    let responder: Responder
    let limits: ArrivalLimits
    /// The time without a whole head of a request after which a connection is closed.
    let idleTime: TimeAmount
    /// Whether requests run on the event loop of their connection. That saves the wake-ups of other
    /// threads, but work of one loop cannot move to another one.
    let runsOnLoop: Bool
    let proxies: TrustedProxies
    let counts: ConnectionCounts
    let budget: MemoryBudget
    let health: HealthMonitor
    let formats: RefusalFormats
    let metrics: ServerMetrics?

    /// The bytes of a request's head, and the bytes of a header or of the path.
    static let headBytes = 32 << 10
    static let headerFields = 200
    /// The bytes of one read.
    static let readBytes = 32 << 10

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTPConnection> {
        channel.eventLoop.makeCompletedFuture {
            try bound(channel)
            let peer = peer(of: channel)
            let pipeline = channel.pipeline.syncOperations
            var decoding = NIOHTTPDecoderLimitConfiguration()
            decoding.maxHeaderFieldSize = Self.headBytes
            decoding.maxHeaderListSize = Self.headBytes
            decoding.maxHeaderFieldCount = Self.headerFields
            if let metrics { try pipeline.addHandler(TrafficHandler(metrics)) }
            if runsOnLoop { try pipeline.addHandler(FlushCoalescer()) }
            try pipeline.addHandler(StalledReader(seconds: limits.seconds))
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false, withErrorHandling: false,
                withOutboundHeaderValidation: false, withEncoderConfiguration: .init(),
                withDecoderLimitConfiguration: decoding)
            try pipeline.addHandlers([
                HeadCheck(), HTTP1ToHTTPServerCodec(secure: false), HeaderTextHandler(),
            ])
            try pipeline.addHandlers([
                HTTPConnectionStateHandler(idleTimeout: .init(idleTime), logger: logger),
                UpgradeHandler(), ContinueHandler(),
                RequestGuard(
                    peer: peer, limits: limits, health: health, formats: formats,
                    metrics: metrics, logger: logger),
            ])
            let requests = try NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>(
                wrappingChannelSynchronously: channel,
                configuration: .init(
                    backPressureStrategy: .init(lowWatermark: 1, highWatermark: 2),
                    isOutboundHalfClosureEnabled: true))
            return HTTPConnection(requests: requests, state: peer.state)
        }
    }

    func handle(value connection: HTTPConnection, logger: Logger) async {
        connection.state.beginServing()
        defer { connection.state.endServing() }
        let executor = runsOnLoop ? LoopExecutor(connection.channel.eventLoop) : nil
        await withTaskExecutorPreference(executor) {
            await ConnectionState.$current.withValue(connection.state) {
                await handleHTTP(asyncChannel: connection.requests, logger: logger)
            }
        }
    }

    /// Bounds the buffers of a connection, which keeps them for its next reads.
    private func bound(_ channel: any Channel) throws {
        let options = channel.syncOptions
        try options?.setOption(.maxMessagesPerRead, value: 1)
        try options?.setOption(
            .recvAllocator,
            value: AdaptiveRecvByteBufferAllocator(
                minimum: 1024, initial: 2048, maximum: Self.readBytes))
    }

    private func peer(of channel: any Channel) -> ConnectionPeer {
        let address = channel.remoteAddress.flatMap { IPAddress($0) }
        let peer = ConnectionPeer(address, proxies: proxies, counts: counts, budget: budget)
        if let client = peer.countedClient {
            channel.closeFuture.whenComplete { [counts] _ in counts.leave(client) }
        }
        return peer
    }
}

/// A connection with its requests.
struct HTTPConnection: ServerChildChannelValue {
    let requests: NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>
    let state: ConnectionState

    var channel: any Channel { requests.channel }
}

/// The limits of a request that arrives.
struct ArrivalLimits: Hashable, Sendable {
    /// The time for a body, and for 64 KiB of one that is streamed.
    let seconds: Int
    var time: TimeAmount { .seconds(Int64(seconds)) }
    /// The time that a connection too many has to say what it asks for.
    let headTime = TimeAmount.seconds(1)
    /// The time after the last response in which a client can send the rest, and read it.
    let closingTime = TimeAmount.seconds(5)
    /// The bytes that are read and dropped meanwhile.
    let droppedBytes = 256 << 20

    func failure(isStreamed: Bool) -> HTTPFailure {
        isStreamed
            ? .uploadTooSlow(seconds: seconds, bytes: chunkBytes) : .bodyTooSlow(seconds: seconds)
    }
}
