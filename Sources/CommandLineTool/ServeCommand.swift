import ArgumentParser
import Callbacks
import DefinitionModel
import Foundation
import Logging
import MobeelizerWire
import PostgresStore
import ServiceLifecycle
import SyncEngine
import SyncServer
import UnixSignals

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve a definition: store, check and sync its records.",
        discussion: """
            An environment that is not in the database yet is made with this definition; one that \
            has another definition is refused, see 'waggle deploy'. Log lines go to standard \
            error, a JSON object each. SIGTERM and SIGINT end the server when it has answered \
            what it was asked.
            """)

    @Argument(help: ArgumentHelp("An application.xml; '-' is standard input.", valueName: "file"))
    var file: String

    @OptionGroup var options: DatabaseOptions

    @Option(help: "The address to listen on. (setting: host; default: 127.0.0.1)")
    var host: String?

    @Option(help: "The port to listen on; 0 takes a free one. (setting: port; default: 8080)")
    var port: Int?

    @Option(
        help: """
            What to log: trace, debug, info, notice, warning, error or critical, and what is \
            worse. (setting: logLevel; default: info)
            """)
    var logLevel: String?

    @Option(help: "Bytes of a request at most. (setting: maxBodyBytes; default: 8388608)")
    var maxBodyBytes: Int?

    @Option(
        help: """
            Seconds for a request to arrive at most, or for 64 KiB of a file to come or go. \
            (setting: maxBodySeconds; default: 60)
            """)
    var maxBodySeconds: Int?

    @Option(help: "Connections at a time at most. (setting: maxConnections; default: 4096)")
    var maxConnections: Int?

    @Option(
        help: """
            Connections of this process to a PostgreSQL database at most. (setting: \
            maxDatabaseConnections; default: 10)
            """)
    var maxDatabaseConnections: Int?

    @Option(help: "Bytes of a file at most. (setting: maxFileBytes; default: 104857600)")
    var maxFileBytes: Int?

    @Option(
        help: """
            Bytes that one user may have uploaded and no record names. (setting: \
            maxLooseFileBytes; default: 1073741824)
            """)
    var maxLooseFileBytes: Int?

    @Option(help: "Uploads at a time at most. (setting: maxUploads; default: 64)")
    var maxUploads: Int?

    @Option(
        help: """
            Open conflicts of one record at most; further ones are refused. (setting: \
            maxOpenConflicts; default: 100)
            """)
    var maxOpenConflicts: Int?

    @Option(
        help: """
            Pushes that may share a commit to the disk at most. (setting: maxPushesPerCommit; \
            default: 64)
            """)
    var maxPushesPerCommit: Int?

    @Option(
        help: """
            Bytes of memory for answers that many devices ask for, as when they begin; 0 keeps \
            none. (setting: maxKeptBytes; default: 67108864)
            """)
    var maxKeptBytes: Int?

    @Option(help: "Hours until someone must sign in again. (setting: sessionHours; default: 720)")
    var sessionHours: Int?

    @Flag(
        inversion: .prefixedNo,
        help: """
            Whether original Mobeelizer clients are served too, at /sync/v2. They send a password \
            with each request. (setting: mobeelizer; default: true)
            """)
    var mobeelizer: Bool?

    @OptionGroup var notifications: NotificationOptions

    @OptionGroup var retention: RetentionOptions

    @OptionGroup var definitionLimits: CompilerLimitOptions

    func run() async throws {
        // Whoever read the log or the banner may go away.
        signal(SIGPIPE, SIG_IGN)
        let settings = try await Settings(options)
        let logger = try await logger(settings)
        let serverSettings = within(
            openFiles: raisedOpenFileLimit(), try await serverSettings(settings), logger: logger)
        let limits = try await limits(settings)
        let file = try DefinitionFile(file, within: definitionLimits.limits())
        let database = try await OpenDatabase(
            settings.database, creating: true, limits: try await databaseLimits(settings))
        let state = try await state(of: settings, with: file, in: database)
        let former = try await database.formerDefinitions(of: state)
        let engine = Engine(
            rules: Rules(file.definition), formerly: former.map { Rules($0) },
            environment: state, store: database.store,
            seal: try await database.cursorSeal(of: state), limits: limits)
        let callbacks = try await notifications.callbacks(settings)
        let streams = try await notifications.streams(
            settings, connections: serverSettings.maxConnections)
        let parts = Parts(
            engine: engine, files: database.files(of: engine),
            notifications: database.notifications(
                of: engine, senders: try await notifications.senders(settings),
                deliveries: [streams, callbacks]),
            streams: streams, callbacks: callbacks,
            wires: try await wires(settings, formerly: former, of: database), logger: logger)
        let server = parts.server(serverSettings) { port in
            Terminal.write(
                banner(file, settings: settings, host: serverSettings.host, port: port))
        }
        try await run(
            [try await sweeping(parts, settings), parts.delivering, server]
                + parts.hearing(settings.database),
            at: serverSettings, logger: logger)
        try database.close()
        Terminal.tell("stopped")
    }

    private func wires(
        _ settings: Settings, formerly former: [Definition], of database: OpenDatabase
    ) async throws -> [any ForeignWire] {
        guard try await settings.boolean("mobeelizer", flag: mobeelizer, default: true) else {
            return []
        }
        return [
            OriginalWire(
                environment: settings.environment, former: former, ledger: database.store,
                folder: database.transferFolder)
        ]
    }

    private func run(
        _ services: [any Service], at settings: ServerSettings, logger: Logger
    ) async throws {
        var configuration = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(30)
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch let error as ListenError {
            throw ToolFailure(
                .machineFailed,
                "cannot serve on \(settings.host), port \(settings.port): \(error.reason)",
                help: "choose another --host or --port, or end the program that has it")
        }
    }

    private func sweeping(_ parts: Parts, _ settings: Settings) async throws -> SweepService {
        SweepService(
            engine: parts.engine, files: parts.files, notifications: parts.notifications,
            keepDeletedDays: try await retention.days(settings),
            keepLooseFileDays: try await retention.looseFileDays(settings),
            keepNotificationDays: try await retention.notificationDays(settings),
            logger: parts.logger)
    }

    private func state(
        of settings: Settings, with file: DefinitionFile, in database: OpenDatabase
    ) async throws -> EnvironmentState {
        guard let present = try await database.environment(named: settings.environment) else {
            return try await database.deploy(
                file, to: settings.environment, replacing: nil
            ).state
        }
        guard present.fingerprint == file.definition.fingerprint else {
            throw ToolFailure(
                .inputAtFault,
                "environment '\(settings.environment)' of \(settings.database) has another "
                    + "definition, \(versionName(of: present))",
                help: "serve that one, or make this one current with 'waggle deploy \(self.file) "
                    + "--database \(settings.database) --environment \(settings.environment)'")
        }
        return present
    }

    private func banner(
        _ file: DefinitionFile, settings: Settings, host: String, port: Int
    ) -> String {
        let definition = file.definition
        let models = definition.models.count == 1 ? "1 model" : "\(definition.models.count) models"
        return """
            listening on http://\(host):\(port)
            serving \(definition.vendor)/\(definition.application) (\(models), conflict mode \
            \(definition.conflictMode.rawValue)) as environment '\(settings.environment)'
            database \(settings.database), \(versionName(of: definition))

            """
    }
}

