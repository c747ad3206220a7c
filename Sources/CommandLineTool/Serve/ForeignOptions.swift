import ArgumentParser
import AzureWire
import OpenIDConnect
import ParseWire
import SyncEngine
import SyncServer

/// Options for clients of other products; see `ServeSettings`.
struct ForeignOptions: ParsableArguments {
    @Flag(ServeSettings.azure) var azure: Bool?
    @Option(ServeSettings.azureVersion) var azureVersion: String?
    @Flag(ServeSettings.parse) var parse: Bool?
    @Option(ServeSettings.parseVersion) var parseVersion: String?
    @Option(ServeSettings.parseApplications) var parseApplications: String?
    @Option(ServeSettings.parseDefaultLimit) var parseDefaultLimit: Int?
    @Option(ServeSettings.parseAccounts) var parseAccounts: String?
    @Option(ServeSettings.parseSignUpGroup) var parseSignUpGroup: String?
    @Option(ServeSettings.parseSignUpsPerHour) var parseSignUpsPerHour: Int?
    @Option(ServeSettings.parseMasterKey) var parseMasterKey: String?
    @Option(ServeSettings.parseMasterUser) var parseMasterUser: String?
    @Option(ServeSettings.foreignEnvironment) var foreignEnvironment: String?
    @Option(ServeSettings.foreignDeviceCategory) var foreignDeviceCategory: String?
    @Option(ServeSettings.guest) var guest: String?
    @Option(ServeSettings.applicationKey) var applicationKey: String?

    func clients(_ settings: ResolvedSettings) async throws -> ForeignClients {
        ForeignClients(
            environment: try await text(
                ServeSettings.foreignEnvironment, given: foreignEnvironment, settings),
            guest: try await text(ServeSettings.guest, given: guest, settings),
            deviceCategory: try await settings.value(
                of: ServeSettings.foreignDeviceCategory, given: foreignDeviceCategory),
            applicationKey: try await text(
                ServeSettings.applicationKey, given: applicationKey, settings))
    }

    /// Nil if the setting is empty.
    private func text(
        _ setting: ToolSetting<String>, given: String?, _ settings: ResolvedSettings
    ) async throws -> String? {
        let text = try await settings.value(of: setting, given: given)
        return text.isEmpty ? nil : text
    }

    /// The wires of other products that are on.
    func wires(
        _ settings: ResolvedSettings, allowingLocalPages: Bool, _ providers: SignInProviders
    ) async throws -> [any Wire] {
        var clients = try await clients(settings)
        var wires: [any Wire] = []
        if try await settings.value(of: ServeSettings.azure, given: azure) {
            clients.version = try await text(
                ServeSettings.azureVersion, given: azureVersion, settings)
            wires.append(
                AzureMobileWire(
                    for: clients, allowsLocalPages: allowingLocalPages, providers: providers))
        }
        if try await settings.value(of: ServeSettings.parse, given: parse) {
            let limit = try await settings.value(
                of: ServeSettings.parseDefaultLimit, given: parseDefaultLimit)
            let accounts = try await accounts(settings)
            let master = try await master(settings)
            let applications = try await applications(settings)
            let allowances = ParseAllowances(
                signUpsPerHour: try await settings.value(
                    of: ServeSettings.parseSignUpsPerHour, given: parseSignUpsPerHour))
            clients.version = try await text(
                ServeSettings.parseVersion, given: parseVersion, settings)
            wires += ParseRESTWire.prefixes.map { [clients] prefix in
                ParseRESTWire(
                    prefix: prefix, for: clients, defaultLimit: limit, accounts: accounts,
                    master: master, applications: applications, allowances: allowances)
            }
        }
        return wires
    }

    private func applications(
        _ settings: ResolvedSettings
    ) async throws -> [String: ForeignVersion] {
        let text = try await settings.value(
            of: ServeSettings.parseApplications, given: parseApplications)
        var applications: [String: ForeignVersion] = [:]
        for pair in text.split(separator: " ") {
            let sides = pair.split(separator: "=", maxSplits: 1).map(String.init)
            guard sides.count == 2, let named = legalVersion(sides[1]) else {
                throw ToolFailure(
                    .wrongUsage, "'\(pair)' in 'parseApplications' names no environment",
                    help: "write ID=ENVIRONMENT or ID=ENVIRONMENT@VERSION")
            }
            guard applications.updateValue(named, forKey: sides[0]) == nil else {
                throw ToolFailure(
                    .wrongUsage, "'parseApplications' has the application id '\(sides[0])' twice",
                    help: "write each id once")
            }
        }
        return applications
    }

    private func legalVersion(_ text: String) -> ForeignVersion? {
        let named = ForeignVersion(address: text)
        guard EnvironmentName.isLegal(named.environment), named.version?.isEmpty != true else {
            return nil
        }
        return named
    }

    private func accounts(_ settings: ResolvedSettings) async throws -> ParseAccounts {
        let word = try await settings.value(of: ServeSettings.parseAccounts, given: parseAccounts)
        let group = try await settings.value(
            of: ServeSettings.parseSignUpGroup, given: parseSignUpGroup)
        switch (word, group) {
        case ("none", _): return .none
        case ("own", _): return .own
        case ("sign-up", let group) where !group.isEmpty: return .signUp(group: group)
        case ("sign-up", _):
            throw ToolFailure(
                .wrongUsage, "nobody can sign up without a group",
                help: "name one with --parse-sign-up-group")
        case (let word, _):
            throw ToolFailure(
                .wrongUsage, "'parseAccounts' cannot be '\(word)'",
                help: "write 'none', 'own' or 'sign-up'")
        }
    }

    private func master(_ settings: ResolvedSettings) async throws -> ParseMaster? {
        let key = try await text(ServeSettings.parseMasterKey, given: parseMasterKey, settings)
        let login = try await text(ServeSettings.parseMasterUser, given: parseMasterUser, settings)
        guard let key, let login else {
            guard key == nil, login == nil else {
                throw ToolFailure(
                    .wrongUsage, "a master key needs a user, and a user needs a key",
                    help: "set both parseMasterKey and parseMasterUser, or none of them")
            }
            return nil
        }
        return ParseMaster(key: key, login: login)
    }
}
