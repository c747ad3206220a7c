import ArgumentParser
import Logging
import MobeelizerWire
import SyncEngine
import SyncServer

/// Options for the server process and for the limits of its environments; see `ServeSettings`.
struct ServeOptions: ParsableArguments {
    @Option(ServeSettings.host) var host: String?
    @Option(ServeSettings.port) var port: Int?
    @Option(ServeSettings.threads) var threads: Int?
    @Option(ServeSettings.logLevel) var logLevel: String?
    @Option(ServeSettings.maxBodyBytes) var maxBodyBytes: Int?
    @Option(ServeSettings.maxBodySeconds) var maxBodySeconds: Int?
    @Option(ServeSettings.maxHeldBytes) var maxHeldBytes: Int?
    @Option(ServeSettings.maxConnections) var maxConnections: Int?
    @Option(ServeSettings.maxConnectionsPerAddress) var maxConnectionsPerAddress: Int?
    @Option(ServeSettings.trustedProxies) var trustedProxies: String?
    @Option(ServeSettings.maxIdleSeconds) var maxIdleSeconds: Int?
    @Option(ServeSettings.maxDatabaseConnections) var maxDatabaseConnections: Int?
    @Option(ServeSettings.databaseWaitSeconds) var databaseWaitSeconds: Int?
    @Option(ServeSettings.maxFileBytes) var maxFileBytes: Int?
    @Option(ServeSettings.maxLooseFileBytes) var maxLooseFileBytes: Int?
    @Option(ServeSettings.maxUploads) var maxUploads: Int?
    @Option(ServeSettings.maxDeliveredFileBytes) var maxDeliveredFileBytes: Int?
    @Option(ServeSettings.maxOpenConflicts) var maxOpenConflicts: Int?
    @Option(ServeSettings.maxHiddenClashesPerHour) var maxHiddenClashesPerHour: Int?
    @Option(ServeSettings.maxPushesPerCommit) var maxPushesPerCommit: Int?
    @Option(ServeSettings.maxKeptBytes) var maxKeptBytes: Int?
    @Option(ServeSettings.sessionHours) var sessionHours: Int?
    @Option(ServeSettings.corsOrigins) var corsOrigins: String?
    @Option(ServeSettings.minPasswordLength) var minPasswordLength: Int?
    @Flag(ServeSettings.mobeelizer) var mobeelizer: Bool?
    @Option(ServeSettings.admin) var admin: String?
    @Option(ServeSettings.adminOrigins) var adminOrigins: String?
    @Option(ServeSettings.console) var console: String?
    @Flag(ServeSettings.editFile) var editFile: Bool?
    @Option(ServeSettings.libraryAddress) var libraryAddress: String?

    func logger(_ settings: ResolvedSettings) async throws -> Logger {
        let name = try await settings.value(of: ServeSettings.logLevel, given: logLevel)
        let level = Logger.Level(rawValue: name) ?? .info
        return Logger(label: "waggle") { _ in LogLines(level: level) }
    }

    func server(_ settings: ResolvedSettings) async throws -> ServerSettings {
        var server = ServerSettings(
            host: try await settings.value(of: ServeSettings.host, given: host),
            port: try await settings.value(of: ServeSettings.port, given: port),
            maxBodyBytes: try await settings.value(
                of: ServeSettings.maxBodyBytes, given: maxBodyBytes),
            maxBodySeconds: try await settings.value(
                of: ServeSettings.maxBodySeconds, given: maxBodySeconds),
            maxConnections: try await settings.value(
                of: ServeSettings.maxConnections, given: maxConnections),
            maxUploads: try await settings.value(of: ServeSettings.maxUploads, given: maxUploads))
        server.maxHeldBytes = try await settings.value(
            of: ServeSettings.maxHeldBytes, given: maxHeldBytes)
        server.maxConnectionsPerAddress = try await settings.value(
            of: ServeSettings.maxConnectionsPerAddress, given: maxConnectionsPerAddress)
        server.trustedProxies = try await proxies(settings)
        server.corsOrigins = try await origins(settings)
        server.maxIdleSeconds = try await settings.value(
            of: ServeSettings.maxIdleSeconds, given: maxIdleSeconds)
        server.threads = try await settings.value(of: ServeSettings.threads, given: threads)
        // Some connections of a PostgreSQL database must stay free for all else.
        let connections = try await settings.value(
            of: ServeSettings.maxDatabaseConnections, given: maxDatabaseConnections)
        server.maxSearches = max(2, min(ServerSettings.standardSearches, connections / 2))
        server.minPasswordLength = try await settings.value(
            of: ServeSettings.minPasswordLength, given: minPasswordLength)
        return server
    }

