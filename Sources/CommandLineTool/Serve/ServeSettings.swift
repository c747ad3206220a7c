import Logging
import MobeelizerWire
import Notifications
import Secrets
import SyncEngine
import SyncServer

/// The settings of `waggle serve`, without those in `DatabaseSettings`.
enum ServeSettings {
    static let all: [any AnySetting] = [
        host, port, threads, logLevel, maxBodyBytes, maxBodySeconds, maxHeldBytes, maxConnections,
        maxConnectionsPerAddress, trustedProxies, maxIdleSeconds, maxDatabaseConnections,
        databaseWaitSeconds,
        maxFileBytes, maxLooseFileBytes, maxUploads, maxDeliveredFileBytes, maxOpenConflicts,
        maxHiddenClashesPerHour, maxPushesPerCommit, maxKeptBytes, sessionHours,
        minPasswordLength, publicAddress, signInProviders, mailServer, mailSender,
        mailUser, mailPasswordFile, mailLink, mobeelizer, admin, adminOrigins, console, editFile,
        libraryAddress,
        azure, azureVersion, parse, parseVersion, parseApplications,
        parseDefaultLimit, parseAccounts, parseSignUpGroup, parseSignUpsPerHour,
        parseMasterKey, parseMasterUser,
        foreignEnvironment, foreignDeviceCategory, guest, applicationKey,
        notifications,
        maxNotificationsPerMinute, callbackPrefixes, maxLiveStreams, liveBeatSeconds,
        keepDeletedDays, keepLooseFileDays, keepNotificationDays, keepRefusedDays,
        corsOrigins, metricsHost, metricsPort, traceCollector, tracePercent, stopDelaySeconds,
        backupFolder, backupEveryHours,
        backupKeep,
    ]

    // MARK: The process

    static let host = ToolSetting("host", "The address to listen on.", default: "127.0.0.1")

    static let port = ToolSetting(
        "port", "The port to listen on; 0 chooses a free one.", default: 8080, in: 0...65535)

    static let threads = ToolSetting(
        "threads",
        "The number of threads that handle connections and requests; 0 is the number of cores. "
            + "With several servers on one machine, give each its share of the cores.",
        default: 0, in: 0...1024)

    static let logLevel = ToolSetting(
        "logLevel", "The minimum severity of logged events.", default: "info",
        oneOf: Logger.Level.allCases.map(\.rawValue))

    static let maxBodyBytes = ToolSetting(
        "maxBodyBytes", "The maximum size of a request in bytes.", default: 8 << 20,
        in: 1024...(1 << 30))

    static let maxBodySeconds = ToolSetting(
        "maxBodySeconds",
        "The maximum time for a request to arrive, and for 64 KiB of a file in either direction, "
            + "in seconds.",
        default: 60, in: 1...3600)

    static let maxHeldBytes = ToolSetting(
        "maxHeldBytes",
        "The memory for the bodies of requests and responses, with the values in them, in bytes; a "
            + "user may take a third of it.",
        default: ServerSettings.standardHeldBytes, in: (1 << 20)...(1 << 40))

    static let maxConnections = ToolSetting(
        "maxConnections", "The maximum number of connections.", default: 4096, in: 1...1_000_000)

    static let maxConnectionsPerAddress = ToolSetting(
        "maxConnectionsPerAddress",
        "The maximum number of connections from one address, or from one /64 network of IPv6; 0 is "
            + "a quarter of maxConnections.", default: 0, in: 0...1_000_000)

    static let trustedProxies = ToolSetting(
        "trustedProxies",
        "The addresses and networks of proxies, separated by spaces, such as '127.0.0.1 "
            + "10.0.0.0/8'. Their header Forwarded or X-Forwarded-For has the address of the "
            + "client.", default: "", standardText: "none")

    static let maxIdleSeconds = ToolSetting(
        "maxIdleSeconds",
        "The time without a complete request head after which a connection is closed, in "
            + "seconds.", default: ServerSettings.standardIdleSeconds, in: 1...3600)

