/// Code that some modules may not contain.
struct Ban: Sendable, CustomStringConvertible {
    let name: String
    /// Matched against the code without comments and strings; `^` is the start of a line.
    let pattern: String
    let modules: ModuleSet
    /// The alternative.
    let advice: String
    /// Files that are exempt, each with the reason. An exception that is not needed is a finding.
    var exceptions: [String: String] = [:]

    var description: String { name }

    /// The places where the text breaks the ban, whatever its module.
    func violations(in text: SourceText) throws -> [Finding] {
        try text.matches(of: pattern).map { text.finding(line: $0.line, "\(name): \(advice)") }
    }

    /// The violations in the files of the modules that the ban applies to.
    func findings(in files: [SourceText]) throws -> [Finding] {
        try files.filter { modules.contains($0.module) }.flatMap { file -> [Finding] in
            let violations = try violations(in: file)
            guard exceptions[file.path] != nil else { return violations }
            return violations.isEmpty
                ? [file.finding(line: 1, "needs its exception from '\(name)' no longer: remove it")]
                : []
        }
    }
}

enum ModuleSet: Sendable {
    case all
    case allBut(Set<String>)
    case only(Set<String>)

    /// The modules without I/O: they use no disk, socket, clock, random number or environment.
    static let pure: Set<String> = [
        "DefinitionModel", "Hashing", "DefinitionCompiler", "DefinitionEditing", "SourceGenerator",
        "JSON", "SchemaImport",
        "AccessPolicy", "ChangeRules", "ForeignValues", "VersionTranslation", "DefinitionReports",
        "SyncProtocol", "Queues", "SyncEngine",
        "UserAccounts", "Administration", "RecordSearch", "FileExchange", "Notifications",
        "WholeRecordSync", "NativeCalls", "EnvironmentCopy", "MemoryStore", "Simulation",
    ]

    func contains(_ module: String) -> Bool {
        switch self {
        case .all: true
        case .allBut(let modules): !modules.contains(module)
        case .only(let modules): modules.contains(module)
        }
    }
}

extension Ban {
    /// Together with `catchAllFindings`, all bans for `Sources/`.
    static let all = traps + unsafe + hands + decisions + habits

    /// Tests wait for events, never for time to pass.
    static let sleepInTests = Ban(
        name: "sleep in tests", pattern: #"\bTask\.sleep\b|\bu?sleep\("#, modules: .all,
        advice: "wait for what happens, not for time to pass")

    /// Constructs that end the process on a wrong assumption.
    private static let traps = [
        Ban(
            name: "try!", pattern: #"\btry!"#, modules: .all,
            advice: "let the error be thrown, or handle it"),
        Ban(
            name: "as!", pattern: #"\bas!"#, modules: .all,
            advice: "use 'as?' and say what happens otherwise"),
        Ban(
            name: "force unwrap", pattern: #"(?<!\btry)(?<!\bas)(?<=[\w)\]>])!(?!=)"#,
            modules: .all,
            advice: "bind the value with 'if let' or 'guard let'"),
        Ban(
            name: "fatal error",
            pattern: #"\b(fatalError|preconditionFailure|assertionFailure|precondition|assert)\("#,
            modules: .all, advice: "return or throw what is wrong: a server must live"),
        Ban(
            name: "row subscript", pattern: #"(\brow|Row)\s*\[|\$0\s*\[\s*""#,
            modules: .only(["SQLiteStore"]),
            advice: "it ends the process on an unexpected value: use "
                + "'try row.decode(Int.self, forColumn: …)'"),
    ]

    /// Constructs that disable checks of the compiler.
    private static let unsafe = [
        Ban(
            name: "unchecked Sendable", pattern: #"@unchecked\s+Sendable"#, modules: .all,
            advice: "make it a value or an actor, or guard the state with a 'Mutex'"),
        Ban(
            name: "nonisolated(unsafe)", pattern: #"\bnonisolated\(unsafe\)"#, modules: .all,
            advice: "make it a constant, or pass it as a value"),
        Ban(
            name: "detached task", pattern: #"\bTask\.detached\b"#, modules: .all,
            advice: "use a task group, or a service of the application's group"),
        Ban(
            name: "global var",
            pattern: #"^((package|public|private|fileprivate|internal)\s+)?var\s[^{\n]*$"#
                + #"|^ +((package|public|private|fileprivate|internal)\s+)?static var\s[^{\n]*$"#,
            modules: .all, advice: "make it a 'let', or hold the state in a value that is passed"),
    ]

    /// Input that a module without I/O takes as a value.
    private static let hands = [
        Ban(
            name: "clock",
            pattern: #"\bDate\(\)|\b(Date|\w*Clock)\.now\b|[=:,(]\s*\.now\b|\b\w*Clock\(\)"#
                + #"|\bDispatchTime\b|\bclock_gettime\b|\btimeIntervalSinceNow\b"#,
            modules: .only(ModuleSet.pure), advice: "take the time as a value"),
        Ban(
            name: "random", pattern: #"\bUUID\(\)|\brandom\w*\(|\bshuffled?\(|\bSystemRandom\w*"#,
            modules: .only(ModuleSet.pure), advice: "take the id or the number as a value"),
        Ban(
            name: "environment",
            pattern: #"\b(ProcessInfo|CommandLine|getenv|setenv|Process)\b"#,
            modules: .only(ModuleSet.pure), advice: "take what is needed as a value"),
        Ban(
            name: "disk or network",
            pattern: #"\b(FileManager|FileHandle|URLSession|fopen|Data\(contentsOf|"#
                + #"String\(contentsOf\w*|contentsOfFile)\b"#,
            modules: .only(ModuleSet.pure),
            advice: "take the bytes as a value, or return a value to be written"),
        Ban(
            name: "sleep", pattern: #"\bTask\.sleep\b|\bu?sleep\("#, modules: .only(ModuleSet.pure),
            advice: "whoever calls waits; here nothing does"),
    ]

    /// Decisions that the engine makes for every store.
    private static let decisions = [
        Ban(
            name: "search plan or adaptation",
            pattern: #"\b(SearchPlan|Narrowing|[Aa]daptation)\b"#,
            modules: .only(["MemoryStore", "PostgresStore", "SQLiteStore"]),
            advice: "offer a read or a write of a batch; the engine decides which it needs")
    ]

    private static let habits = [
        Ban(
            name: "Foundation's UUID", pattern: #"\bUUID\(\)"#, modules: .all,
            advice: "it is always the same one where no file can be opened: use 'freshGuid()'"),
        Ban(
            name: "bytes of texts", pattern: #"\.utf8\s*\.elementsEqual\([^()]*\.utf8\)(?!\s*\{)"#,
            modules: .allBut(["DefinitionModel", "JSON"]),
            advice: "use 'hasSameBytes', which says what is meant and compares eight at once"),
        Ban(
            name: "print", pattern: #"(?<![.\w])(?<!func )(print|debugPrint|dump|NSLog)\("#,
            modules: .allBut(["CommandLineTool"]),
            advice: "return a value, or log in a module that has a logger"),
        Ban(
            name: "vague type name",
            pattern: #"\b(class|struct|enum|protocol|actor|typealias)\s+"#
                + #"\w*(Manager|Helpers?|Utils?|Base|Data|Info|Impl)\b"#,
            modules: .all, advice: "call it after what it is or holds"),
    ]
}
