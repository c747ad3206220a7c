import HTTPTypes
import Hummingbird
import HummingbirdCore
package import Logging
import Monitoring
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Serves the metrics of a process at `/metrics`, on a listener of its own, so that whoever may
/// read them needs no access to the clients' port, and limits of clients do not concern it.
package struct MetricsServer: Service {
    private let metrics: ServerMetrics
    private let host: String
    private let port: Int
    private let logger: Logger

    /// The most connections at a time; further ones wait.
    private static let maxConnections = 16

    /// - Parameter port: 0 chooses a free port.
    package init(_ metrics: ServerMetrics, host: String, port: Int, logger: Logger) {
        self.metrics = metrics
        self.host = host
        self.port = port
        self.logger = logger
    }

    /// Throws `ListenError` if the address is not available.
    package func run() async throws {
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let result: Result<Void, any Error>
        do {
            result = .success(try await application(on: loops).run())
        } catch {
            result = .failure(translated(error, host: host, port: port))
        }
        try await loops.shutdownGracefully()
        try result.get()
    }

    private func application(
        on loops: MultiThreadedEventLoopGroup
    ) -> Application<RouterResponder<BasicRequestContext>> {
        let router = Router()
        router.get("metrics") { [metrics] _, _ in
            Response(
                status: .ok,
                headers: [
                    .contentType: "text/plain; version=0.0.4; charset=utf-8",
                    .cacheControl: "no-store",
                ],
                body: ResponseBody(byteBuffer: ByteBuffer(string: await metrics.registry.text())))
        }
        return Application(
            router: router,
            server: .http1(
                configuration: HTTP1Channel.Configuration(idleTimeout: .seconds(60))),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port),
                availableConnectionsDelegate: MaximumAvailableConnections(Self.maxConnections)),
            onServerRunning: { [host, port, logger] channel in
                logger.notice(
                    "serving metrics",
                    metadata: [
                        "host": "\(host)", "port": "\(channel.localAddress?.port ?? port)",
                    ])
            },
            eventLoopGroupProvider: .shared(loops), logger: logger)
    }
}