    static let maxDatabaseConnections = ToolSetting(
        "maxDatabaseConnections",
        "The maximum number of connections of this process to a PostgreSQL database.",
        default: DatabaseLimits().connections, in: 2...1000)

    static let databaseWaitSeconds = ToolSetting(
        "databaseWaitSeconds",
        "The time that a start waits for a database that cannot be reached or is locked, in "
            + "seconds; 0 fails at once.", default: 30, in: 0...3600)

    static let maxUploads = ToolSetting(
        "maxUploads", "The maximum number of concurrent uploads.", default: 64, in: 1...10_000)

    static let maxDeliveredFileBytes = ToolSetting(
        "maxDeliveredFileBytes",
        "The maximum total size of the files in one download of an original client, in bytes; the "
            + "others come with the next ones. A larger file comes alone.",
        default: Int(WireLimits().deliveredFileBytes), in: 1...(1 << 40))

    static let maxHiddenClashesPerHour = ToolSetting(
        "maxHiddenClashesPerHour",
        "The maximum number of guids and unique values per hour of which one user learns that they "
            + "belong to a record that the user may not see.",
        default: 100, in: 1...1_000_000)

    static let maxPushesPerCommit = ToolSetting(
        "maxPushesPerCommit", "The maximum number of pushes that share a commit.",
        default: DatabaseLimits().pushesPerCommit, in: 1...10_000)

    // MARK: Signing in

    static let publicAddress = ToolSetting(
        "publicAddress",
        "The address of the server for browsers, such as 'https://sync.example': providers send "
            + "users back to it.", default: "", standardText: "none")

    static let signInProviders = ToolSetting(
        "signInProviders",
        "A JSON file with the providers of OpenID Connect with which users sign in.", default: "",
        standardText: "none, and all users have passwords")

    static let mailServer = ToolSetting(
        "mailServer",
        "The SMTP server that mails codes for people, as in 'smtps://mail.example:465' with TLS, "
            + "'smtp://mail.example:587' with STARTTLS, or 'plain://127.0.0.1:25' with neither.",
        default: "", standardText: "none, and operators hand codes out")

    static let mailSender = ToolSetting(
        "mailSender", "The mail address from which codes are sent.", default: "",
        standardText: "none")

    static let mailUser = ToolSetting(
        "mailUser", "The user at the SMTP server.", default: "", standardText: "none")

    static let mailPasswordFile = ToolSetting(
        "mailPasswordFile", "A file whose first line is the password of mailUser.", default: "",
        standardText: "none")

    static let mailLink = ToolSetting(
        "mailLink",
        "The address of a page or an app that takes codes, for mails, as in "
            + "'https://app.example/KIND?code=CODE'; KIND becomes 'invitation' or 'reset'.",
        default: "", standardText: "none, and mails have the code alone")

    static let mobeelizer = ToolSetting(
        "mobeelizer",
        "Whether original Mobeelizer clients are served too, at /sync/v2. They send a password "
            + "with each request.", default: true)

    // MARK: Clients of other products

    static let azure = ToolSetting(
        "azure", "Whether clients of Azure Mobile and Datasync are served too, at /tables.",
        default: false)

    static let azureVersion = ToolSetting(
        "azureVersion",
        "The version, by number or tag, of clients of Azure whose address names none.",
        default: "", standardText: "the deployed one")

    static let foreignEnvironment = ToolSetting(
        "foreignEnvironment",
        "The environment of other products' clients whose address names none.", default: "",
        standardText: "the only one")

    static let foreignDeviceCategory = ToolSetting(
        "foreignDeviceCategory", "The device category of other products' clients.",
        default: "mobile")

    static let guest = ToolSetting(
        "guest",
        "The login of the user that clients of other products act as before they sign in. Every "
            + "such client reaches what this user owns.", default: "",
        standardText: "none, and they are refused")

    static let applicationKey = ToolSetting(
        "applicationKey",
        "The application key that other products' clients must send before they sign in.",
        default: "", standardText: "none, and none is needed")

