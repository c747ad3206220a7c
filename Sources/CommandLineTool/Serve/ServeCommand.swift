import AdminWire
import Administration
import ArgumentParser
import DefinitionModel
import FileExchange
import Foundation
import JSON
import Logging
import MailDelivery
import MobeelizerWire
import Monitoring
import NativeWire
import Notifications
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
            deployment takes effect immediately in every server. With a file, the first \
            environment of a database is created with that definition; a further one, and one \
            with another definition, are refused, see 'waggle deploy'. An SQLite file is served \
            by one process at a time. Log lines go to standard error, one JSON object each. On \
            SIGTERM and SIGINT, the server completes the running requests and ends.
            """)

    @Argument(
        help: ArgumentHelp(
            "An application.xml to deploy to --environment; '-' is standard input.",
            valueName: "file"))
    var file: String?

    @OptionGroup var options: DatabaseOptions
    @OptionGroup var serving: ServeOptions
    @OptionGroup var signingIn: SignInOptions
    @OptionGroup var mailing: MailOptions
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
        shareHeaps()
        let settings = try await ResolvedSettings(options)
        let logger = try await serving.logger(settings)
        let limits = try await serving.server(settings)
            .within(openFiles: raisedOpenFileLimit(), logger: logger)
        let lock = try await lock(settings, at: limits)
        defer { lock?.release() }
        let monitors = try await monitoring.monitors(settings)
        let schedule = try await backups.schedule(settings)
        let (database, created) = try await openDatabase(settings, monitors.observer)
        let webhooks = try await notifications.webhooks(settings)
        let streams = try await notifications.streams(settings, connections: limits.maxConnections)
        let environments = try await environments(
            of: database, delivering: [streams, webhooks], settings)
        let served = try await loaded(environments, of: database)
        let readiness = ServerReadiness()
        let mails = try await mailing.desk(settings)
        let guests = try await operatorWires(
            settings, of: database, at: limits.host, monitors.metrics, mails)
        let parts = ServerParts(
            database: database, environments: environments, streams: streams,
            webhooks: webhooks, mails: mails, presence: guests.presence, monitors: monitors,
            logger: logger)
        let server = Server(
            environments, wires: try await wires(settings, database, mails) + guests.wires,
            streams: streams, settings: limits, logger: logger, metrics: monitors.metrics,
            traces: monitors.traces?.recorder, readiness: readiness, clients: parts.clients,
            now: { .now },
            listening: { port in
                Terminal.write(
                    banner(of: served, in: database, at: limits.host, port, created: created)
                        + guests.banner(limits.host, port))
            })
        try await run(
            services(parts, settings) + [server] + parts.helpers(by: schedule),
            readiness, settings, logger)
        try database.close()
        Terminal.printMessage("stopped")
    }

    private func environments(
        of database: OpenDatabase, delivering deliveries: [any NotificationDelivery],
        _ settings: ResolvedSettings
    ) async throws -> Environments {
        Environments(
            source: DatabaseEnvironments(
                database: database, limits: try await environmentLimits(settings),
                senders: try await notifications.senders(settings), deliveries: deliveries))
    }

    /// The services that end after the server.
    private func services(
        _ parts: ServerParts, _ settings: ResolvedSettings
    ) async throws -> [any Service] {
        var services: [any Service] = []
        if let traces = parts.monitors.traces {
            services.append(TraceExport(to: traces, logger: parts.logger))
        }
        if let metrics = parts.monitors.metrics {
            metrics.registry.add(parts.database.freeSpace)
        }
        if let listener = try await monitoring.listener(
            for: parts.monitors.metrics, settings, logger: parts.logger)
        {
            services.append(listener)
        }
        services.append(
            ClientLogService(
                clients: parts.clients, database: parts.database, logger: parts.logger))
        services.append(
            SweepService(
                environments: parts.environments, administration: parts.database.store,
                files: FileSweep(store: parts.database.store, blobs: parts.database.blobs),
                retention: try await retention.retention(settings), logger: parts.logger))
        return services
    }

    /// Opens the database, deploys the file's definition if there is one, and begins an epoch. Also
    /// returns the name of the environment if this created it.
    private func openDatabase(
        _ settings: ResolvedSettings, _ observer: (any EngineObserver)?
    ) async throws -> (OpenDatabase, created: String?) {
        let definition = try file.map { try DefinitionFile($0, within: definitionLimits.limits()) }
        let limits = try await serving.database(settings)
        let seconds = try await serving.databaseWait(settings)
        let database = try await waiting(seconds: seconds) {
            try await OpenDatabase(
                settings.database, creating: definition != nil, limits: limits, observer: observer)
        }
        var created: String?
        if let definition,
            try await deploy(definition, to: settings.environment, in: database)
        {
            created = settings.environment
        }
        try await waiting(seconds: seconds) { try await database.beginEpochs() }
        return (database, created)
    }

    /// Deploys to the first environment of a database, and returns whether it did. Throws if the
    /// database has other environments only, or if the environment has another definition.
    private func deploy(
        _ file: DefinitionFile, to name: String, in database: OpenDatabase
    ) async throws -> Bool {
        guard let present = try await database.environment(named: name) else {
            let others = try await database.environmentNames()
            guard others.isEmpty else {
                throw ToolFailure(
                    noEnvironment: name, beside: others, in: "\(database.address)",
                    file: file.name)
            }
            try await database.log(
                .deploy, environment: name, target: file.definition.fingerprint,
                after: .string(file.definition.fingerprint))
            _ = try await database.deploy(file, to: name, replacing: nil)
            return true
        }
        guard present.fingerprint == file.definition.fingerprint else {
            throw ToolFailure(
                .inputAtFault,
                "environment '\(name)' of \(database.address) has another definition, "
                    + versionName(of: present),
                help: "serve that one, or make this one current with 'waggle deploy "
                    + "\(file.name) --database \(database.address) --environment \(name)'")
        }
        return false
    }

    /// Finds addresses that are not available, and another server of the file, before anything is
    /// opened or created.
    private func lock(
        _ settings: ResolvedSettings, at server: ServerSettings
    ) async throws -> ServerLock? {
        do {
            try await checkAddress(server.host, port: server.port)
            try await monitoring.checkAvailable(settings, beside: server)
        } catch let error as ListenError {
            throw ToolFailure(error)
        }
        return try ServerLock(of: settings.database, creating: file != nil)
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
        _ settings: ResolvedSettings, _ database: OpenDatabase, _ mails: MailDesk?
    ) async throws -> [any Wire] {
        let providers = try await signingIn.providers(settings)
        var wires: [any Wire] = [
            WaggleWire(
                heartbeatSeconds: try await notifications.heartbeatSeconds(settings),
                providers: providers, mails: mails)
        ]
        if try await settings.value(of: ServeSettings.mobeelizer, given: serving.mobeelizer) {
            wires.append(
                OriginalWire(
                    folder: database.transferFolder,
                    limits: try await serving.originalClients(settings)))
        }
        let origins = try await serving.origins(settings)
        wires += try await foreign.wires(
            settings, allowingLocalPages: origins == .none, providers)
        return wires
    }

    /// The wires for operators that are on, and what the banner says of them.
    private func operatorWires(
        _ settings: ResolvedSettings, of database: OpenDatabase, at host: String,
        _ metrics: ServerMetrics?, _ mails: MailDesk?
    ) async throws -> (
        wires: [any Wire], banner: @Sendable (String, Int) -> String, presence: DraftPresence?
    ) {
        guard
            let admin = try await serving.adminWire(
                settings, of: database, at: host, metrics,
                file: try await serving.draftFile(settings, of: file), mails,
                try await mailing.texts(settings))
        else {
            return ([], { _, _ in "" }, nil)
        }
        let console = try await serving.consoleWire(settings, at: host)
        let token = try await database.setupToken()
        return (
            [admin.wire] + (console.map { [$0] } ?? []),
            { host, port in
                administrationBanner(token: token, console: console != nil, at: host, port)
            },
            admin.presence
        )
    }

    private func run(
        _ services: [any Service], _ readiness: ServerReadiness, _ settings: ResolvedSettings,
        _ logger: Logger
    ) async throws {
        let delay = try await monitoring.stopDelay(settings)
        var configuration = ServiceGroupConfiguration(
            services: named(services + [StopDelay(readiness: readiness, seconds: delay)]),
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(30 + delay)
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch let error as ListenError {
            throw ToolFailure(error)
        }
    }

    /// Gives each service the name of its type in logs. The group would print the whole value
    /// instead, which holds every definition that is served, and secrets.
    private func named(
        _ services: [any Service]
    ) -> [ServiceGroupConfiguration.ServiceConfiguration] {
        services.map { .init(service: $0, serviceName: "\(type(of: $0))") }
    }
}
