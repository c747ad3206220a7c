import ArgumentParser
import Callbacks
import SyncEngine
import SyncServer

/// The options about notifications, see `ServeSettings`.
struct NotificationOptions: ParsableArguments {
    @Option(ServeSettings.notifications) var notifications: String?
    @Option(ServeSettings.maxNotificationsPerMinute) var maxNotificationsPerMinute: Int?
    @Option(ServeSettings.callbackPrefixes) var callbackPrefixes: String?
    @Option(ServeSettings.maxLiveStreams) var maxLiveStreams: Int?
    @Option(ServeSettings.liveBeatSeconds) var liveBeatSeconds: Int?

    func senders(_ settings: Settings) async throws -> NotificationSenders {
        let name = try await settings.value(
            of: ServeSettings.notifications, given: notifications)
        return NotificationSenders(rawValue: name) ?? .nobody
    }

    func perMinute(_ settings: Settings) async throws -> Int {
        try await settings.value(
            of: ServeSettings.maxNotificationsPerMinute, given: maxNotificationsPerMinute)
    }

    /// At most half of the connections listen, so that there is room to send.
    func streams(_ settings: Settings, connections: Int) async throws -> LiveStreams {
        let given = try await settings.value(
            of: ServeSettings.maxLiveStreams, given: maxLiveStreams)
        return LiveStreams(max: min(given, max(1, connections / 2)))
    }

    func beatSeconds(_ settings: Settings) async throws -> Int {
        try await settings.value(of: ServeSettings.liveBeatSeconds, given: liveBeatSeconds)
    }

    func callbacks(_ settings: Settings) async throws -> CallbackDelivery {
        let text = try await settings.value(
            of: ServeSettings.callbackPrefixes, given: callbackPrefixes)
        let prefixes = try text.split(separator: " ").map { url in
            guard let prefix = CallbackPrefix(String(url)) else {
                throw ToolFailure(
                    .wrongUsage, "'\(url)' is no URL that callbacks may begin with",
                    help: "write it as in 'https://hooks.example/app', without a query")
            }
            return prefix
        }
        return CallbackDelivery(prefixes: prefixes)
    }
}