    static let parse = ToolSetting(
        "parse",
        "Whether clients of Parse are served too, at /parse and /1. Their application id is the "
            + "name of an environment.", default: false)

    static let parseVersion = ToolSetting(
        "parseVersion",
        "The version, by number or tag, of clients of Parse whose application id names none.",
        default: "", standardText: "the deployed one")

    static let parseApplications = ToolSetting(
        "parseApplications",
        "The environments and versions of application ids of Parse, separated by spaces, such as "
            + "'f3Kq9=production@spring'.", default: "",
        standardText: "none, and an id is ENVIRONMENT or ENVIRONMENT@VERSION")

    static let parseDefaultLimit = ToolSetting(
        "parseDefaultLimit",
        "The maximum number of objects in a find of a client of Parse that sets no limit. Some "
            + "apps treat objects that are missing in a list as deleted.", default: 100,
        in: 1...1000)

    static let parseAccounts = ToolSetting(
        "parseAccounts",
        "The operations on accounts that clients of Parse may use: none, changing and leaving "
            + "their own, or also signing up.", default: "none", oneOf: ["none", "own", "sign-up"])

    static let parseSignUpGroup = ToolSetting(
        "parseSignUpGroup", "The group of users who sign up as clients of Parse.", default: "",
        standardText: "none, and nobody can sign up")

    static let parseSignUpsPerHour = ToolSetting(
        "parseSignUpsPerHour",
        "The accounts that clients of Parse at one network address may try to make in an hour, in "
            + "each process.", default: 200, in: 1...1_000_000)

    static let parseMasterKey = ToolSetting(
        "parseMasterKey", "The master key with which clients of Parse act as parseMasterUser.",
        default: "", standardText: "none, and a master key is no right")

    static let parseMasterUser = ToolSetting(
        "parseMasterUser",
        "The login of the admin whose rights the master key of clients of Parse has.", default: "",
        standardText: "none")

    // MARK: Operators

    static let admin = ToolSetting(
        "admin",
        "Whether operators administer the database over HTTP, at /admin/v1; with loopback, if the "
            + "server listens on this machine only.",
        default: AdminMode.loopback.rawValue, oneOf: AdminMode.allCases.map(\.rawValue))

    static let adminOrigins = ToolSetting(
        "adminOrigins",
        "The origins under which a proxy offers the administration by HTTPS, separated by spaces, "
            + "such as 'https://admin.example'. Other hosts than these and loopback are refused.",
        default: "", standardText: "none")

    static let console = ToolSetting(
        "console",
        "Whether the console is served, at /console; with loopback, if the server listens on this "
            + "machine only. It needs the administration.",
        default: AdminMode.loopback.rawValue, oneOf: AdminMode.allCases.map(\.rawValue))

    static let editFile = ToolSetting(
        "editFile",
        "Whether designers change the served file in the console, where it is a draft.",
        default: false)

    static let libraryAddress = ToolSetting(
        "libraryAddress",
        "The URL of the repository of Waggle that new packages of the console depend on, such as "
            + "'https://git.example/waggle'.", default: "",
        standardText: "the checkout of the server if it listens on this machine only, or none")

    // MARK: Each environment

    static let maxFileBytes = ToolSetting(
        "maxFileBytes", "The maximum size of a file in bytes.", default: 100 << 20,
        in: 1...(1 << 40))

    static let maxLooseFileBytes = ToolSetting(
        "maxLooseFileBytes",
        "The maximum total size of the files of one user that no record names, in bytes.",
        default: 1 << 30, in: 1...(1 << 50))

    static let maxOpenConflicts = ToolSetting(
        "maxOpenConflicts",
        "The maximum number of open conflicts of a record; further ones are refused.",
        default: 100, in: 1...100_000)

    static let maxKeptBytes = ToolSetting(
        "maxKeptBytes",
        "The memory of each environment for cached pages, as for first syncs, in bytes; 0 disables "
            + "the cache.",
        default: Limits().keptPageBytes, in: 0...(1 << 40))

