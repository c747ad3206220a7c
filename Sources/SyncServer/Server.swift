import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
package import SyncEngine
import SyncProtocol

/// The limits of a server process.
package struct ServerSettings: Hashable, Sendable {
    package var host: String
    /// 0 takes a free one.
    package var port: Int
    package var maxBodyBytes: Int
    /// For a whole body to arrive, and for a piece of a file to arrive or to be taken.
    package var maxBodySeconds: Int
    package var maxConnections: Int
    package var maxUploads: Int

    package init(
        host: String, port: Int, maxBodyBytes: Int, maxBodySeconds: Int, maxConnections: Int,
        maxUploads: Int
    ) {
        self.host = host
        self.port = port
        self.maxBodyBytes = maxBodyBytes
        self.maxBodySeconds = maxBodySeconds
        self.maxConnections = maxConnections
        self.maxUploads = maxUploads
    }
}

/// Serves environments over HTTP/1.1, in one or several wires.
///
/// A connection that says nothing for a minute is closed. When it is told to stop, it takes no more
/// requests, finishes those it has, and ends the live streams. Its threads and timers start with
/// `run` and end before that returns.
package struct Server: Service {
    private let environments: Environments
    private let wires: [any Wire]
    private let streams: LiveStreams
    private let settings: ServerSettings
    private let logger: Logger
    private let now: @Sendable () -> Instant
    private let listening: @Sendable (_ port: Int) async -> Void

    /// - Parameters:
    ///   - streams: One of the deliveries of the environments' notifications.
    ///   - now: Asked once for a request, for what people read and for the ends of sessions.
    ///   - listening: Called once, with the port that was taken.
    package init(
        _ environments: Environments, wires: [any Wire], streams: LiveStreams,
        settings: ServerSettings, logger: Logger, now: @escaping @Sendable () -> Instant,
        listening: @escaping @Sendable (_ port: Int) async -> Void
    ) {
        self.environments = environments
        self.wires = wires
        self.streams = streams
        self.settings = settings
        self.logger = logger
        self.now = now
        self.listening = listening
    }

    /// Throws `ListenError` when the address cannot be had.
    package func run() async throws {
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: System.coreCount)
        let threads = NIOThreadPool(numberOfThreads: max(1, System.coreCount / 2))
        threads.start()
        let host = host(threads)
        let watch = host.bodies.watch(on: loops.next())
        let result: Result<Void, any Error>
        do {
            result = .success(try await application(host, on: loops).run())
        } catch {
            result = .failure(translated(error))
        }
        watch.cancel()
        try await threads.shutdownGracefully()
        try await loops.shutdownGracefully()
        try result.get()
    }

    private func host(_ threads: NIOThreadPool) -> WireHost {
        WireHost(
            environments: environments, passwords: PasswordGuard(threads: threads),
            uploads: UploadGuard(max: settings.maxUploads),
            bodies: BodyGuard(
                maxBytes: settings.maxBodyBytes, seconds: settings.maxBodySeconds),
            streams: streams, now: now)
    }

    private func application(
        _ host: WireHost, on loops: MultiThreadedEventLoopGroup
    ) -> Application<RouterResponder<ConnectionContext>> {
        let seconds = settings.maxBodySeconds
        return Application(
            router: router(host),
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [
                        UpgradeHandler(), ContinueHandler(), StalledReader(seconds: seconds),
                    ],
                    idleTimeout: .seconds(60))),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port),
                availableConnectionsDelegate: MaximumAvailableConnections(
                    settings.maxConnections)),
            onServerRunning: { [listening, settings] channel in
                await listening(channel.localAddress?.port ?? settings.port)
            },
            eventLoopGroupProvider: .shared(loops), logger: logger)
    }

    private func router(_ host: WireHost) -> Router<ConnectionContext> {
        let router = Router(context: ConnectionContext.self)
        router.add(middleware: RequestLog())
        router.add(middleware: ErrorShape())
        for routes in [ownRoutes] + wires.map({ $0.routes(in: host) }) { routes.add(to: router) }
        return router
    }

    /// Beside those of the wires.
    private var ownRoutes: WireRoutes {
        var routes = WireRoutes(prefix: "")
        routes.on(.get, "health") { [environments] _, _ in
            try await environments.checkHealth()
            return try .json(HealthMessage(status: "ok"))
        }
        return routes
    }
}

/// Why nothing can be served at an address, in the operating system's words.
package struct ListenError: Error, Hashable, Sendable {
    package let reason: String
}

private func translated(_ error: any Error) -> any Error {
    switch error {
    case let error as IOError:
        ListenError(reason: String(cString: strerror(error.errnoCode)).lowercased())
    case is SocketAddressError.UnknownHost: ListenError(reason: "no such host")
    default: error
    }
}
