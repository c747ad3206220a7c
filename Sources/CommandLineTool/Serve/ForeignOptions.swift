import ArgumentParser
import SyncServer

/// Options for clients of other products; see `ServeSettings`.
struct ForeignOptions: ParsableArguments {
    @Flag(ServeSettings.azure) var azure: Bool?
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

    func servesAzure(_ settings: ResolvedSettings) async throws -> Bool {
        try await settings.value(of: ServeSettings.azure, given: azure)
    }
}
