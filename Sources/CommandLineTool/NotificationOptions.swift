import ArgumentParser
import Callbacks
import SyncEngine
import SyncServer

/// Who may tell others something at once, and how it gets to them.
struct NotificationOptions: ParsableArguments {
    @Option(
        help: """
            Who may send notifications: everyone, admins or nobody. (setting: notifications; \
            default: everyone)
            """)
    var notifications: String?

    @Option(
        help: """
            Notifications that one user may send in a minute. (setting: \
            maxNotificationsPerMinute; default: 60)
            """)
    var maxNotificationsPerMinute: Int?

    @Option(
        help: ArgumentHelp(
            """
            Where push tokens of the type http may point to, as in 'https://hooks.example/app': \
            each notification is sent there with POST. Several are separated by spaces. (setting: \
            callbackPrefixes; default: none, and nothing is called)
            """, valueName: "urls"))
    var callbackPrefixes: String?

    @Option(help: "Live streams at a time at most. (setting: maxLiveStreams; default: 1000)")
    var maxLiveStreams: Int?

    @Option(
        help: """
            Seconds without a word after which a live stream gets a sign of life. (setting: \
            liveBeatSeconds; default: 20)
            """)
    var liveBeatSeconds: Int?

    func senders(_ settings: Settings) async throws -> NotificationSenders {
        let name = try await settings.string(
            "notifications", flag: notifications, default: NotificationSenders.everyone.rawValue)
        guard let senders = NotificationSenders(rawValue: name) else {
            let names = NotificationSenders.allCases.map(\.rawValue).joined(separator: ", ")
            throw ToolFailure(
                .wrongUsage, "'notifications' is '\(name)'", help: "use one of \(names)")
        }
        return senders
    }

    func perMinute(_ settings: Settings) async throws -> Int {
        try await settings.integer(
            "maxNotificationsPerMinute", flag: maxNotificationsPerMinute, default: 60,
            in: 1...100_000)
    }

    /// At most half of the connections listen, so that there is room to send.
    func streams(_ settings: Settings, connections: Int) async throws -> LiveStreams {
        let given = try await settings.integer(
            "maxLiveStreams", flag: maxLiveStreams, default: 1000, in: 0...1_000_000)
        return LiveStreams(max: min(given, max(1, connections / 2)))
    }

    func beatSeconds(_ settings: Settings) async throws -> Int {
        try await settings.integer(
            "liveBeatSeconds", flag: liveBeatSeconds, default: 20, in: 1...3600)
    }

    func callbacks(_ settings: Settings) async throws -> CallbackDelivery {
        let text = try await settings.string(
            "callbackPrefixes", flag: callbackPrefixes, default: "")
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
