import Logging
import SyncEngine

/// The settings of `waggle serve`, beside those of every command on a database.
enum ServeSettings {
    static let all: [any AnySetting] = [
        host, port, logLevel, maxBodyBytes, maxBodySeconds, maxConnections,
        maxDatabaseConnections, maxFileBytes, maxLooseFileBytes, maxUploads, maxOpenConflicts,
        maxPushesPerCommit, maxKeptBytes, sessionHours, mobeelizer, notifications,
        maxNotificationsPerMinute, callbackPrefixes, maxLiveStreams, liveBeatSeconds,
        keepDeletedDays, keepLooseFileDays, keepNotificationDays,
    ]

    // MARK: The process

    static let host = ToolSetting("host", "The address to listen on.", default: "127.0.0.1")

    static let port = ToolSetting(
        "port", "The port to listen on; 0 takes a free one.", default: 8080, in: 0...65535)

    static let logLevel = ToolSetting(
        "logLevel", "The least severe events to log.", default: "info",
        oneOf: Logger.Level.allCases.map(\.rawValue))

    static let maxBodyBytes = ToolSetting(
        "maxBodyBytes", "The most bytes of a request.", default: 8 << 20, in: 1024...(1 << 30))

    static let maxBodySeconds = ToolSetting(
        "maxBodySeconds",
        "The most seconds for a request to arrive, or for 64 KiB of a file to come or go.",
        default: 60, in: 1...3600)

    static let maxConnections = ToolSetting(
        "maxConnections", "The most connections at a time.", default: 4096, in: 1...1_000_000)

    static let maxDatabaseConnections = ToolSetting(
        "maxDatabaseConnections",
        "The most connections of this process to a PostgreSQL database.",
        default: DatabaseLimits().connections, in: 2...1000)

    static let maxUploads = ToolSetting(
        "maxUploads", "The most uploads at a time.", default: 64, in: 1...10_000)

    static let maxPushesPerCommit = ToolSetting(
        "maxPushesPerCommit", "The most pushes that may share a commit to the disk.",
        default: DatabaseLimits().pushesPerCommit, in: 1...10_000)

    static let mobeelizer = ToolSetting(
        "mobeelizer",
        "Whether original Mobeelizer clients are served too, at /sync/v2. They send a password "
            + "with each request.", default: true)

    // MARK: Each environment

    static let maxFileBytes = ToolSetting(
        "maxFileBytes", "The most bytes of a file.", default: 100 << 20, in: 1...(1 << 40))

    static let maxLooseFileBytes = ToolSetting(
        "maxLooseFileBytes",
        "The most bytes that one user may have uploaded and no record names.",
        default: 1 << 30, in: 1...(1 << 50))

    static let maxOpenConflicts = ToolSetting(
        "maxOpenConflicts", "The most open conflicts of one record; further ones are refused.",
        default: 100, in: 1...100_000)

    static let maxKeptBytes = ToolSetting(
        "maxKeptBytes",
        "Bytes of memory that each environment has for answers that many devices ask for, as "
            + "when they begin; 0 keeps none.",
        default: Limits().keptPageBytes, in: 0...(1 << 40))

    static let sessionHours = ToolSetting(
        "sessionHours", "Hours after which a user must sign in again.", default: 720,
        in: 1...87_600)

    // MARK: Notifications

    static let notifications = ToolSetting(
        "notifications", "Who may send notifications.",
        default: NotificationSenders.everyone.rawValue,
        oneOf: NotificationSenders.allCases.map(\.rawValue))

    static let maxNotificationsPerMinute = ToolSetting(
        "maxNotificationsPerMinute", "The most notifications that one user may send in a minute.",
        default: 60, in: 1...100_000)

    static let callbackPrefixes = ToolSetting(
        "callbackPrefixes",
        "URLs separated by spaces, as in 'https://hooks.example/app': push tokens of the type "
            + "http may point below them, and each notification is sent there with POST.",
        default: "", standardText: "none, and nothing is called")

    static let maxLiveStreams = ToolSetting(
        "maxLiveStreams", "The most live streams at a time.", default: 1000, in: 0...1_000_000)

    static let liveBeatSeconds = ToolSetting(
        "liveBeatSeconds", "Seconds of silence after which a live stream gets a sign of life.",
        default: 20, in: 1...3600)

    // MARK: What is kept

    static let keepDeletedDays = ToolSetting(
        "keepDeletedDays",
        "Days for which deleted records are kept, so that devices that were away get to know of "
            + "it; a device that comes later begins anew.", default: 180, in: 0...36_500)

    static let keepLooseFileDays = ToolSetting(
        "keepLooseFileDays",
        "Days for which files are kept that were uploaded and that no record names.",
        default: 7, in: 0...36_500)

    static let keepNotificationDays = ToolSetting(
        "keepNotificationDays",
        "Days for which notifications are kept, for users who were not listening.", default: 7,
        in: 0...36_500)
}
