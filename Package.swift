// swift-tools-version: 6.2
import PackageDescription

/// Whether a goal of the Makefile builds this package, and not an app that depends on it.
let isOwnBuild = Context.environment["WAGGLE_WARNINGS_AS_ERRORS"] != nil

/// A warning stops our own builds. Nobody else gets the setting: Xcode compiles packages that an
/// app names by URL with `-suppress-warnings`, and the compiler refuses both together.
let warningRules: [SwiftSetting] = isOwnBuild ? [.treatAllWarnings(as: .error)] : []

/// Every module is built alike: it imports what it declares as a dependency and nothing else.
let houseRules: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + warningRules

/// On Apple's systems Foundation and CryptoKit do the same work.
let onLinux: TargetDependencyCondition? = .when(platforms: [.linux])

/// The modules, in the order in which data passes through them: a module depends on earlier ones
/// only. The comment above each is its task in the tables of the page *House*, which HouseTests
/// makes from this list.
let modules: [Target] = [
    // the system's XML parser, as Swift calls it
    .systemLibrary(
        name: "CLibXML2",
        pkgConfig: "libxml-2.0",
        providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
    // the system's libzip, as Swift calls it
    .systemLibrary(
        name: "CZip",
        pkgConfig: "libzip",
        providers: [.apt(["libzip-dev"]), .brew(["libzip"])]),
    // the system's libpq, as Swift calls it
    .systemLibrary(
        name: "CLibPQ",
        pkgConfig: "libpq",
        providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    // the system's libcurl, as Swift calls it
    .systemLibrary(
        name: "CLibCurl",
        pkgConfig: "libcurl",
        providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    // the system's libcrypto, of OpenSSL, as Swift calls it
    .systemLibrary(
        name: "CLibCrypto",
        pkgConfig: "libcrypto",
        providers: [.apt(["libssl-dev"]), .brew(["openssl"])]),
    // the system's libsodium, as Swift calls it
    .systemLibrary(
        name: "CLibSodium",
        pkgConfig: "libsodium",
        providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
    // the settings of glibc's allocator, as Swift calls them
    .systemLibrary(name: "CMalloc"),
    // JSON values, read and written without rounding; and percent-encoded text
    .module("JSON"),
    // the values that other modules share: a checked definition, roles, field types
    .module("DefinitionModel", dependencies: ["JSON"]),
    // SHA-256 of bytes that come piece by piece, and HMAC
    .module("Hashing", dependencies: [.byName(name: "CLibCrypto", condition: onLinux)]),
    // the pages of diagnostics, the templates and the examples, embedded
    .target(name: "EmbeddedTexts"),
    // the same as strings, so that nothing else depends on C
    .module("Texts", dependencies: ["EmbeddedTexts"]),
    // an `application.xml` → a definition, or diagnostics with their places
    .module(
        "DefinitionCompiler",
        dependencies: ["CLibXML2", "DefinitionModel", "Texts", "Hashing"],
        exclude: ["Pages"]),
    // a definition's text and an edit → the text, in which nothing else is changed
    .module("DefinitionEditing", dependencies: ["DefinitionCompiler"]),
    // the text of generated code and of new packages
    .target(
        name: "Templates",
        dependencies: ["Texts"],
        path: "Templates",
        exclude: ["README.md", "project", "swift", "typescript"],
        swiftSettings: houseRules),
    // a definition → source files, or a whole package, as values
    .module(
        "SourceGenerator",
        dependencies: [
            "DefinitionModel", "Templates",
            .product(name: "Mustache", package: "swift-mustache"),
        ]),
    // open files and their locks, as the system has them
    .module("SystemFiles"),
    // the folders to which models and new packages are written, and custom templates
    .module("ModelFiles", dependencies: ["SourceGenerator", "SystemFiles", "Templates"]),
    // schemas of other products → definitions
    .module("SchemaImport", dependencies: ["DefinitionModel", "JSON"]),
    // the rights of a role to a record and its fields
    .module("AccessPolicy", dependencies: ["DefinitionModel"]),
    // changes, outcomes and conflicts as values, and the rules that devices and the server share
    .module("ChangeRules", dependencies: ["DefinitionModel", "JSON", "AccessPolicy"]),
    // values as clients of Azure Mobile and Parse write them, on their wires and in their exports
    .module("ForeignValues", dependencies: ["DefinitionModel", "JSON", "ChangeRules"]),
    // the words of one version of a definition ⇄ those of another
    .module(
        "VersionTranslation",
        dependencies: ["DefinitionModel", "JSON", "AccessPolicy", "ChangeRules"]),
    // a definition as tables, answers and diagrams, and the difference of two
    .module(
        "DefinitionReports",
        dependencies: ["DefinitionModel", "JSON", "AccessPolicy", "ChangeRules"]),
    // the messages of the native wire
    .module("SyncProtocol", dependencies: ["DefinitionModel", "JSON", "ChangeRules"]),
    // the program that the plugins run: it writes models without linking a server
    .executableTarget(
        name: "ModelWriter",
        dependencies: [
            "DefinitionCompiler", "SourceGenerator", "ModelFiles", "SyncProtocol", "Templates",
        ],
        swiftSettings: houseRules),
    // tasks that wait in their order
    .module("Queues"),
    // a request → decisions → writes, and the protocol that a store implements
    .module(
        "SyncEngine",
        dependencies: [
            "DefinitionModel", "Hashing", "JSON", "AccessPolicy", "ChangeRules",
            "VersionTranslation", "Queues",
        ]),
    // users and their sessions: sign-in, administration, and the protocol that a store implements
    .module("UserAccounts", dependencies: ["DefinitionModel", "Hashing", "SyncEngine"]),
    // operators, versions and activities of a database: scopes, decisions, and what a store keeps
    .module("Administration", dependencies: ["DefinitionModel", "JSON", "SyncEngine"]),
    // a query → the records that match it and that its asker may see
    .module(
        "RecordSearch",
        dependencies: [
            "DefinitionModel", "JSON", "AccessPolicy", "ChangeRules", "VersionTranslation",
            "SyncEngine",
        ]),
    // CSV and JSON lines → changes, and records → the same
    .module(
        "DataExchange",
        dependencies: [
            "DefinitionModel", "Hashing", "JSON", "ChangeRules", "ForeignValues", "SyncEngine",
            "RecordSearch",
        ]),
    // uploads and downloads of the contents of files, and the protocol that a blob store implements
    .module(
        "FileExchange",
        dependencies: ["DefinitionModel", "AccessPolicy", "ChangeRules", "SyncEngine"]),
    // push tokens, and notifications to users, stored and delivered
    .module(
        "Notifications",
        dependencies: ["DefinitionModel", "JSON", "AccessPolicy", "SyncEngine"]),
    // sync with clients that send whole records, know no revisions and confirm what they receive
    .module(
        "WholeRecordSync",
        dependencies: ["DefinitionModel", "JSON", "AccessPolicy", "ChangeRules", "SyncEngine"]),
    // a store in one file
    .module(
        "SQLiteStore",
        dependencies: [
            "DefinitionModel", "AccessPolicy", "ChangeRules", "SyncEngine", "UserAccounts",
            "Administration", "FileExchange", "Notifications", "WholeRecordSync",
            .product(name: "GRDB", package: "GRDB.swift"),
            .product(name: "GRDBSQLite", package: "GRDB.swift"),
        ]),
    // a store on PostgreSQL for any number of processes, with the contents of files
    .module(
        "PostgresStore",
        dependencies: [
            "CLibPQ", "DefinitionModel", "Hashing", "AccessPolicy", "ChangeRules", "Queues",
            "SyncEngine", "UserAccounts", "Administration", "FileExchange", "Notifications",
            "WholeRecordSync",
        ]),
    // a simple store in memory, to which the others are compared
    .module(
        "MemoryStore",
        dependencies: [
            "DefinitionModel", "ChangeRules", "SyncEngine", "UserAccounts", "Administration",
            "FileExchange", "Notifications", "WholeRecordSync",
        ]),
    // the contents of files, in a folder
    .module("FileVault", dependencies: ["Hashing", "SystemFiles", "SyncEngine", "FileExchange"]),
    // an environment of one database → the same in another, compared row by row; and what it holds
    // of one user
    .module("EnvironmentCopy", dependencies: ["Hashing", "JSON", "SyncEngine", "FileExchange"]),
    // the messages of the native wire ⇄ calls of the engine
    .module(
        "NativeCalls",
        dependencies: [
            "DefinitionModel", "JSON", "ChangeRules", "VersionTranslation", "SyncProtocol",
            "SyncEngine", "UserAccounts", "RecordSearch", "FileExchange", "Notifications",
        ]),
    // ZIP archives, read within limits and written
    .module("Archives", dependencies: ["CZip", "SystemFiles"]),
    // passwords and tokens: made, hashed and compared
    .module(
        "Secrets",
        dependencies: [
            "Hashing", .byName(name: "CLibCrypto", condition: onLinux),
            .byName(name: "CLibSodium", condition: onLinux),
        ]),
    // an HTTP request → the response of a server
    .module("HTTPCalls", dependencies: ["CLibCurl", "Queues"]),
    // mails with codes → a server of SMTP
    .module(
        "MailDelivery",
        dependencies: [
            "CLibCurl", "DefinitionModel", "Queues", "SyncEngine", "UserAccounts", "HTTPCalls",
            "Secrets",
        ]),
    // sign-in with providers of OpenID Connect: ID tokens verified, browsers sent and taken back
    .module(
        "OpenIDConnect",
        dependencies: [
            .byName(name: "CLibCrypto", condition: onLinux), "DefinitionModel", "JSON", "Queues",
            "SyncEngine", "UserAccounts", "HTTPCalls", "Secrets",
        ]),
    // notifications → webhooks of devices
    .module(
        "Webhooks",
        dependencies: [
            "HTTPCalls", "SyncProtocol", "SyncEngine", "Notifications", "NativeCalls",
        ]),
    // random devices that play against the engine, and a check of every invariant
    .module(
        "Simulation",
        dependencies: [
            "DefinitionModel", "JSON", "AccessPolicy", "ChangeRules", "VersionTranslation",
            "SyncProtocol", "SyncEngine", "UserAccounts", "RecordSearch", "NativeCalls",
            "MemoryStore",
        ]),
    // counters, gauges and durations of a process, written as text for Prometheus
    .module(
        "Monitoring", dependencies: [.product(name: "CoreMetrics", package: "swift-metrics")]),
    // spans of requests and of the work that they cause, recorded for a collector
    .module(
        "Traces",
        dependencies: [
            "JSON", .product(name: "Tracing", package: "swift-distributed-tracing"),
        ]),
    // HTTP: environments, connections, limits and errors, for every wire
    .module(
        "SyncServer",
        dependencies: [
            "DefinitionModel", "JSON", "ChangeRules", "VersionTranslation", "Queues", "SyncEngine",
            "UserAccounts", "FileExchange", "Notifications", "WholeRecordSync", "Secrets",
            "Monitoring", "Traces",
            .product(name: "CoreMetrics", package: "swift-metrics"),
            .product(name: "Tracing", package: "swift-distributed-tracing"),
            .product(name: "Hummingbird", package: "hummingbird"),
            .product(name: "HummingbirdCore", package: "hummingbird"),
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "Logging", package: "swift-log"),
            .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "NIOHTTP1", package: "swift-nio"),
            .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
            .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
            .product(name: "NIOPosix", package: "swift-nio"),
            .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        ]),
    // the native wire over HTTP
    .module(
        "NativeWire",
        dependencies: [
            "DefinitionModel", "JSON", "ChangeRules", "SyncProtocol", "SyncEngine", "UserAccounts",
            "FileExchange", "Notifications", "NativeCalls", "Secrets", "OpenIDConnect",
            "MailDelivery", "SyncServer",
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "Hummingbird", package: "hummingbird"),
            .product(name: "Logging", package: "swift-log"),
            .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        ]),
    // the administration of a database over HTTP
    .module(
        "AdminWire",
        dependencies: [
            "DefinitionModel", "DefinitionCompiler", "DefinitionReports", "JSON", "AccessPolicy",
            "ChangeRules", "SyncProtocol", "SyncEngine", "UserAccounts", "Administration",
            "RecordSearch", "FileExchange", "Notifications", "DataExchange", "EnvironmentCopy",
            "NativeCalls", "Archives", "DefinitionEditing", "SourceGenerator", "Simulation",
            "Hashing", "Secrets", "Monitoring", "MailDelivery", "SyncServer", "Texts",
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "Hummingbird", package: "hummingbird"),
            .product(name: "Logging", package: "swift-log"),
            .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        ]),
    // the pages, modules and styles of the console, embedded
    .target(
        name: "ConsoleFiles",
        exclude: ["images", "modules", "pages", "styles"]),
    // the console: pages in the browser over the administration
    .module(
        "Console",
        dependencies: [
            "ConsoleFiles", "Hashing", "SyncServer",
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "Hummingbird", package: "hummingbird"),
            .product(name: "NIOCore", package: "swift-nio"),
        ]),
    // requests of the original clients ⇄ changes and records of the engine
    .module(
        "MobeelizerWire",
        dependencies: [
            "DefinitionModel", "Hashing", "JSON", "ChangeRules", "VersionTranslation",
            "SyncEngine", "UserAccounts", "RecordSearch", "FileExchange", "Notifications",
            "WholeRecordSync", "Secrets", "SyncServer", "SystemFiles", "Archives",
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "Hummingbird", package: "hummingbird"),
            .product(name: "Logging", package: "swift-log"),
            .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
            .product(name: "NIOCore", package: "swift-nio"),
        ]),
    // requests of clients of Azure Mobile and Datasync ⇄ changes and finds of the engine
    .module(
        "AzureWire",
        dependencies: [
            "DefinitionModel", "Hashing", "JSON", "ChangeRules", "ForeignValues", "SyncEngine",
            "UserAccounts", "RecordSearch", "Notifications", "Secrets", "OpenIDConnect",
            "SyncServer",
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "Hummingbird", package: "hummingbird"),
            .product(name: "Logging", package: "swift-log"),
            .product(name: "NIOCore", package: "swift-nio"),
        ]),
    // requests of clients of Parse ⇄ changes, queries and records of the engine
    .module(
        "ParseWire",
        dependencies: [
            "DefinitionModel", "Hashing", "JSON", "AccessPolicy", "ChangeRules", "ForeignValues",
            "SyncEngine", "UserAccounts", "RecordSearch", "FileExchange", "Notifications",
            "Secrets", "SyncServer",
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "Hummingbird", package: "hummingbird"),
            .product(name: "Logging", package: "swift-log"),
        ]),
    // the library that an app imports: its records on the device, and their sync
    .module(
        "Waggle",
        dependencies: [
            "DefinitionModel", "Hashing", "JSON", "AccessPolicy", "ChangeRules",
            "VersionTranslation", "SyncProtocol", "Secrets",
            .product(name: "GRDB", package: "GRDB.swift"),
            .byName(name: "HTTPCalls", condition: onLinux),
        ],
        // Files that the web site of the documentation needs beside the articles.
        exclude: ["Site"]),
    // the tool `waggle`, which puts the other modules together
    .executableTarget(
        name: "CommandLineTool",
        dependencies: [
            "DefinitionModel", "DefinitionCompiler", "SourceGenerator", "ModelFiles",
            "DefinitionReports", "Templates", "JSON", "ChangeRules", "SyncProtocol", "SyncEngine",
            "UserAccounts", "Administration", "FileExchange", "Notifications", "WholeRecordSync",
            "SQLiteStore", "PostgresStore", "FileVault", "EnvironmentCopy", "DataExchange",
            "Webhooks", "MailDelivery", "OpenIDConnect", "Simulation", "Secrets", "SystemFiles",
            "HTTPCalls", "Monitoring", "Traces", "SyncServer", "NativeWire", "MobeelizerWire",
            "AzureWire", "ParseWire", "SchemaImport", "AdminWire", "Console",
            .byName(name: "CMalloc", condition: onLinux),
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
            .product(name: "Configuration", package: "swift-configuration"),
            .product(name: "Logging", package: "swift-log"),
            .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            .product(name: "SystemPackage", package: "swift-system"),
            .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        ],
        // The files of a system package beside the tool, and the scripts that make one.
        exclude: ["Package"],
        swiftSettings: houseRules),
]