/// What runs beside each other while the server serves.
private struct Parts {
    let engine: Engine
    let files: FileEngine
    let notifications: NotificationEngine
    let streams: LiveStreams
    let callbacks: CallbackDelivery
    let wires: [any ForeignWire]
    let logger: Logger

    func server(
        _ settings: ServerSettings, listening: @escaping @Sendable (_ port: Int) -> Void
    ) -> Server {
        Server(
            engine: engine, files: files, notifications: notifications, streams: streams,
            settings: settings, beside: wires, logger: logger, now: { .now },
            listening: listening)
    }

    /// What other processes on the same database announce.
    func hearing(_ database: DatabaseAddress) -> [any Service] {
        switch database {
        case .file: []
        case .server(let address):
            [
                HearingService(
                    listener: PostgresListener(address: address), streams: streams,
                    callbacks: callbacks, logger: logger)
            ]
        }
    }

    var delivering: DeliveryService {
        DeliveryService(notifications: notifications, callbacks: callbacks, logger: logger)
    }
}

// MARK: - Settings

extension ServeCommand {
    private func serverSettings(_ settings: Settings) async throws -> ServerSettings {
        ServerSettings(
            host: try await settings.string("host", flag: host, default: "127.0.0.1"),
            port: try await settings.integer("port", flag: port, default: 8080, in: 0...65535),
            environmentName: settings.environment,
            maxBodyBytes: try await settings.integer(
                "maxBodyBytes", flag: maxBodyBytes, default: 8 << 20, in: 1024...(1 << 30)),
            maxBodySeconds: try await settings.integer(
                "maxBodySeconds", flag: maxBodySeconds, default: 60, in: 1...3600),
            maxConnections: try await settings.integer(
                "maxConnections", flag: maxConnections, default: 4096, in: 1...1_000_000),
            maxUploads: try await settings.integer(
                "maxUploads", flag: maxUploads, default: 64, in: 1...10_000),
            liveBeatSeconds: try await notifications.beatSeconds(settings))
    }

