import ArgumentParser
import AzureWire
import ParseWire
import SyncServer

/// Options for clients of other products; see `ServeSettings`.
struct ForeignOptions: ParsableArguments {
    @Flag(ServeSettings.azure) var azure: Bool?
    @Flag(ServeSettings.parse) var parse: Bool?
    @Option(ServeSettings.parseDefaultLimit) var parseDefaultLimit: Int?
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
        _ settings: ResolvedSettings, allowingLocalPages: Bool
    ) async throws -> [any Wire] {
        let clients = try await clients(settings)
        var wires: [any Wire] = []
        if try await settings.value(of: ServeSettings.azure, given: azure) {
            wires.append(AzureMobileWire(for: clients, allowsLocalPages: allowingLocalPages))
        }
        if try await settings.value(of: ServeSettings.parse, given: parse) {
            let limit = try await settings.value(
                of: ServeSettings.parseDefaultLimit, given: parseDefaultLimit)
            wires += ParseRESTWire.prefixes.map {
                ParseRESTWire(prefix: $0, for: clients, defaultLimit: limit)
            }
        }
        return wires
    }
}