    private func proxies(_ settings: ResolvedSettings) async throws -> TrustedProxies {
        let text = try await settings.value(
            of: ServeSettings.trustedProxies, given: trustedProxies)
        guard let proxies = TrustedProxies(text) else {
            throw ToolFailure(
                .wrongUsage, "'\(text)' is not a list of addresses",
                help: "write addresses and networks, as in '127.0.0.1 10.0.0.0/8 ::1'")
        }
        return proxies
    }

    func origins(_ settings: ResolvedSettings) async throws -> AllowedOrigins {
        let text = try await settings.value(of: ServeSettings.corsOrigins, given: corsOrigins)
        guard let origins = AllowedOrigins(text) else {
            throw ToolFailure(
                .wrongUsage, "'\(text)' is not a list of origins",
                help: "write scheme, host and port without a path, as in 'https://app.example "
                    + "http://localhost:3000', or '*' for every page")
        }
        return origins
    }

    func originalClients(_ settings: ResolvedSettings) async throws -> WireLimits {
        var limits = WireLimits()
        limits.deliveredFileBytes = Int64(
            try await settings.value(
                of: ServeSettings.maxDeliveredFileBytes, given: maxDeliveredFileBytes))
        return limits
    }

    func database(_ settings: ResolvedSettings) async throws -> DatabaseLimits {
        var limits = DatabaseLimits()
        limits.pushesPerCommit = try await settings.value(
            of: ServeSettings.maxPushesPerCommit, given: maxPushesPerCommit)
        limits.connections = try await settings.value(
            of: ServeSettings.maxDatabaseConnections, given: maxDatabaseConnections)
        return limits
    }

    func databaseWait(_ settings: ResolvedSettings) async throws -> Int {
        try await settings.value(
            of: ServeSettings.databaseWaitSeconds, given: databaseWaitSeconds)
    }

    /// The limits of each environment.
    func limits(_ settings: ResolvedSettings) async throws -> Limits {
        var limits = Limits()
        let hours = try await settings.value(of: ServeSettings.sessionHours, given: sessionHours)
        limits.sessionSeconds = Int64(hours) * 3600
        limits.openConflicts = try await settings.value(
            of: ServeSettings.maxOpenConflicts, given: maxOpenConflicts)
        limits.hiddenClashesPerHour = try await settings.value(
            of: ServeSettings.maxHiddenClashesPerHour, given: maxHiddenClashesPerHour)
        limits.keptPageBytes = try await settings.value(
            of: ServeSettings.maxKeptBytes, given: maxKeptBytes)
        limits.fileBytes = Int64(
            try await settings.value(of: ServeSettings.maxFileBytes, given: maxFileBytes))
        limits.looseFileBytes = Int64(
            try await settings.value(of: ServeSettings.maxLooseFileBytes, given: maxLooseFileBytes))
        // A body of the greatest size can be stored as a record.
        limits.recordBytes = max(
            limits.recordBytes,
            try await settings.value(of: ServeSettings.maxBodyBytes, given: maxBodyBytes))
        return limits
    }
}

extension ServerSettings {
    /// Reduces the number of connections to what the limit of open files allows. A process without
    /// file descriptors can neither accept nor refuse connections.
    func within(openFiles: Int, logger: Logger) -> ServerSettings {
        let filesBesideConnections = 64
        // Each connection may transfer a file.
        let capacity = max(1, (openFiles - filesBesideConnections) / 2)
        guard maxConnections > capacity else { return self }
        logger.warning(
            "too few files may be open for maxConnections, raise it as with 'ulimit -n'",
            metadata: ["maxConnections": "\(maxConnections)", "taken": "\(capacity)"])
        var settings = self
        settings.maxConnections = capacity
        return settings
    }
}