    /// A server that runs out of files can neither take connections nor refuse them, so it takes
    /// only as many as it has files for.
    private func within(
        openFiles: Int, _ settings: ServerSettings, logger: Logger
    ) -> ServerSettings {
        let filesBesideConnections = 64
        // Each of them may be sending or getting a file.
        let room = max(1, (openFiles - filesBesideConnections) / 2)
        guard settings.maxConnections > room else { return settings }
        logger.warning(
            "too few files may be open for maxConnections, raise it as with 'ulimit -n'",
            metadata: ["maxConnections": "\(settings.maxConnections)", "taken": "\(room)"])
        var settings = settings
        settings.maxConnections = room
        return settings
    }

    private func limits(_ settings: Settings) async throws -> Limits {
        var limits = Limits()
        let hours = try await settings.integer(
            "sessionHours", flag: sessionHours, default: 720, in: 1...87_600)
        limits.sessionSeconds = Int64(hours) * 3600
        limits.openConflicts = try await settings.integer(
            "maxOpenConflicts", flag: maxOpenConflicts, default: 100, in: 1...100_000)
        limits.keptPageBytes = try await settings.integer(
            "maxKeptBytes", flag: maxKeptBytes, default: limits.keptPageBytes, in: 0...(1 << 40))
        limits.fileBytes = Int64(
            try await settings.integer(
                "maxFileBytes", flag: maxFileBytes, default: 100 << 20, in: 1...(1 << 40)))
        limits.looseFileBytes = Int64(
            try await settings.integer(
                "maxLooseFileBytes", flag: maxLooseFileBytes, default: 1 << 30, in: 1...(1 << 50)))
        limits.notificationsPerMinute = try await notifications.perMinute(settings)
        return limits
    }

    private func databaseLimits(_ settings: Settings) async throws -> DatabaseLimits {
        var limits = DatabaseLimits()
        limits.pushesPerCommit = try await settings.integer(
            "maxPushesPerCommit", flag: maxPushesPerCommit, default: limits.pushesPerCommit,
            in: 1...10_000)
        limits.connections = try await settings.integer(
            "maxDatabaseConnections", flag: maxDatabaseConnections, default: limits.connections,
            in: 2...1000)
        return limits
    }

    private func logger(_ settings: Settings) async throws -> Logger {
        let name = try await settings.string("logLevel", flag: logLevel, default: "info")
        guard let level = Logger.Level(rawValue: name) else {
            throw ToolFailure(
                .wrongUsage, "'\(name)' is no log level",
                help: "use \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return Logger(label: "waggle") { _ in LogLines(level: level) }
    }
}
