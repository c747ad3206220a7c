// swift-tools-version: 6.2
import PackageDescription

/// Every room is built alike: what a door does not declare cannot pass it, and a warning stops the
/// build.
let houseRules: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// Elsewhere, what comes with the system does it as well.
let onLinux: TargetDependencyCondition? = .when(platforms: [.linux])

/// The rooms stand in the order in which data passes through them. An import arrow runs from a
/// later room to an earlier one, never back.
let rooms: [Target] = [
    .systemLibrary(
        name: "CLibXML2",
        pkgConfig: "libxml-2.0",
        providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
    .systemLibrary(
        name: "CZip",
        pkgConfig: "libzip",
        providers: [.apt(["libzip-dev"]), .brew(["libzip"])]),
    .systemLibrary(
        name: "CLibPQ",
        pkgConfig: "libpq",
        providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .systemLibrary(
        name: "CLibCurl",
        pkgConfig: "libcurl",
        providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .room("DefinitionModel"),
    .room(
        "DefinitionCompiler",
        doors: ["CLibXML2", "DefinitionModel", .product(name: "Crypto", package: "swift-crypto")],
        resources: [.embedInCode("Pages")]),
    .target(
        name: "Templates",
        path: "Templates",
        exclude: ["README.md"],
        resources: [
            .embedInCode("swift"), .embedInCode("typescript"), .embedInCode("project"),
        ],
        swiftSettings: houseRules),
    .room(
        "SourceGenerator",
        doors: [
            "DefinitionModel", "Templates",
            .product(name: "Mustache", package: "swift-mustache"),
        ]),
    .room("ModelFiles", doors: ["SourceGenerator", "Templates"]),
    .room("JSON", doors: ["DefinitionModel"]),
    .room("AccessPolicy", doors: ["DefinitionModel"]),
    .room("ChangeRules", doors: ["DefinitionModel", "JSON", "AccessPolicy"]),
    .room("DefinitionReports", doors: ["DefinitionModel", "AccessPolicy"]),
    .room("SyncProtocol", doors: ["DefinitionModel", "JSON", "ChangeRules"]),
    // For the plugins: what of the tool a build needs, without a server.
    .executableTarget(
        name: "ModelWriter",
        dependencies: [
            "DefinitionCompiler", "SourceGenerator", "ModelFiles", "SyncProtocol", "Templates",
        ],
        swiftSettings: houseRules),
    .room(
        "SyncEngine",
        doors: ["DefinitionModel", "JSON", "AccessPolicy", "ChangeRules"]),
    .room(
        "SQLiteStore",
        doors: [
            "ChangeRules", "SyncEngine",
            .product(name: "GRDB", package: "GRDB.swift"),
            .product(name: "GRDBSQLite", package: "GRDB.swift"),
        ]),
    .room(
        "PostgresStore",
        doors: [
            "CLibPQ", "ChangeRules", "SyncEngine",
            .product(name: "Crypto", package: "swift-crypto"),
        ]),
    .room("MemoryStore", doors: ["ChangeRules", "SyncEngine"]),
    .room(
        "FileVault",
        doors: ["SyncEngine", .product(name: "Crypto", package: "swift-crypto")]),
    .room(
        "EnvironmentCopy",
        doors: ["SyncEngine", .product(name: "Crypto", package: "swift-crypto")]),
    .room(
        "NativeCalls",
        doors: ["DefinitionModel", "JSON", "ChangeRules", "SyncProtocol", "SyncEngine"]),
    .room("Archives", doors: ["CZip"]),
    .room("HTTPCalls", doors: ["CLibCurl"]),
    .room("Callbacks", doors: ["HTTPCalls", "SyncProtocol", "SyncEngine", "NativeCalls"]),
    .room(
        "Simulation",
        doors: [
            "DefinitionModel", "JSON", "AccessPolicy", "ChangeRules", "SyncProtocol", "SyncEngine",
            "NativeCalls", "MemoryStore",
        ]),
    .room(
        "Secrets",
        doors: [
            .product(name: "Crypto", package: "swift-crypto"),
            .product(name: "CryptoExtras", package: "swift-crypto"),
        ]),
    .room(
        "SyncServer",
        doors: [
            "DefinitionModel", "ChangeRules", "SyncProtocol", "SyncEngine", "Secrets",
            .product(name: "Hummingbird", package: "hummingbird"),
            .product(name: "HummingbirdCore", package: "hummingbird"),
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "Logging", package: "swift-log"),
            .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
            .product(name: "NIOPosix", package: "swift-nio"),
            .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        ]),
    .room(
        "NativeWire",
        doors: [
            "JSON", "ChangeRules", "SyncProtocol", "SyncEngine", "NativeCalls", "Secrets",
            "SyncServer",
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "Hummingbird", package: "hummingbird"),
            .product(name: "Logging", package: "swift-log"),
            .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        ]),
    .room(
        "MobeelizerWire",
        doors: [
            "DefinitionModel", "JSON", "ChangeRules", "SyncEngine", "Secrets", "SyncServer",
            "Archives", .product(name: "Crypto", package: "swift-crypto"),
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "Hummingbird", package: "hummingbird"),
            .product(name: "Logging", package: "swift-log"),
            .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "NIOPosix", package: "swift-nio"),
        ]),
    // Named as apps import it.
    .room(
        "Waggle",
        doors: [
            "DefinitionModel", "JSON", "AccessPolicy", "ChangeRules", "SyncProtocol", "Secrets",
            .product(name: "Crypto", package: "swift-crypto"),
            .product(name: "GRDB", package: "GRDB.swift"),
            .byName(name: "HTTPCalls", condition: onLinux),
        ]),
    .executableTarget(
        name: "CommandLineTool",
        dependencies: [
            "DefinitionModel", "DefinitionCompiler", "SourceGenerator", "ModelFiles",
            "DefinitionReports", "Templates", "SyncProtocol", "SyncEngine", "SQLiteStore",
            "PostgresStore", "FileVault", "EnvironmentCopy", "Callbacks", "Simulation", "Secrets",
            "SyncServer", "NativeWire", "MobeelizerWire",
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
            .product(name: "Configuration", package: "swift-configuration"),
            .product(name: "Logging", package: "swift-log"),
            .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            .product(name: "SystemPackage", package: "swift-system"),
            .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        ],
        swiftSettings: houseRules),
]

