import ArgumentParser
import DefinitionModel
import Foundation
import Logging
import MobeelizerWire
import Monitoring
import NativeWire
import ParseWire
import PostgresStore
import ServiceLifecycle
import SyncEngine
import SyncServer
import UnixSignals

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the environments of a database: store, check and sync their records.",
        discussion: """
            Every environment of the database is served, including those deployed later. A \
            deployment takes effect immediately in every server. With a file, an environment that \
            does not exist is first created with that definition; one with another definition is \
            refused, see 'waggle deploy'. Log lines go to standard error, one JSON object each. On \
            SIGTERM and SIGINT, the server completes the running requests and ends.
            """)

    @Argument(
        help: ArgumentHelp(
            "An application.xml to deploy to --environment; '-' is standard input.",
            valueName: "file"))
    var file: String?

    @OptionGroup var options: DatabaseOptions
    @OptionGroup var serving: ServeOptions
    @OptionGroup var foreign: ForeignOptions
    @OptionGroup var notifications: NotificationOptions
    @OptionGroup var retention: RetentionOptions
    @OptionGroup var monitoring: MonitoringOptions
    @OptionGroup var backups: BackupOptions
    @OptionGroup var definitionLimits: CompilerLimitOptions

    func validate() throws {
        guard file == nil, options.environment != nil else { return }
        throw ValidationError(
            "'--environment' is where a file is deployed, and every environment is served\n"
                + "Help:  name a file, or leave '--environment' out")
    }

    func run() async throws {
        // The reader of the log or of the banner may close its pipe.
        signal(SIGPIPE, SIG_IGN)
        let settings = try await ResolvedSettings(options)
        let logger = try await serving.logger(settings)
        let limits = try await serving.server(settings)
            .within(openFiles: raisedOpenFileLimit(), logger: logger)
        let metrics = try await monitoring.metrics(settings)
        let schedule = try await backups.schedule(settings)
        let database = try await openDatabase(settings, metrics)
        let webhooks = try await notifications.webhooks(settings)
        let streams = try await notifications.streams(
            settings, connections: limits.maxConnections)
        let environments = Environments(
            source: DatabaseEnvironments(
                database: database, limits: try await environmentLimits(settings),
                senders: try await notifications.senders(settings),
                deliveries: [streams, webhooks]))
        let served = try await loaded(environments, of: database)
        let readiness = ServerReadiness()
        let server = Server(
            environments, wires: try await wires(settings, database), streams: streams,
            settings: limits, logger: logger, metrics: metrics, readiness: readiness,
            now: { .now },
            listening: { port in
                Terminal.write(banner(of: served, in: database, at: limits.host, port))
            })
        let parts = ServerParts(
            database: database, environments: environments, streams: streams,
            webhooks: webhooks, metrics: metrics, logger: logger)
        try await run(
            services(parts, settings) + [server] + parts.helpers(by: schedule),
            readiness, settings, logger)
        try database.close()
        Terminal.printMessage("stopped")
    }

    /// The services that end after the server.
    private func services(
        _ parts: ServerParts, _ settings: ResolvedSettings
    ) async throws -> [any Service] {
        var services: [any Service] = []
        if let metrics = parts.metrics {
            metrics.registry.add(parts.database.freeSpace)
            services.append(
                try await monitoring.listener(for: metrics, settings, logger: parts.logger))
        }
        services.append(
            SweepService(
                environments: parts.environments,
                retention: try await retention.retention(settings), logger: parts.logger))
        return services
    }

    /// Opens the database, and deploys the file's definition if there is one.
    private func openDatabase(
        _ settings: ResolvedSettings, _ metrics: ServerMetrics?
    ) async throws -> OpenDatabase {
        let definition = try file.map { try DefinitionFile($0, within: definitionLimits.limits()) }
        let database = try await OpenDatabase(
            settings.database, creating: definition != nil,
            limits: try await serving.database(settings), observer: metrics)
        if let definition { try await deploy(definition, to: settings.environment, in: database) }
        return database
    }

    /// Deploys to a new environment. Throws if the environment has another definition.
    private func deploy(
        _ file: DefinitionFile, to name: String, in database: OpenDatabase
    ) async throws {
        guard let present = try await database.environment(named: name) else {
            _ = try await database.deploy(file, to: name, replacing: nil)
            return
        }
        guard present.fingerprint == file.definition.fingerprint else {
            throw ToolFailure(
                .inputAtFault,
                "environment '\(name)' of \(database.address) has another definition, "
                    + versionName(of: present),
                help: "serve that one, or make this one current with 'waggle deploy "
                    + "\(file.name) --database \(database.address) --environment \(name)'")
        }
    }

    private func environmentLimits(_ settings: ResolvedSettings) async throws -> Limits {
        var limits = try await serving.limits(settings)
        limits.notificationsPerMinute = try await notifications.perMinute(settings)
        return limits
    }

    private func loaded(
        _ environments: Environments, of database: OpenDatabase
    ) async throws -> [ServedEnvironment] {
        var failure: ToolFailure?
        do {
            let served = try await environments.all { _, error in
                failure = failure ?? ToolFailure(error, database: "\(database.address)")
            }
            if let failure { throw failure }
            return served
        } catch let error as SyncError {
            throw ToolFailure(error, database: "\(database.address)")
        }
    }

    private func wires(
        _ settings: ResolvedSettings, _ database: OpenDatabase
    ) async throws -> [any Wire] {
        var wires: [any Wire] = [
            WaggleWire(heartbeatSeconds: try await notifications.heartbeatSeconds(settings))
        ]
        if try await settings.value(of: ServeSettings.mobeelizer, given: serving.mobeelizer) {
            wires.append(OriginalWire(folder: database.transferFolder))
        }
        if try await settings.value(of: ServeSettings.parse, given: serving.parse) {
            wires += try await parseWires(settings)
        }
        return wires
    }

    private func parseWires(_ settings: ResolvedSettings) async throws -> [any Wire] {
        let clients = try await foreign.clients(settings)
        let limit = try await settings.value(
            of: ServeSettings.parseDefaultLimit, given: serving.parseDefaultLimit)
        return ParseRESTWire.prefixes.map {
            ParseRESTWire(prefix: $0, clients: clients, defaultLimit: limit)
        }
    }

    private func run(
        _ services: [any Service], _ readiness: ServerReadiness, _ settings: ResolvedSettings,
        _ logger: Logger
    ) async throws {
        let delay = try await monitoring.stopDelay(settings)
        var configuration = ServiceGroupConfiguration(
            services: services + [StopDelay(readiness: readiness, seconds: delay)],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(30 + delay)
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch let error as ListenError {
            throw ToolFailure(
                .machineFailed,
                "cannot serve on \(error.host), port \(error.port): \(error.reason)",
                help: "choose another --host or --port, or --metrics-host or --metrics-port, or "
                    + "end the program that has it")
        }
    }
}
