import ArgumentParser
import Configuration
import Foundation
import SystemPackage

/// Which environment of which database: the flags that every command on one has.
struct DatabaseOptions: ParsableArguments {
    @OptionGroup var place: PlaceOptions

    @Option(help: "The environment in it. (setting: environment; default: test)")
    var environment: String?
}

/// Where the data lies.
struct PlaceOptions: ParsableArguments {
    @Option(
        help: """
            The database: a file, or the address of a PostgreSQL database, as in \
            postgres://user@host/name. (setting: database; default: waggle.sqlite)
            """)
    var database: String?

    @Option(
        help: """
            A JSON file of settings. A setting is taken from its flag; or else from its \
            environment variable, WAGGLE_ and its name in capitals (maxBodyBytes is \
            WAGGLE_MAX_BODY_BYTES); or else from this file, as in {"port": 8080}. (setting in \
            the environment: WAGGLE_CONFIG)
            """)
    var config: String?
}

/// Settings in their order: a flag, an environment variable, the file, the default.
struct Settings {
    static let names: Set<String> = [
        "database", "environment", "host", "port", "logLevel", "maxBodyBytes", "maxBodySeconds",
        "maxConnections", "maxDatabaseConnections", "maxKeptBytes", "maxOpenConflicts",
        "maxPushesPerCommit", "sessionHours",
        "keepDeletedDays", "keepLooseFileDays", "maxFileBytes", "maxLooseFileBytes", "maxUploads",
        "mobeelizer", "notifications", "maxNotificationsPerMinute", "callbackPrefixes",
        "maxLiveStreams", "liveBeatSeconds", "keepNotificationDays",
    ]

    private let reader: ConfigReader
    let database: DatabaseAddress
    let environment: String

    init(_ options: DatabaseOptions) async throws {
        try await self.init(options.place, environment: options.environment)
    }

    init(_ options: PlaceOptions, environment: String? = nil) async throws {
        try await self.init(
            database: options.database, environment: environment, file: options.config)
    }

    /// With what the flags say, if anything.
    init(
        database place: String? = nil, environment name: String? = nil, file config: String? = nil
    ) async throws {
        let variables = EnvironmentVariablesProvider()
        let own = variables.prefixKeys(with: "waggle")
        let path = config ?? ConfigReader(provider: own).string(forKey: "config")
        if let path {
            let file = try await Self.file(path)
            reader = ConfigReader(providers: [own, file])
        } else {
            reader = ConfigReader(provider: own)
        }
        database = try DatabaseAddress(
            try await reader.setting("database", place, "waggle.sqlite"))
        environment = try Self.checkedEnvironment(
            try await reader.setting("environment", name, "test"))
    }

    static func checkedEnvironment(_ name: String) throws(ToolFailure) -> String {
        guard isEnvironment(name) else {
            throw ToolFailure(
                .wrongUsage, "'\(name)' is no name for an environment",
                help: "use letters, digits, '-' and '_'")
        }
        return name
    }

    /// Whether an environment can be called so.
    static func isEnvironment(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy(isNameByte)
    }

    func string(_ name: String, flag: String?, default value: String) async throws -> String {
        try await reader.setting(name, flag, value)
    }

    func integer(
        _ name: String, flag: Int?, default value: Int, in range: ClosedRange<Int>
    ) async throws -> Int {
        let text = flag.map(String.init)
        let given = try await text == nil ? reader.number(name) : flag
        guard let given else { return value }
        guard range.contains(given) else {
            throw ToolFailure(
                .wrongUsage, "'\(name)' is \(given)",
                help: "give a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return given
    }

    func boolean(_ name: String, flag: Bool?, default value: Bool) async throws -> Bool {
        if let flag { return flag }
        return try await reader.flag(name) ?? value
    }

    private static func file(_ path: String) async throws -> FileProvider<JSONSnapshot> {
        let data = Data(try Disk.read(path, upTo: 1 << 20))
        let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        guard let object else {
            throw ToolFailure(
                .inputAtFault, "'\(path)' is not a JSON object",
                help: "write settings as in {\"port\": 8080}")
        }
        if let unknown = object.keys.filter({ !names.contains($0) }).min() {
            throw ToolFailure(
                .inputAtFault, "'\(path)' has a setting '\(unknown)', which there is not",
                help: "the settings are \(names.sorted().joined(separator: ", "))")
        }
        return try await FileProvider<JSONSnapshot>(filePath: FilePath(path))
    }
}

private func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
    default: false
    }
}

extension ConfigReader {
    fileprivate func setting(
        _ name: String, _ flag: String?, _ fallback: String
    ) async throws -> String {
        if let flag { return flag }
        return try await reading(name) { try await fetchString(forKey: ConfigKey(name)) }
            ?? fallback
    }

    fileprivate func number(_ name: String) async throws -> Int? {
        try await reading(name) { try await fetchInt(forKey: ConfigKey(name)) }
    }

    fileprivate func flag(_ name: String) async throws -> Bool? {
        try await reading(name) { try await fetchBool(forKey: ConfigKey(name)) }
    }

    private func reading<Value>(
        _ name: String, _ fetch: () async throws -> Value?
    ) async throws -> Value? {
        do {
            return try await fetch()
        } catch {
            throw ToolFailure(
                .inputAtFault, "the setting '\(name)' cannot be read: \(error)",
                help: "look at its environment variable and at the file of settings")
        }
    }
}