/// What SwiftPM runs for packages that use this one.
let plugins: [Target] = [
    .plugin(
        name: "WaggleModels", capability: .buildTool(), dependencies: ["ModelWriter"],
        path: "Sources/Plugins/WaggleModels"),
    .plugin(
        name: "WriteWaggleModels",
        capability: .command(
            intent: .custom(
                verb: "waggle-models",
                description: "Write the models of each target that has an application.xml."),
            permissions: [.writeToPackageDirectory(reason: "The models are written to it.")]),
        dependencies: ["ModelWriter"],
        path: "Sources/Plugins/WriteWaggleModels"),
]

/// The sample apps, each beside its definition.
let apps: [Target] = ["Conflicts", "Permissions", "Todo", "Dates"].map { name in
    .executableTarget(
        name: "\(name)App", dependencies: ["Waggle"], path: "Definitions/\(name)",
        exclude: ["README.md"], swiftSettings: houseRules, plugins: ["WaggleModels"])
}

let tests: [Target] = [
    .target(
        name: "TestKit",
        dependencies: [
            "DefinitionModel", "DefinitionCompiler", "JSON", "ChangeRules", "SyncProtocol",
            "SyncEngine",
        ],
        path: "Tests/TestKit",
        swiftSettings: houseRules),
    .tests(of: "DefinitionModel"),
    .testTarget(
        name: "DefinitionCompilerTests",
        dependencies: [
            "DefinitionCompiler", "DefinitionModel", "SourceGenerator", "SyncProtocol", "TestKit",
        ],
        exclude: ["Fixtures"],
        swiftSettings: houseRules),
    .tests(
        of: "SourceGenerator",
        doors: [
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
    .tests(of: "ModelFiles", doors: ["SourceGenerator", "Templates"]),
    .tests(of: "ChangeRules", doors: ["DefinitionModel", "AccessPolicy", "JSON"]),
    .tests(of: "Secrets"),
    .tests(of: "AccessPolicy", doors: ["DefinitionModel"]),
    .testTarget(
        name: "DefinitionReportsTests",
        dependencies: [
            "DefinitionReports", "DefinitionModel", "DefinitionCompiler", "AccessPolicy",
            "SyncEngine", "TestKit",
        ],
        exclude: ["Fixtures", "Golden"],
        swiftSettings: houseRules),
    .testTarget(
        name: "SyncProtocolTests",
        dependencies: ["SyncProtocol", "DefinitionModel", "JSON", "ChangeRules", "TestKit"],
        exclude: ["Golden"],
        swiftSettings: houseRules),
    .tests(
        of: "SyncEngine",
        doors: [
            "DefinitionModel", "DefinitionCompiler", "JSON", "AccessPolicy", "ChangeRules",
            "SyncProtocol", "NativeCalls", "SQLiteStore", "FileVault",
            .product(name: "Crypto", package: "swift-crypto"),
        ]),
    .tests(
        of: "SyncServer",
        doors: [
            "DefinitionCompiler", "DefinitionModel", "JSON", "ChangeRules", "SyncEngine",
            "SyncProtocol", "SQLiteStore", "FileVault", "Secrets",
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "Hummingbird", package: "hummingbird"),
            .product(name: "Logging", package: "swift-log"),
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        ]),
    .tests(
        of: "MobeelizerWire",
        doors: [
            "DefinitionModel", "DefinitionCompiler", "JSON", "ChangeRules", "SyncEngine",
        ]),
    .tests(of: "FileVault", doors: ["SyncEngine"]),
    .target(
        name: "ArchiveKit", dependencies: ["Archives"], path: "Tests/ArchiveKit",
        swiftSettings: houseRules),
    .tests(of: "Archives", doors: ["ArchiveKit"]),
    .tests(of: "HTTPCalls"),
    .tests(of: "Callbacks"),
    .tests(
        of: "SQLiteStore",
        doors: [
            "DefinitionModel", "SyncEngine", .product(name: "GRDB", package: "GRDB.swift"),
        ]),
    .target(
        name: "PostgresKit", dependencies: ["CLibPQ"], path: "Tests/PostgresKit",
        exclude: ["supervise.sh"], swiftSettings: houseRules),
    .tests(of: "PostgresStore", doors: ["DefinitionModel", "SyncEngine", "PostgresKit"]),
    // What every store must pass. Another store is another door here, and a line in `stores.swift`.
    .testTarget(
        name: "StoreConformanceTests",
        dependencies: [
            "DefinitionModel", "AccessPolicy", "JSON", "ChangeRules", "NativeCalls",
            "SyncProtocol", "SyncEngine", "SQLiteStore", "PostgresStore", "PostgresKit",
            "MemoryStore", "FileVault", "EnvironmentCopy",
            "TestKit", .product(name: "Crypto", package: "swift-crypto"),
        ],
        swiftSettings: houseRules),
    .tests(
        of: "Simulation",
        doors: [
            "DefinitionModel", "DefinitionCompiler", "JSON", "ChangeRules", "SyncProtocol",
            "SyncEngine", "MemoryStore", "PostgresStore", "PostgresKit",
        ]),
    // The simulation with the client that apps have.
    .testTarget(
        name: "DeviceSimulationTests",
        dependencies: [
            "Simulation", "Waggle", "AccessPolicy", "DefinitionModel", "JSON", "SyncProtocol",
            "TestKit",
            .product(name: "GRDB", package: "GRDB.swift"),
        ],
        swiftSettings: houseRules),
    .testTarget(
        name: "WaggleTests",
        dependencies: [
            "Waggle", "AccessPolicy", "DefinitionModel", "DefinitionCompiler", "SyncProtocol",
            "JSON", "ChangeRules", "NativeCalls", "SyncEngine", "MemoryStore", "TestKit",
            .product(name: "Crypto", package: "swift-crypto"),
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
    // What a server could do at best, measured beside ours.
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
    // What callgrind counts.
    .executableTarget(
        name: "InstructionCounts",
        dependencies: [
            "DefinitionCompiler", "DefinitionModel", "JSON", "NativeCalls", "SQLiteStore",
            "Secrets", "SyncEngine", "SyncProtocol",
        ],
        path: "Tests/InstructionCounts",
        exclude: ["count.py", "recorded.json"],
        swiftSettings: houseRules),
    .testTarget(
        name: "EndToEndTests",
        dependencies: [
            "DefinitionModel", "DefinitionCompiler", "TestKit", "PostgresKit", "JSON",
            "SyncProtocol", "Waggle", "CommandLineTool",
            "ConflictsApp", "PermissionsApp", "TodoApp", "DatesApp", "CalendarApp", "KilledDevice",
            "Archives", "ArchiveKit",
            .product(name: "Crypto", package: "swift-crypto"),
        ],
        exclude: ["demo.sh", "Fixtures"],
        swiftSettings: houseRules),
    .testTarget(name: "HouseTests", swiftSettings: houseRules),
]

let package = Package(
    name: "waggle",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "waggle", targets: ["CommandLineTool"]),
        .library(name: "Waggle", targets: ["Waggle"]),
        .plugin(name: "WaggleModels", targets: ["WaggleModels"]),
        .plugin(name: "WriteWaggleModels", targets: ["WriteWaggleModels"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: rooms + plugins + apps + tests)

extension Target {
    /// A room of the house, in `Sources/`, with the doors it may use.
    static func room(
        _ name: String, doors: [Target.Dependency] = [], resources: [Resource]? = nil
    ) -> Target {
        .target(name: name, dependencies: doors, resources: resources, swiftSettings: houseRules)
    }

    /// The tests of a room, in `Tests/<room>Tests`, which see the room and `TestKit`.
    static func tests(of room: String, doors: [Target.Dependency] = []) -> Target {
        .testTarget(
            name: "\(room)Tests",
            dependencies: [.byName(name: room), "TestKit"] + doors,
            swiftSettings: houseRules)
    }
}