/// With `WAGGLE_MODEL_WRITER` in the environment, the plugin of builds runs the program at that
/// path. Without it, SwiftPM compiles `ModelWriter` and its modules once more for the plugins, and
/// apart from the modules of products.
let writers: [Target.Dependency] =
    Context.environment["WAGGLE_MODEL_WRITER"] == nil ? ["ModelWriter"] : []

/// The plugins that SwiftPM runs for packages that use this one.
let plugins: [Target] = [
    .plugin(
        name: "WaggleModels", capability: .buildTool(), dependencies: writers,
        path: "Sources/Plugins/WaggleModels"),
    .plugin(
        name: "WriteWaggleModels",
        capability: .command(
            intent: .custom(
                verb: "waggle-models",
                description: "Write the models of each target that has an application.xml."),
            permissions: [.writeToPackageDirectory(reason: "The models are written to it.")]),
        dependencies: writers,
        path: "Sources/Plugins/WriteWaggleModels"),
]

/// The sample apps, each beside its definition.
let apps: [Target] = ["Conflicts", "Permissions", "Todo", "Dates"].map { name in
    .executableTarget(
        name: "\(name)App", dependencies: ["Waggle"], path: "Definitions/\(name)",
        exclude: ["README.md"], swiftSettings: houseRules, plugins: ["WaggleModels"])
}

