import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import NIOPosix
import Secrets
import ServiceLifecycle
package import SyncEngine
import SyncProtocol

/// The limits of a server process.
package struct ServerSettings: Hashable, Sendable {
    package var host: String
    /// 0 chooses a free port.
    package var port: Int
    package var maxBodyBytes: Int
    /// The time limit for a whole body, and for each chunk of a file in either direction.
    package var maxBodySeconds: Int
    /// The memory budget for bodies and responses.
    package var maxHeldBytes = Self.standardHeldBytes
    package var maxConnections: Int
    /// 0 is a quarter of `maxConnections`.
    package var maxConnectionsPerAddress = 0
    package var trustedProxies = TrustedProxies.none
    /// The time without a whole head of a request after which a connection is closed.
    package var maxIdleSeconds = Self.standardIdleSeconds
    package var maxUploads: Int
    /// The least length of new passwords, in characters.
    package var minPasswordLength = PasswordHash.standardMinLength

    package static let standardHeldBytes = 144 << 20
    package static let standardIdleSeconds = 60

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

/// Serves environments over HTTP/1.1, with one or more wires.
///
/// On shutdown, the server accepts no further requests, completes the running ones, and ends the
/// live streams. Threads and timers live only while `run` is running.
package struct Server: Service {
    private let environments: Environments
    private let wires: [any Wire]
    private let streams: LiveStreams
    private let settings: ServerSettings
    private let logger: Logger
    private let now: @Sendable () -> Instant
    private let listening: @Sendable (_ port: Int) async -> Void

    /// - Parameters:
    ///   - streams: The live streams, which are also a delivery of the environments.
    ///   - now: The wall-clock time, read once per request.
    ///   - listening: Called once, with the port that the server listens on.
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

    /// Throws `ListenError` if the address is not available.
    package func run() async throws {
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: System.coreCount)
        let count = max(1, System.coreCount / 2)
        let threads = NIOThreadPool(numberOfThreads: count)
        let healthThread = NIOThreadPool(numberOfThreads: 1)
        threads.start()
        healthThread.start()
        let health = HealthMonitor(threads: healthThread) { [environments] in
            try await environments.checkHealth()
        }
        let host = host(passwords(threads, count: count))
        let application = application(host, on: loops, health)
        let result: Result<Void, any Error>
        do {
            result = .success(try await health.run { try await application.run() })
        } catch {
            result = .failure(translated(error))
        }
        try await healthThread.shutdownGracefully()
        try await threads.shutdownGracefully()
        try await loops.shutdownGracefully()
        try result.get()
    }

    private func passwords(_ threads: NIOThreadPool, count: Int) -> PasswordGuard {
        PasswordGuard(
            threads: threads, count: count, minLength: settings.minPasswordLength, now: now)
    }

    private func host(_ passwords: PasswordGuard) -> WireHost {
        WireHost(
            environments: environments, passwords: passwords,
            uploads: UploadGuard(max: settings.maxUploads),
            bodies: BodyGuard(maxBytes: settings.maxBodyBytes), streams: streams, now: now)
    }

    private func application(
        _ host: WireHost, on loops: MultiThreadedEventLoopGroup, _ health: HealthMonitor
    ) -> Application<RouterResponder<ConnectionContext>> {
        let perAddress =
            settings.maxConnectionsPerAddress > 0
            ? settings.maxConnectionsPerAddress : max(1, settings.maxConnections / 4)
        let counts = ConnectionCounts(maxOfOne: perAddress)
        let budget = MemoryBudget(maxBytes: settings.maxHeldBytes)
        return Application(
            router: router(host),
            server: HTTPServerBuilder { [settings] responder in
                HTTPConnections(
                    responder: responder,
                    limits: ArrivalLimits(seconds: settings.maxBodySeconds),
                    idleTime: .seconds(Int64(settings.maxIdleSeconds)),
                    proxies: settings.trustedProxies, counts: counts, budget: budget,
                    health: health)
            },
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port),
                availableConnectionsDelegate: MaximumAvailableConnections(
                    settings.maxConnections)),
            onServerRunning: { [listening, settings, logger] channel in
                do {
                    try await SteadyAcceptor.add(to: channel)
                } catch {
                    logger.error("connections wait for others", metadata: ["cause": "\(error)"])
                }
                await listening(channel.localAddress?.port ?? settings.port)
            },
            eventLoopGroupProvider: .shared(loops), logger: logger)
    }

    private func router(_ host: WireHost) -> Router<ConnectionContext> {
        let router = Router(context: ConnectionContext.self)
        router.add(middleware: RequestLogMiddleware())
        router.add(middleware: ErrorMiddleware())
        router.add(middleware: AnswerMemoryMiddleware())
        for routes in [ownRoutes] + wires.map({ $0.routes(in: host) }) { routes.add(to: router) }
        return router
    }

    /// Routes that belong to no wire. `RequestGuard` answers most of these requests itself.
    private var ownRoutes: WireRoutes {
        var routes = WireRoutes(prefix: "")
        routes.on(.get, "health") { [environments] _, _ in
            try await environments.checkHealth()
            return try .json(HealthMessage(status: "ok"))
        }
        return routes
    }
}

/// The system's reason why the address is not available.
package struct ListenError: Error, Hashable, Sendable {
    package let reason: String
}

/// The reason why a server does not listen, or else the error itself.
func translated(_ error: any Error) -> any Error {
    switch error {
    case let error as IOError:
        ListenError(reason: String(cString: strerror(error.errnoCode)).lowercased())
    case is SocketAddressError.UnknownHost: ListenError(reason: "no such host")
    default: error
    }
}
