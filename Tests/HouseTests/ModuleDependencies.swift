/// The imports that each module may have.
enum ModuleDependencies {
    /// The modules in the order of `Package.swift`, each with its dependencies. The two lists are
    /// compared, so a new dependency must be added to both, deliberately.
    static let declared: [(module: String, dependencies: Set<String>)] = [
        ("CLibXML2", []),
        ("CZip", []),
        ("CLibPQ", []),
        ("CLibCurl", []),
        ("DefinitionModel", []),
        ("DefinitionCompiler", ["CLibXML2", "DefinitionModel", "Crypto"]),
        ("Templates", []),
        ("SourceGenerator", ["DefinitionModel", "Templates", "Mustache"]),
        ("ModelFiles", ["SourceGenerator", "Templates"]),
        ("JSON", ["DefinitionModel"]),
        ("AccessPolicy", ["DefinitionModel"]),
        ("ChangeRules", ["DefinitionModel", "JSON", "AccessPolicy"]),
        ("DefinitionReports", ["DefinitionModel", "AccessPolicy"]),
        ("SyncProtocol", ["DefinitionModel", "JSON", "ChangeRules"]),
        (
            "ModelWriter",
            ["DefinitionCompiler", "SourceGenerator", "ModelFiles", "SyncProtocol", "Templates"]
        ),
        ("SyncEngine", ["DefinitionModel", "JSON", "AccessPolicy", "ChangeRules"]),
        ("SQLiteStore", ["ChangeRules", "SyncEngine", "GRDB", "GRDBSQLite"]),
        ("PostgresStore", ["CLibPQ", "ChangeRules", "SyncEngine", "Crypto"]),
        ("MemoryStore", ["ChangeRules", "SyncEngine"]),
        ("FileVault", ["SyncEngine", "Crypto"]),
        ("EnvironmentCopy", ["SyncEngine", "Crypto"]),
        (
            "NativeCalls",
            ["DefinitionModel", "JSON", "ChangeRules", "SyncProtocol", "SyncEngine"]
        ),
        ("Archives", ["CZip"]),
        ("HTTPCalls", ["CLibCurl"]),
        ("Callbacks", ["HTTPCalls", "SyncProtocol", "SyncEngine", "NativeCalls"]),
        (
            "Simulation",
            [
                "DefinitionModel", "JSON", "AccessPolicy", "ChangeRules", "SyncProtocol",
                "SyncEngine", "NativeCalls", "MemoryStore",
            ]
        ),
        ("Secrets", ["Crypto", "CryptoExtras"]),
        (
            "SyncServer",
            [
                "DefinitionModel", "ChangeRules", "SyncProtocol", "SyncEngine", "Secrets",
                "Hummingbird", "HummingbirdCore", "HTTPTypes", "Logging", "NIOConcurrencyHelpers", "NIOCore",
                "NIOHTTPTypes", "NIOPosix", "ServiceLifecycle",
            ]
        ),
        (
            "NativeWire",
            [
                "JSON", "ChangeRules", "SyncProtocol", "SyncEngine", "NativeCalls", "Secrets",
                "SyncServer", "HTTPTypes", "Hummingbird", "Logging", "NIOConcurrencyHelpers", "NIOCore", "ServiceLifecycle",
            ]
        ),
        (
            "MobeelizerWire",
            [
                "DefinitionModel", "JSON", "ChangeRules", "SyncEngine", "Secrets",
                "SyncServer", "Archives", "Crypto", "HTTPTypes", "Hummingbird", "Logging",
                "NIOConcurrencyHelpers", "NIOCore", "NIOPosix",
            ]
        ),
        (
            "Waggle",
            [
                "DefinitionModel", "JSON", "AccessPolicy", "ChangeRules", "SyncProtocol", "Secrets",
                "Crypto",
                "GRDB", "HTTPCalls",
            ]
        ),
        (
            "CommandLineTool",
            [
                "DefinitionModel", "DefinitionCompiler", "SourceGenerator", "ModelFiles",
                "DefinitionReports", "Templates", "SyncProtocol", "SyncEngine", "SQLiteStore",
                "PostgresStore", "FileVault", "EnvironmentCopy", "Callbacks", "Simulation",
                "Secrets", "SyncServer", "NativeWire", "MobeelizerWire", "ArgumentParser",
                "Configuration", "Logging", "ServiceLifecycle", "SystemPackage", "UnixSignals",
            ]
        ),
    ]

