import ArgumentParser
import Configuration
import DefinitionCompiler
import Foundation
import SyncEngine
import SystemPackage

/// Options for an environment of a database.
struct DatabaseOptions: ParsableArguments {
    @OptionGroup var place: LocationOptions

    @Option(DatabaseSettings.environment) var environment: String?
}

/// Options for a database.
struct LocationOptions: ParsableArguments {
    @Option(DatabaseSettings.database) var database: String?

    @Option(
        help: """
            A JSON file of settings, such as {"port": 8080}. The value of a setting comes from its \
            option, its environment variable (maxBodyBytes is WAGGLE_MAX_BODY_BYTES), this file, \
            or the default, in this order. (setting in the environment: WAGGLE_CONFIG)
            """)
    var config: String?
}

/// Resolves settings: from an option, an environment variable, the file, or the default, in this
/// order.
struct ResolvedSettings {
    private static let all = DatabaseSettings.all + ServeSettings.all
    private static let names = all.map { $0.name }

    private let reader: ConfigReader
    let database: DatabaseAddress
    let environment: String

    init(_ options: DatabaseOptions) async throws {
        try await self.init(options.place, environment: options.environment)
    }

    init(_ options: LocationOptions, environment: String? = nil) async throws {
        try await self.init(
            database: options.database, environment: environment, file: options.config)
    }

    /// The arguments are the values of options.
    init(
        database place: String? = nil, environment name: String? = nil, file config: String? = nil
    ) async throws {
        Self.warnOfUnknownVariables()
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
            try await reader.value(of: DatabaseSettings.database, given: place))
        environment = try Self.checkedEnvironment(
            try await reader.value(of: DatabaseSettings.environment, given: name))
    }

    static func checkedEnvironment(_ name: String) throws(ToolFailure) -> String {
        guard EnvironmentName.isLegal(name) else {
            throw ToolFailure(
                .wrongUsage, "'\(name)' is not a valid name for an environment",
                help: "use letters, digits, '-' and '_'")
        }
        return name
    }

    /// Throws if the value is not valid for the setting.
    func value(of setting: ToolSetting<Int>, given option: Int?) async throws -> Int {
        try setting.checked(try await reader.value(of: setting, given: option))
    }

    func value(of setting: ToolSetting<String>, given option: String?) async throws -> String {
        try setting.checked(try await reader.value(of: setting, given: option))
    }

    func value(of setting: ToolSetting<Bool>, given option: Bool?) async throws -> Bool {
        try setting.checked(try await reader.value(of: setting, given: option))
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
                .inputAtFault, "'\(path)' has an unknown setting '\(unknown)'",
                help: nearest(to: unknown, in: names).map { "did you mean '\($0)'?" }
                    ?? "the settings are \(names.sorted().joined(separator: ", "))")
        }
        return try await FileProvider<JSONSnapshot>(filePath: FilePath(path))
    }
}

extension ResolvedSettings {
    /// Variables of other programs may begin with the prefix too, so only those that are similar to
    /// a setting's are reported.
    private static func warnOfUnknownVariables() {
        let prefix = "WAGGLE_"
        let known = all.map { $0.variable } + ["CONFIG"]
        for name in ProcessInfo.processInfo.environment.keys.sorted() where name.hasPrefix(prefix) {
            let variable = String(name.dropFirst(prefix.count))
            guard !known.contains(variable), let meant = nearest(to: variable, in: known) else {
                continue
            }
            Terminal.printMessage(
                "warning: no setting is read from the environment variable '\(name)'\n"
                    + "help: did you mean '\(prefix)\(meant)'?")
        }
    }
}

extension ConfigReader {
    fileprivate func value(of setting: ToolSetting<Int>, given option: Int?) async throws -> Int {
        try await value(of: setting, given: option) { try await fetchInt(forKey: $0) }
    }

    fileprivate func value(
        of setting: ToolSetting<String>, given option: String?
    ) async throws -> String {
        try await value(of: setting, given: option) { try await fetchString(forKey: $0) }
    }

    fileprivate func value(of setting: ToolSetting<Bool>, given option: Bool?) async throws -> Bool
    {
        try await value(of: setting, given: option) { try await fetchBool(forKey: $0) }
    }

    private func value<Value>(
        of setting: ToolSetting<Value>, given option: Value?,
        fetching fetch: (ConfigKey) async throws -> Value?
    ) async throws -> Value {
        if let option { return option }
        do {
            return try await fetch(ConfigKey(setting.name)) ?? setting.standard
        } catch {
            throw unreadable(setting)
        }
    }

    private func unreadable<Value>(_ setting: ToolSetting<Value>) -> ToolFailure {
        let written = string(forKey: ConfigKey(setting.name)).map { "'\($0)'" } ?? "of another type"
        let variable = "WAGGLE_\(setting.variable)"
        let place =
            ProcessInfo.processInfo.environment[variable] == nil
            ? "in the file of settings" : "in the environment variable \(variable)"
        return ToolFailure(
            .inputAtFault,
            "the setting '\(setting.name)' is \(written) \(place), and has to be \(setting.form)",
            help: setting.values.map { "use \($0)" } ?? "write \(setting.form)")
    }
}

/// The settings of every command that works on an environment.
enum DatabaseSettings {
    static let all: [any AnySetting] = [database, environment]

    static let database = ToolSetting(
        "database",
        "The database: a file, or the address of a PostgreSQL database, as in "
            + "postgres://user@host/name.", default: "waggle.sqlite")

    static let environment = ToolSetting(
        "environment", "The environment in the database.", default: "test")
}