/// The modules that tests with the bench of `EngineKit` use.
let benchModules = [
    "DefinitionModel", "JSON", "AccessPolicy", "ChangeRules", "SyncProtocol", "SyncEngine",
    "UserAccounts", "SQLiteStore", "NativeCalls", "EngineKit",
]

let tests: [Target] = [
    .target(
        name: "TestKit",
        dependencies: [
            "DefinitionModel", "DefinitionCompiler", "JSON", "ChangeRules", "SyncProtocol",
            "SyncEngine", "UserAccounts",
        ],
        path: "Tests/TestKit",
        swiftSettings: houseRules),
    .tests(of: "DefinitionModel"),
    .tests(of: "Hashing"),
    .testTarget(
        name: "DefinitionCompilerTests",
        dependencies: [
            "DefinitionCompiler", "DefinitionModel", "SourceGenerator", "SyncProtocol", "TestKit",
        ],
        exclude: ["Fixtures"],
        swiftSettings: houseRules),
    .tests(
        of: "SourceGenerator",
        dependencies: [
            "DefinitionModel", "DefinitionCompiler", "SyncProtocol", "Templates", "Waggle",
            "Golden",
        ]),
    // Isolated to the main actor, as new apps are: generated code must compile there too.
    .target(
        name: "Golden",
        dependencies: ["Waggle"],
        path: "Tests/Golden",
        exclude: ["TypeScript", "Calendar"],
        swiftSettings: houseRules + [.defaultIsolation(MainActor.self)]),
    // A package as `waggle new` makes it.
    .executableTarget(
        name: "CalendarApp",
        dependencies: ["Waggle"],
        path: "Tests/Golden/Calendar/Sources/CalendarApp",
        swiftSettings: houseRules,
        plugins: ["WaggleModels"]),
    .testTarget(
        name: "CalendarAppTests",
        dependencies: ["CalendarApp", "Waggle"],
        path: "Tests/Golden/Calendar/Tests/CalendarAppTests",
        swiftSettings: houseRules),
    .tests(
        of: "Administration",
        dependencies: ["DefinitionCompiler", "DefinitionModel", "JSON", "SyncEngine"]),
    .tests(of: "ModelFiles", dependencies: ["SourceGenerator", "Templates"]),
    .tests(of: "ChangeRules", dependencies: ["DefinitionModel", "AccessPolicy", "JSON"]),
    .tests(
        of: "VersionTranslation",
        dependencies: ["DefinitionModel", "JSON", "AccessPolicy", "ChangeRules"]),
    .tests(of: "Secrets"),
    .tests(of: "AccessPolicy", dependencies: ["DefinitionModel"]),
    .testTarget(
        name: "DefinitionReportsTests",
        dependencies: [
            "DefinitionReports", "DefinitionModel", "DefinitionCompiler", "AccessPolicy", "JSON",
            "ChangeRules", "SyncEngine", "TestKit",
        ],
        exclude: ["Fixtures", "Golden"],
        swiftSettings: houseRules),
    .testTarget(
        name: "SyncProtocolTests",
        dependencies: ["SyncProtocol", "DefinitionModel", "JSON", "ChangeRules", "TestKit"],
        exclude: ["Golden"],
        swiftSettings: houseRules),
    // An engine on a database, with users who push and pull: the bench of the tests of the engine
    // and of the modules beside it.
    .target(
        name: "EngineKit",
        dependencies: [
            "DefinitionModel", "DefinitionCompiler", "Hashing", "JSON", "AccessPolicy",
            "ChangeRules", "SyncProtocol", "SyncEngine", "UserAccounts", "FileExchange",
            "WholeRecordSync", "SQLiteStore", "FileVault", "NativeCalls",
        ],
        path: "Tests/EngineKit",
        swiftSettings: houseRules),
    .benchTests(
        of: "SyncEngine", dependencies: ["RecordSearch", "MemoryStore", "VersionTranslation"],
        exclude: ["Golden"]),
    .benchTests(of: "UserAccounts"),
    .benchTests(of: "RecordSearch"),
    .benchTests(of: "FileExchange", dependencies: ["FileVault"]),
    .benchTests(of: "DataExchange"),
    .benchTests(of: "Notifications"),
    .benchTests(of: "WholeRecordSync", exclude: ["Golden"]),
    .tests(
        of: "SyncServer",
        dependencies: [
            "DefinitionCompiler", "DefinitionModel", "JSON", "ChangeRules", "SyncEngine",
            "SyncProtocol", "Queues", "UserAccounts", "FileExchange", "Notifications",
            "WholeRecordSync", "SQLiteStore", "FileVault", "Secrets", "Monitoring",
            "MobeelizerWire",
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "Hummingbird", package: "hummingbird"),
            .product(name: "Logging", package: "swift-log"),
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "NIOEmbedded", package: "swift-nio"),
            .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        ]),
    .tests(of: "Console"),
    .tests(of: "DefinitionEditing", dependencies: ["DefinitionCompiler"]),
    .tests(
        of: "AzureWire",
        dependencies: [
            "DefinitionModel", "DefinitionCompiler", "JSON", "ChangeRules", "ForeignValues",
            "SyncEngine", "RecordSearch",
            .product(name: "HTTPTypes", package: "swift-http-types"),
        ]),
    .tests(
        of: "MobeelizerWire",
        dependencies: [
            "DefinitionModel", "DefinitionCompiler", "JSON", "ChangeRules", "VersionTranslation",
            "SyncEngine", "WholeRecordSync", "SyncServer", "SystemFiles", "Archives",
            .product(name: "NIOPosix", package: "swift-nio"),
        ]),
    .tests(of: "SchemaImport", dependencies: ["DefinitionModel", "DefinitionCompiler", "JSON"]),
    .tests(
        of: "ParseWire",
        dependencies: [
            "DefinitionModel", "JSON", "ChangeRules", "ForeignValues", "SyncEngine",
            "RecordSearch",
        ]),
    .tests(of: "FileVault", dependencies: ["SyncEngine", "FileExchange"]),
    .target(
        name: "ArchiveKit", dependencies: ["Archives"], path: "Tests/ArchiveKit",
        swiftSettings: houseRules),
    .tests(of: "Archives", dependencies: ["SystemFiles", "ArchiveKit"]),
    .tests(of: "HTTPCalls"),
    .tests(of: "MailDelivery", dependencies: ["SyncEngine"]),
    // A provider of OpenID Connect that signs real tokens.
    .target(
        name: "ProviderKit", dependencies: ["CLibCrypto", "JSON", "Secrets", "TestKit"],
        path: "Tests/ProviderKit", swiftSettings: houseRules),
    .tests(
        of: "OpenIDConnect",
        dependencies: ["JSON", "ProviderKit", "Secrets", "SyncEngine", "UserAccounts"]),
    .tests(
        of: "Monitoring",
        dependencies: [.product(name: "CoreMetrics", package: "swift-metrics")]),
    .tests(
        of: "Traces",
        dependencies: [
            "JSON", .product(name: "Tracing", package: "swift-distributed-tracing"),
        ]),
    .tests(of: "Queues"),
    .tests(of: "Webhooks"),
    .tests(
        of: "SQLiteStore",
        dependencies: [
            "DefinitionModel", "SyncEngine", "UserAccounts", "Administration",
            "Notifications", .product(name: "GRDB", package: "GRDB.swift"),
        ]),
    .target(
        name: "PostgresKit", dependencies: ["CLibPQ"], path: "Tests/PostgresKit",
        exclude: ["supervise.sh"], swiftSettings: houseRules),
    .tests(
        of: "PostgresStore",
        dependencies: [
            "DefinitionModel", "SyncEngine", "Administration", "FileExchange", "Notifications",
            "PostgresKit",
        ]),
    // The tests that every store must pass. A further store adds a line to `stores.swift`.
    .testTarget(
        name: "StoreConformanceTests",
        dependencies: [
            "DefinitionModel", "AccessPolicy", "JSON", "ChangeRules", "NativeCalls",
            "SyncProtocol", "SyncEngine", "UserAccounts", "RecordSearch", "FileExchange",
            "Notifications", "WholeRecordSync", "SQLiteStore", "PostgresStore", "PostgresKit",
            "MemoryStore", "FileVault", "Administration",
            "EnvironmentCopy", "Hashing", "TestKit",
        ],
        swiftSettings: houseRules),
    .tests(
        of: "Simulation",
        dependencies: [
            "DefinitionModel", "DefinitionCompiler", "JSON", "ChangeRules", "VersionTranslation",
            "SyncProtocol", "SyncEngine", "UserAccounts", "MemoryStore", "PostgresStore",
            "PostgresKit",
        ]),
    // The simulation with the client that apps have.
    .testTarget(
        name: "DeviceSimulationTests",
        dependencies: [
            "Simulation", "Waggle", "AccessPolicy", "DefinitionModel", "JSON", "SyncProtocol",
            "TestKit", .product(name: "GRDB", package: "GRDB.swift"),
        ],
        swiftSettings: houseRules),
    .testTarget(
        name: "WaggleTests",
        dependencies: [
            "Waggle", "AccessPolicy", "DefinitionModel", "DefinitionCompiler", "SyncProtocol",
            "JSON", "ChangeRules", "VersionTranslation", "NativeCalls", "SyncEngine",
            "UserAccounts", "MemoryStore", "TestKit", "Hashing", "RecordSearch",
            .product(name: "GRDB", package: "GRDB.swift"),
        ],
        swiftSettings: houseRules,
        plugins: ["WaggleModels"]),
    // An app that a test kills.
    .executableTarget(
        name: "KilledDevice",
        dependencies: ["TestKit", "Waggle"],
        path: "Tests/KilledDevice",
        swiftSettings: houseRules,
        plugins: ["WaggleModels"]),
    // A device that is measured.
    .executableTarget(
        name: "DeviceBenchmark",
        dependencies: ["Golden", "Waggle"],
        path: "Tests/DeviceBenchmark",
        swiftSettings: houseRules),
    // A server that does the least possible, measured beside ours.
    .executableTarget(
        name: "LimitBenchmark",
        dependencies: [
            .product(name: "GRDBSQLite", package: "GRDB.swift"),
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "Hummingbird", package: "hummingbird"),
            .product(name: "HummingbirdCore", package: "hummingbird"),
            .product(name: "Logging", package: "swift-log"),
            .product(name: "NIOCore", package: "swift-nio"),
        ],
        path: "Tests/LimitBenchmark",
        swiftSettings: houseRules),
    // The paths whose instructions callgrind counts.
    .executableTarget(
        name: "InstructionCounts",
        dependencies: [
            "DefinitionCompiler", "DefinitionModel", "JSON", "NativeCalls", "SQLiteStore",
            "Secrets", "SyncEngine", "SyncProtocol", "UserAccounts", "FileExchange", "FileVault",
            "Notifications", "WholeRecordSync", "SyncServer", "NativeWire", "AzureWire",
            "ParseWire",
            .product(name: "Logging", package: "swift-log"),
            .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        ],
        path: "Tests/InstructionCounts",
        exclude: ["count.py", "recorded.json"],
        swiftSettings: houseRules),
    // They start the tool and the sample apps, which are built with all tests. As dependencies
    // these would be compiled before the tests, one after the other.
    .testTarget(
        name: "EndToEndTests",
        dependencies: [
            "DefinitionModel", "DefinitionCompiler", "TestKit", "PostgresKit", "JSON",
            "SyncProtocol", "Waggle", "KilledDevice", "Archives", "ArchiveKit", "Hashing",
            "HTTPCalls", "Monitoring", "ProviderKit", "Secrets", "SyncEngine", "SyncServer",
            "Administration", "MobeelizerWire", "ParseWire",
        ],
        exclude: ["demo.sh", "runs.sh", "Fixtures"],
        swiftSettings: houseRules),
    .testTarget(name: "HouseTests", swiftSettings: houseRules),
]

