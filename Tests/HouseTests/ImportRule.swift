/// The imports that a module may have: its dependencies in `Package.swift`, and these modules of
/// the Swift toolchain, of which a manifest says nothing.
enum ImportRule {
    /// The modules of the toolchain by module of ours, each with the reason. A module that is not
    /// here uses the standard library alone.
    static let platform: [String: [String: String]] = [
        "Hashing": ["CryptoKit": "SHA-256, where the system has it"],
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
        "Queues": [
            "Dispatch": "the threads of calls that block",
            "Synchronization": "the numbers of tickets, and turns",
        ],
        "NativeCalls": ["Foundation": "writes conflicts as JSON"],
        "NativeWire": ["Foundation": "errors in JSON, and Base64 of digests"],
        "SyncEngine": [
            "Foundation": "reads and writes stored values as JSON",
            "Synchronization": "cursors that were read lately",
        ],
        "RecordSearch": ["Foundation": "letters without accents and case"],
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
        "SystemFiles": ["Foundation": "the system's files and locks"],
        "FileVault": ["Foundation": "the system's files and folders"],
        "Archives": ["Foundation": "the system's files and calendar"],
        "Monitoring": [
            "Foundation": "what the system tells of the process",
            "Synchronization": "counters that every thread adds to",
        ],
        "Traces": ["Synchronization": "spans that every thread ends"],
        "Simulation": ["Synchronization": "how often a caller was asked for that has gone"],
        "HTTPCalls": [
            "Synchronization": "whether anybody still waits for an answer"
        ],
        "MailDelivery": [
            "Foundation": "Base64 and dates of mails",
            "Synchronization": "the number of mails that wait",
        ],
        "OpenIDConnect": [
            "CryptoKit": "ECDSA, where the system has it",
            "Foundation": "JSON, and Base64 of headers",
            "Security": "RSA, where the system has it",
        ],
        "Secrets": [
            "CryptoKit": "AES-GCM, where the system has it",
            "Foundation": "bytes and Base64",
        ],
        "SyncServer": [
            "Foundation": "bodies and dates of HTTP"
        ],
        "AdminWire": ["Foundation": "archives on their way, and the clock of their files"],
        "AzureWire": ["Foundation": "Base64 of versions"],
        "MobeelizerWire": ["Foundation": "JSON, and files on their way"],
        "ParseWire": [
            "Foundation": "Base64 of files and of authorizations",
            "Synchronization": "changes of passwords that are repeated",
        ],
        "Waggle": [
            "Foundation": "dates, files and HTTP of the device",
            "FoundationNetworking": "HTTP, where it is not part of Foundation",
            "Synchronization": "who is logged in, and who listens",
            "os": "the same on Apple's systems of before Synchronization",
        ],
        "CommandLineTool": [
            "Foundation": "disk, clock and terminal"
        ],
    ]

    /// Imports of what is no dependency.
    static func findings(in text: SourceText, modules: [PackageModule]) throws -> [Finding] {
        let dependencies = modules.first { $0.name == text.module }?.imports ?? []
        let platform = Set((platform[text.module] ?? [:]).keys)
        return try imports(in: text).filter {
            !dependencies.contains($0.module) && !platform.contains($0.module)
        }.map {
            let advice =
                "\(text.module) does not depend on '\($0.module)': do this in a module that does"
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
