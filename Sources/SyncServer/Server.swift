import Foundation
import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
package import SyncEngine

/// What a server is told from outside.
package struct ServerSettings: Hashable, Sendable {
    package var host: String
    /// 0 takes a free one.
    package var port: Int
    package var environmentName: String
    package var maxBodyBytes: Int
    /// For a whole body to arrive, and for a piece of a file to arrive or to be taken.
    package var maxBodySeconds: Int
    package var maxConnections: Int
    package var maxUploads: Int
    /// After so long without a word, a live stream gets a sign of life.
    package var liveBeatSeconds: Int

    package init(
        host: String, port: Int, environmentName: String, maxBodyBytes: Int, maxBodySeconds: Int,
        maxConnections: Int, maxUploads: Int, liveBeatSeconds: Int
    ) {
        self.liveBeatSeconds = liveBeatSeconds
        self.maxUploads = maxUploads
        self.host = host
        self.port = port
        self.environmentName = environmentName
        self.maxBodyBytes = maxBodyBytes
        self.maxBodySeconds = maxBodySeconds
        self.maxConnections = maxConnections
    }
}

/// The native wire over HTTP/1.1, and others beside it.
///
/// A connection that says nothing for a minute is closed. When it is told to stop, it takes no more
/// requests, finishes those it has, and ends the live streams.
package struct Server: Service {
    private let application: Application<RouterResponder<ConnectionContext>>
    private let bodies: BodyGuard

    /// `listening` is called once, with the port that was taken. `now` is asked once a request, and
    /// only for what people read and for the ends of sessions. `streams` is one of the deliveries
    /// of `notifications`.
    package init(
        engine: Engine, files: FileEngine, notifications: NotificationEngine,
        streams: LiveStreams, settings: ServerSettings, beside wires: [any ForeignWire] = [],
        logger: Logger,
        now: @escaping @Sendable () -> Instant,
        listening: @escaping @Sendable (_ port: Int) async -> Void
    ) {
        bodies = BodyGuard(seconds: settings.maxBodySeconds)
        let threads = NIOThreadPool(numberOfThreads: max(1, System.coreCount / 2))
        threads.start()
        let services = WireServices(
            engine: engine, files: files, notifications: notifications,
            passwords: PasswordGuard(threads: threads),
            uploads: UploadGuard(max: settings.maxUploads),
            bodies: bodies, now: now)
        let routes = Routes(
            services: services, streams: streams, environmentName: settings.environmentName,
            maxBodyBytes: settings.maxBodyBytes, beatSeconds: settings.liveBeatSeconds)
        let router = routes.router()
        for wire in wires { wire.add(to: router, with: services) }
        let seconds = settings.maxBodySeconds
        application = Application(
            router: router,
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
            onServerRunning: { channel in
                await listening(channel.localAddress?.port ?? settings.port)
            },
            logger: logger)
    }

    /// Throws `ListenError` when the address cannot be had.
    package func run() async throws {
        let watch = bodies.watch()
        defer { watch.cancel() }
        do {
            try await application.run()
        } catch let error as IOError {
            throw ListenError(reason: String(cString: strerror(error.errnoCode)).lowercased())
        } catch is SocketAddressError.UnknownHost {
            throw ListenError(reason: "no such host")
        }
    }
}

/// Why nothing can be served at an address, in the operating system's words.
package struct ListenError: Error, Hashable, Sendable {
    package let reason: String
}
