/// Which room may import what.
enum Doors {
    /// The rooms in the order of `Package.swift`, each with the doors that it declares there. The
    /// two are compared, so a new door is opened in both, with a second thought.
    static let declared: [(room: String, doors: Set<String>)] = [
        ("CLibXML2", []),
        ("CZip", []),
        ("CLibPQ", []),
        ("CLibCurl", []),
        ("DefinitionModel", []),
        ("DefinitionCompiler", ["CLibXML2", "DefinitionModel", "Crypto"]),
        ("Templates", []),
        ("SourceGenerator", ["DefinitionModel", "Templates", "Mustache"]),
        ("ModelFiles", ["SourceGenerator", "Templates"]),
        ("Records", ["DefinitionModel"]),
        ("AccessPolicy", ["DefinitionModel"]),
        ("DefinitionReports", ["DefinitionModel", "AccessPolicy"]),
        ("SyncProtocol", ["DefinitionModel", "Records"]),
        (
            "ModelWriter",
            ["DefinitionCompiler", "SourceGenerator", "ModelFiles", "SyncProtocol", "Templates"]
        ),
        ("SyncEngine", ["DefinitionModel", "Records", "AccessPolicy", "SyncProtocol"]),
        ("SQLiteStore", ["SyncEngine", "GRDB", "GRDBSQLite"]),
        ("PostgresStore", ["CLibPQ", "SyncEngine", "Crypto"]),
        ("MemoryStore", ["SyncEngine"]),
        ("FileVault", ["SyncEngine", "Crypto"]),
        ("EnvironmentCopy", ["SyncEngine", "Crypto"]),
        ("Archives", ["CZip"]),
        ("HTTPCalls", ["CLibCurl"]),
        ("Callbacks", ["HTTPCalls", "SyncProtocol", "SyncEngine"]),
        (
            "Simulation",
            [
                "DefinitionModel", "Records", "AccessPolicy", "SyncProtocol", "SyncEngine",
                "MemoryStore",
            ]
        ),
        ("Secrets", ["Crypto", "CryptoExtras"]),
        (
            "SyncServer",
            [
                "DefinitionModel", "SyncProtocol", "SyncEngine", "Secrets", "Hummingbird",
                "HummingbirdCore", "HTTPTypes", "Logging", "NIOConcurrencyHelpers", "NIOCore",
                "NIOHTTPTypes", "NIOPosix", "ServiceLifecycle",
            ]
        ),
        (
            "NativeWire",
            [
                "SyncProtocol", "SyncEngine", "Secrets", "SyncServer", "HTTPTypes", "Hummingbird",
                "Logging", "NIOConcurrencyHelpers", "NIOCore", "ServiceLifecycle",
            ]
        ),
        (
            "MobeelizerWire",
            [
                "DefinitionModel", "Records", "SyncProtocol", "SyncEngine", "Secrets",
                "SyncServer", "Archives", "Crypto", "HTTPTypes", "Hummingbird", "Logging",
                "NIOConcurrencyHelpers", "NIOCore", "NIOPosix",
            ]
        ),
        (
            "Waggle",
            [
                "DefinitionModel", "Records", "AccessPolicy", "SyncProtocol", "Secrets", "Crypto",
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

    /// What comes with Swift and needs no door, and why a room may use it. A room that is not here
    /// uses the standard library alone: `DefinitionModel`, `AccessPolicy` and `DefinitionReports`
    /// need no more.
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
        "SyncProtocol": [
            "Foundation": "reads and writes messages as JSON"
        ],
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

    /// The rooms that fence something foreign: no other may have a door to it.
    static let fences: [String: Set<String>] = [
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

    /// Imports without a door.
    static func findings(in text: SourceText) throws -> [Finding] {
        let doors = declared.first { $0.room == text.room }?.doors ?? []
        let platform = Set((platform[text.room] ?? [:]).keys)
        return try imports(in: text).filter {
            !doors.contains($0.module) && !platform.contains($0.module)
        }.map {
            let advice = "\(text.room) has no door to '\($0.module)': do this in a room that has"
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

/// The targets of a `Package.swift`, in its order, with the names in their `doors` or
/// `dependencies`. Tests are left out.
func declaredDoors(inPackage text: String) -> [(room: String, doors: Set<String>)] {
    let end = text.firstRange(of: "let tests")?.lowerBound ?? text.endIndex
    let start = text.firstRange(of: "let rooms")?.lowerBound ?? text.startIndex
    let target = /\.(?:room|target|executableTarget|systemLibrary)\(\s*(?:name:\s*)?"(\w+)"/
    let heads = Array(text[start..<end].matches(of: target))
    return heads.indices.map { index in
        let next = index + 1 < heads.count ? heads[index + 1].range.lowerBound : end
        return (String(heads[index].1), doors(in: text[heads[index].range.upperBound..<next]))
    }
}

private func doors(in target: Substring) -> Set<String> {
    guard let label = target.firstMatch(of: /(?:doors|dependencies):\s*\[/) else { return [] }
    let list = target[label.range.upperBound...].prefix { $0 != "]" }
    let own = list.replacing(/package:\s*"[^"]*"/, with: "")
    return Set(own.matches(of: /"(\w+)"/).map { String($0.1) })
}