/// With `WAGGLE_TESTS_OF=AccessPolicy` in the environment, the package has the tests of that module
/// only, so that they build without the rest: see `make check`.
let testedModule = Context.environment["WAGGLE_TESTS_OF"]
let chosenTests = tests.filter { target in
    target.type != .test || testedModule.map { target.name == "\($0)Tests" } ?? true
}

/// With `WAGGLE_PRODUCTS_ONLY` in the environment, the package has neither apps nor tests. For them
/// SwiftPM compiles the tool of the plugins before it builds anything, whatever is asked for.
let others = Context.environment["WAGGLE_PRODUCTS_ONLY"] == nil ? apps + chosenTests : []

let package = Package(
    name: "waggle",
    // The library's modules need no later ones. macOS has the server too, whose modules use Mutex.
    platforms: [
        .iOS(.v16), .macCatalyst(.v16), .macOS(.v15), .tvOS(.v16), .visionOS(.v1), .watchOS(.v9),
    ],
    products: [
        .executable(name: "waggle", targets: ["CommandLineTool"]),
        .library(name: "Waggle", targets: ["Waggle"]),
        .plugin(name: "WaggleModels", targets: ["WaggleModels"]),
        .plugin(name: "WriteWaggleModels", targets: ["WriteWaggleModels"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: modules + plugins + others)

// The compiler would take longer to optimize the tests than they run: see `make test`. No app can
// depend on a package with unsafe flags.
for target in package.targets where isOwnBuild && target.type == .test {
    // These read all sources again and again.
    if target.name == "HouseTests" { continue }
    let settings = target.swiftSettings ?? []
    var flags = ["-Onone"]
    if target.name == "EndToEndTests" {
        // The largest module is compiled last, and as a whole it keeps one core busy.
        flags += ["-no-whole-module-optimization", "-enable-batch-mode"]
    }
    target.swiftSettings = settings + [.unsafeFlags(flags, .when(configuration: .release))]
}

extension Target {
    /// A module of the product, in `Sources/`.
    static func module(
        _ name: String, dependencies: [Target.Dependency] = [], exclude: [String] = []
    ) -> Target {
        .target(
            name: name, dependencies: dependencies, exclude: exclude, swiftSettings: houseRules)
    }

    /// The tests of a module, in `Tests/<module>Tests`, which depend on it and on `TestKit`.
    static func tests(
        of module: String, dependencies: [Target.Dependency] = [], exclude: [String] = []
    ) -> Target {
        .testTarget(
            name: "\(module)Tests",
            dependencies: [.byName(name: module), "TestKit"] + dependencies, exclude: exclude,
            swiftSettings: houseRules)
    }

    /// The tests of a module with the bench of `EngineKit`.
    static func benchTests(
        of module: String, dependencies: [String] = [], exclude: [String] = []
    ) -> Target {
        let names = (benchModules + dependencies).filter { $0 != module }
        return tests(
            of: module, dependencies: names.map { .byName(name: $0) }, exclude: exclude)
    }
}