    /// System modules that need no dependency, with the reason for each use. A module that is not
    /// listed uses the standard library alone, such as `DefinitionModel`, `AccessPolicy` and
    /// `DefinitionReports`.
    static let platform: [String: [String: String]] = [
        "DefinitionCompiler": [
            "Foundation": "writes definition and diagnostics as JSON"
        ],
        "ModelFiles": ["Foundation": "folders of models and templates"],
        "ModelWriter": ["Foundation": "the definition's file and the terminal"],
        "Plugins": [
            "Foundation": "paths and the process of the writer",
            "PackagePlugin": "what SwiftPM offers its plugins",
        ],
        "JSON": ["Foundation": "decimals of JSON that another decoder read"],
        "SyncProtocol": [
            "Foundation": "reads and writes messages as JSON"
        ],
        "NativeCalls": ["Foundation": "writes conflicts as JSON"],
        "SyncEngine": [
            "Foundation": "reads and writes stored values as JSON",
            "Synchronization": "cursors that were read lately",
        ],
        "SQLiteStore": [
            "Foundation": "paths and blobs of the database",
            "Synchronization": "the calls that wait for a commit",
        ],
        "PostgresStore": [
            "Dispatch": "the threads of connections",
            "Foundation": "the system's calls for sockets",
            "Synchronization": "the connections, and the calls that wait for a commit",
        ],
        "MemoryStore": ["Synchronization": "a lock round all that is stored"],
        "FileVault": ["Foundation": "the system's files and folders"],
        "Archives": ["Foundation": "the system's files and calendar"],
        "HTTPCalls": [
            "Dispatch": "the threads of calls",
            "Synchronization": "whether anybody still waits for an answer",
        ],
        "Secrets": ["Foundation": "bytes and Base64"],
        "SyncServer": [
            "Foundation": "bodies and dates of HTTP"
        ],
        "NativeWire": ["Foundation": "errors in JSON, and Base64 of digests"],
        "MobeelizerWire": ["Foundation": "JSON, and files on their way"],
        "Waggle": [
            "Foundation": "dates, files and HTTP of the device",
            "FoundationNetworking": "HTTP, where it is not part of Foundation",
            "Synchronization": "who is logged in, and who listens",
        ],
        "CommandLineTool": [
            "Foundation": "disk, clock and terminal"
        ],
    ]

    /// Third-party modules that are confined to the listed modules.
    static let confined: [String: Set<String>] = [
        "CLibXML2": ["DefinitionCompiler"],
        "CZip": ["Archives"],
        "CLibPQ": ["PostgresStore"],
        "CLibCurl": ["HTTPCalls"],
        "Mustache": ["SourceGenerator"],
        "GRDB": ["SQLiteStore", "Waggle"],
        "Hummingbird": ["SyncServer", "NativeWire", "MobeelizerWire"],
        "HummingbirdCore": ["SyncServer"],
        "Crypto": [
            "DefinitionCompiler", "EnvironmentCopy", "FileVault", "MobeelizerWire",
            "PostgresStore", "Secrets", "Waggle",
        ],
        "CryptoExtras": ["Secrets"],
        "NIOConcurrencyHelpers": ["SyncServer", "NativeWire", "MobeelizerWire"],
        "NIOCore": ["SyncServer", "NativeWire", "MobeelizerWire"],
        "NIOHTTPTypes": ["SyncServer"],
        "NIOPosix": ["SyncServer", "MobeelizerWire"],
        "HTTPTypes": ["SyncServer", "NativeWire", "MobeelizerWire"],
        "ArgumentParser": ["CommandLineTool"],
        "Configuration": ["CommandLineTool"],
    ]

    /// Imports of modules that are not dependencies.
    static func findings(in text: SourceText) throws -> [Finding] {
        let dependencies = declared.first { $0.module == text.module }?.dependencies ?? []
        let platform = Set((platform[text.module] ?? [:]).keys)
        return try imports(in: text).filter {
            !dependencies.contains($0.module) && !platform.contains($0.module)
        }.map {
            let advice =
                "\(text.module) has no dependency on '\($0.module)': do this in a module that has"
            return text.finding(line: $0.line, advice)
        }
    }
}

struct Import: Hashable {
    let module: String
    let line: Int
}

func imports(in text: SourceText) throws -> [Import] {
    let pattern =
        #"^ *(?:@\w+(?:\([^)]*\))? +)*(?:(?:package|public|private|fileprivate|internal) +)?"#
        + #"import +(?:(?:struct|enum|class|protocol|func|var|let|typealias) +)?(\w+)"#
    return try text.matches(of: pattern).map { Import(module: $0.groups[1], line: $0.line) }
}

/// The targets in a `Package.swift`, in order, with their dependencies, without tests.
func declaredDependencies(inPackage text: String) -> [(module: String, dependencies: Set<String>)] {
    let end = text.firstRange(of: "let tests")?.lowerBound ?? text.endIndex
    let start = text.firstRange(of: "let rooms")?.lowerBound ?? text.startIndex
    let target = /\.(?:room|target|executableTarget|systemLibrary)\(\s*(?:name:\s*)?"(\w+)"/
    let heads = Array(text[start..<end].matches(of: target))
    return heads.indices.map { index in
        let next = index + 1 < heads.count ? heads[index + 1].range.lowerBound : end
        return (
            String(heads[index].1), dependencies(in: text[heads[index].range.upperBound..<next])
        )
    }
}

private func dependencies(in target: Substring) -> Set<String> {
    guard let label = target.firstMatch(of: /(?:doors|dependencies):\s*\[/) else { return [] }
    let list = target[label.range.upperBound...].prefix { $0 != "]" }
    let own = list.replacing(/package:\s*"[^"]*"/, with: "")
    return Set(own.matches(of: /"(\w+)"/).map { String($0.1) })
}
