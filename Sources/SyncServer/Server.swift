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
package import Traces

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
    /// The origins whose pages may read responses.
    package var corsOrigins = AllowedOrigins.none
    /// The maximum number of searches at the same time, at least 2. The store must be able to read
    /// more at the same time.
    package var maxSearches = Self.standardSearches
    /// The least length of new passwords, in characters.
    package var minPasswordLength = PasswordHash.standardMinLength
    /// The number of event loops; 0 is the number of cores. A single one also runs what it reads.
    package var threads = 0

    package static let standardHeldBytes = 144 << 20
    package static let standardIdleSeconds = 60
    package static let standardSearches = 4

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

    fileprivate var threadCount: Int { threads > 0 ? threads : System.coreCount }

    fileprivate var connectionsOfOneAddress: Int {
        maxConnectionsPerAddress > 0 ? maxConnectionsPerAddress : max(1, maxConnections / 4)
    }
}

/// Serves environments over HTTP/1.1, with one or more wires.
///
/// On shutdown, the server accepts no further requests, completes the running ones, refuses those
/// that wait for their turn, and ends the live streams. Threads and timers live only while `run` is
/// running.
package struct Server: Service {
    private let environments: Environments
    private let wires: [any Wire]
    private let streams: LiveStreams
    private let settings: ServerSettings
    private let logger: Logger
    private let now: @Sendable () -> Instant
    private let listening: @Sendable (_ port: Int) async -> Void
    private let metrics: ServerMetrics?
    private let traces: TraceRecorder?
    private let readiness: ServerReadiness
    private let clients: ClientLog

    /// - Parameters:
    ///   - streams: The live streams, which are also a delivery of the environments.
    ///   - metrics: Counts what the server does; nil if nobody reads it.
    ///   - traces: Records a span for each request; nil if nothing is traced.
    ///   - readiness: Tells load balancers that the server is about to stop.
    ///   - clients: Notes whom the server has served.
    ///   - now: The wall-clock time, read once per request.
    ///   - listening: Called once, with the port that the server listens on.
    package init(
        _ environments: Environments, wires: [any Wire], streams: LiveStreams,
        settings: ServerSettings, logger: Logger, metrics: ServerMetrics? = nil,
        traces: TraceRecorder? = nil,
        readiness: ServerReadiness = ServerReadiness(), clients: ClientLog = ClientLog(),
        now: @escaping @Sendable () -> Instant,
        listening: @escaping @Sendable (_ port: Int) async -> Void
    ) {
        self.environments = environments
        self.wires = wires
        self.streams = streams
        self.settings = settings
        self.logger = logger
        self.now = now
        self.listening = listening
        self.metrics = metrics
        self.traces = traces
        self.readiness = readiness
        self.clients = clients
    }

    /// Throws `ListenError` if the address is not available.
    package func run() async throws {
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: settings.threadCount)
        let threads = ServerThreads(settings.threadCount)
        threads.start()
        let health = HealthMonitor(threads: threads.health) { [environments] in
            try await environments.checkHealth()
        }
        let host = host(threads)
        let application = application(host, on: loops, health)
        let result: Result<Void, any Error>
        do {
            let run = { try await health.run { try await application.run() } }
            result = .success(
                try await withGracefulShutdownHandler(operation: run) { [environments] in
                    environments.refuseWaitingCommits()
                    host.passwords.stop()
                    host.work.stop()
                })
        } catch {
            result = .failure(translated(error, host: settings.host, port: settings.port))
        }
        try await threads.stop()
        try await loops.shutdownGracefully()
        try result.get()
    }

    private func host(_ threads: ServerThreads) -> WireHost {
        WireHost(
            environments: environments,
            passwords: PasswordGuard(
                threads: threads.passwords, count: threads.passwordCount,
                minLength: settings.minPasswordLength, now: now),
            uploads: UploadGuard(max: settings.maxUploads),
            bodies: BodyGuard(maxBytes: settings.maxBodyBytes), streams: streams,
            work: WorkPool(
                threads: threads.work, count: threads.workCount, searches: settings.maxSearches,
                connections: settings.maxConnections),
            disk: DiskThreads(threads.disk), clients: clients, now: now)
    }

    private func application(
        _ host: WireHost, on loops: MultiThreadedEventLoopGroup, _ health: HealthMonitor
    ) -> Application<RouterResponder<ConnectionContext>> {
        let counts = ConnectionCounts(maxOfOne: settings.connectionsOfOneAddress)
        let budget = MemoryBudget(maxBytes: settings.maxHeldBytes)
        metrics?.collect(from: host, budget, environments)
        let routes = wires.map { $0.routes(in: host) }
        let formats = RefusalFormats(routes)
        return Application(
            router: router(routes, formats),
            server: HTTPServerBuilder { [settings, metrics] responder in
                HTTPConnections(
                    responder: responder,
                    limits: ArrivalLimits(seconds: settings.maxBodySeconds),
                    idleTime: .seconds(Int64(settings.maxIdleSeconds)),
                    runsOnLoop: settings.threadCount == 1,
                    proxies: settings.trustedProxies, counts: counts, budget: budget,
                    health: health, formats: formats, metrics: metrics)
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

    private func router(
        _ routes: [WireRoutes], _ formats: RefusalFormats
    ) -> Router<ConnectionContext> {
        let router = Router(context: ConnectionContext.self)
        router.add(middleware: RequestLogMiddleware(metrics: metrics, traces: traces))
        if let origins = CrossOriginMiddleware(settings.corsOrigins, of: routes) {
            router.add(middleware: origins)
        }
        router.add(middleware: HeadMiddleware())
        router.add(middleware: ErrorMiddleware(formats: formats, metrics: metrics))
        for routes in [ownRoutes] + routes { routes.add(to: router) }
        return router
    }

    /// Routes that belong to no wire. `RequestGuard` answers most of these requests itself.
    private var ownRoutes: WireRoutes {
        var routes = WireRoutes(prefix: "")
        routes.on(.get, "health") { [environments] _, _ in
            try await environments.checkHealth()
            return WholeResponse.state("ok").response
        }
        routes.on(.get, "ready") { [environments, readiness] _, _ in
            guard !readiness.isStopping else { throw HTTPFailure.stopping() }
            let unready = try await environments.unready()
            guard unready.isEmpty else { throw HTTPFailure.environmentsNotReady(unready) }
            return WholeResponse.state("ready").response
        }
        return routes
    }
}

/// The threads of a server beside its event loops and those that all tasks share.
private struct ServerThreads {
    let passwordCount: Int
    let workCount: Int
    let passwords: NIOThreadPool
    let work: NIOThreadPool
    /// For wires that work with files of their own.
    let disk: NIOThreadPool
    let health = NIOThreadPool(numberOfThreads: 1)

    /// - Parameter count: The number of event loops.
    init(_ count: Int) {
        passwordCount = max(1, count / 2)
        workCount = max(2, count)
        passwords = NIOThreadPool(numberOfThreads: passwordCount)
        work = NIOThreadPool(numberOfThreads: workCount)
        disk = NIOThreadPool(numberOfThreads: workCount)
    }

    func start() { for pool in [passwords, work, disk, health] { pool.start() } }

    func stop() async throws {
        for pool in [health, disk, work, passwords] { try await pool.shutdownGracefully() }
    }
}

/// An address that is not available.
package struct ListenError: Error, Hashable, Sendable {
    package let host: String
    package let port: Int
    /// The system's.
    package let reason: String
}

/// An error of listening, with its address; other errors as they are.
func translated(_ error: any Error, host: String, port: Int) -> any Error {
    switch error {
    case let error as IOError:
        ListenError(
            host: host, port: port,
            reason: String(cString: strerror(error.errnoCode)).lowercased())
    case is SocketAddressError.UnknownHost:
        ListenError(host: host, port: port, reason: "no such host")
    default: error
    }
}
