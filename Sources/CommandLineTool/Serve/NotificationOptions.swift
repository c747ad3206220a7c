import ArgumentParser
import Notifications
import SyncEngine
import SyncServer
import Webhooks

/// Options for notifications; see `ServeSettings`.
struct NotificationOptions: ParsableArguments {
    @Option(ServeSettings.notifications) var notifications: String?
    @Option(ServeSettings.maxNotificationsPerMinute) var maxNotificationsPerMinute: Int?
    @Option(ServeSettings.callbackPrefixes) var callbackPrefixes: String?
    @Option(ServeSettings.maxLiveStreams) var maxLiveStreams: Int?
    @Option(ServeSettings.liveBeatSeconds) var liveBeatSeconds: Int?

    func senders(_ settings: ResolvedSettings) async throws -> NotificationSenders {
        let name = try await settings.value(
            of: ServeSettings.notifications, given: notifications)
        return NotificationSenders(rawValue: name) ?? .nobody
    }

    func perMinute(_ settings: ResolvedSettings) async throws -> Int {
        try await settings.value(
            of: ServeSettings.maxNotificationsPerMinute, given: maxNotificationsPerMinute)
    }

    /// At most half of the connections can be live streams, which leaves room for requests.
    func streams(_ settings: ResolvedSettings, connections: Int) async throws -> LiveStreams {
        let given = try await settings.value(
            of: ServeSettings.maxLiveStreams, given: maxLiveStreams)
        return LiveStreams(max: min(given, max(1, connections / 2)))
    }

    func heartbeatSeconds(_ settings: ResolvedSettings) async throws -> Int {
        try await settings.value(of: ServeSettings.liveBeatSeconds, given: liveBeatSeconds)
    }

    func webhooks(_ settings: ResolvedSettings) async throws -> WebhookDelivery {
        let text = try await settings.value(
            of: ServeSettings.callbackPrefixes, given: callbackPrefixes)
        let prefixes = try text.split(separator: " ").map { url in
            guard let prefix = WebhookURLPrefix(String(url)) else {
                throw ToolFailure(
                    .wrongUsage, "'\(url)' is not a valid prefix for webhook URLs",
                    help: "write it as in 'https://hooks.example/app', without a query")
            }
            return prefix
        }
        return WebhookDelivery(prefixes: prefixes)
    }
}