    static let sessionHours = ToolSetting(
        "sessionHours", "The lifetime of a session in hours.", default: 720,
        in: 1...87_600)

    static let minPasswordLength = ToolSetting(
        "minPasswordLength",
        "The minimum length of a new password in characters; earlier ones stay valid.",
        default: PasswordHash.standardMinLength, in: 1...128)

    // MARK: Notifications

    static let notifications = ToolSetting(
        "notifications", "The users who may send notifications.",
        default: NotificationSenders.everyone.rawValue,
        oneOf: NotificationSenders.allCases.map(\.rawValue))

    static let maxNotificationsPerMinute = ToolSetting(
        "maxNotificationsPerMinute",
        "The maximum number of notifications that one user may send per minute.",
        default: 60, in: 1...100_000)

    static let callbackPrefixes = ToolSetting(
        "callbackPrefixes",
        "The prefixes of allowed webhooks, separated by spaces, such as "
            + "'https://hooks.example/app'. Each notification is sent to push tokens of the type "
            + "http below them, with POST.",
        default: "", standardText: "none, and nothing is called")

    static let maxLiveStreams = ToolSetting(
        "maxLiveStreams", "The maximum number of live streams.", default: 1000, in: 0...1_000_000)

    static let liveBeatSeconds = ToolSetting(
        "liveBeatSeconds", "The interval of heartbeats on silent live streams, in seconds.",
        default: 20, in: 1...3600)

    // MARK: Retention

    static let keepDeletedDays = ToolSetting(
        "keepDeletedDays",
        "The time for which deleted records are kept, in days, so that absent devices learn of "
            + "deletions. A device that was away for longer starts over.", default: 180,
        in: 0...36_500)

    static let keepLooseFileDays = ToolSetting(
        "keepLooseFileDays",
        "The time for which uploaded files are kept that no record names, in days.",
        default: 7, in: 0...36_500)

    static let keepNotificationDays = ToolSetting(
        "keepNotificationDays",
        "The time for which notifications are kept for absent users, in days.", default: 7,
        in: 0...36_500)

    static let keepRefusedDays = ToolSetting(
        "keepRefusedDays",
        "The time for which refused data of original Mobeelizer clients is kept, in days.",
        default: 365, in: 0...36_500)

    // MARK: Operation

    static let corsOrigins = ToolSetting(
        "corsOrigins",
        "The origins whose pages may use the server in a browser, separated by spaces, such as "
            + "'https://app.example'; '*' is every page.", default: "", standardText: "none")

    static let metricsHost = ToolSetting(
        "metricsHost", "The address to serve metrics on, to anybody who reaches it.",
        default: "127.0.0.1")

    static let metricsPort = ToolSetting(
        "metricsPort",
        "The port to serve metrics on, at /metrics; 0 chooses a free one, and -1 serves none.",
        default: -1, in: -1...65535)

    static let traceCollector = ToolSetting(
        "traceCollector",
        "The address of a collector that takes traces by OTLP in JSON, such as "
            + "'http://127.0.0.1:4318/v1/traces'.", default: "",
        standardText: "none, and nothing is traced")

    static let tracePercent = ToolSetting(
        "tracePercent",
        "The percentage of traces that are recorded. Clients decide about the traces that they "
            + "begin.", default: 100, in: 0...100)

    static let stopDelaySeconds = ToolSetting(
        "stopDelaySeconds",
        "The time for which a stopping server continues to serve, in seconds, while GET /ready "
            + "tells load balancers to choose another one.", default: 0, in: 0...3600)

    static let backupFolder = ToolSetting(
        "backupFolder", "The folder for regular backups.", default: "",
        standardText: "none, and no backups are made")

    static let backupEveryHours = ToolSetting(
        "backupEveryHours", "The time between two backups in hours.", default: 24, in: 1...8760)

    static let backupKeep = ToolSetting(
        "backupKeep", "The number of backups that are kept.", default: 7, in: 1...10_000)
}
