/// Something that may not be written in some rooms.
struct Ban: Sendable, CustomStringConvertible {
    let name: String
    /// Searched for in the code without comments and strings; `^` is the start of a line.
    let pattern: String
    let rooms: Rooms
    /// What to do instead.
    let advice: String
    /// Files that may, each with the reason. One that no longer needs it is a finding.
    var exceptions: [String: String] = [:]

    var description: String { name }

    /// Where the text breaks the ban, whatever room it is in.
    func violations(in text: SourceText) throws -> [Finding] {
        try text.matches(of: pattern).map { text.finding(line: $0.line, "\(name): \(advice)") }
    }

    /// What is to be done in the files that the ban is for.
    func findings(in files: [SourceText]) throws -> [Finding] {
        try files.filter { rooms.contain($0.room) }.flatMap { file -> [Finding] in
            let violations = try violations(in: file)
            guard exceptions[file.path] != nil else { return violations }
            return violations.isEmpty
                ? [file.finding(line: 1, "needs its exception from '\(name)' no longer: remove it")]
                : []
        }
    }
}

enum Rooms: Sendable {
    case all
    case allBut(Set<String>)
    case only(Set<String>)

    /// No disk, socket, clock, random number or environment is in them.
    static let thinking = Rooms.only([
        "DefinitionModel", "DefinitionCompiler", "SourceGenerator", "Records", "AccessPolicy",
        "DefinitionReports", "SyncProtocol", "SyncEngine", "MemoryStore", "Simulation",
    ])

    func contain(_ room: String) -> Bool {
        switch self {
        case .all: true
        case .allBut(let rooms): !rooms.contains(room)
        case .only(let rooms): rooms.contains(room)
        }
    }
}

extension Ban {
    /// Together with `catchAllFindings`, everything that is banned from `Sources/`.
    static let all = traps + unsafe + hands + habits

    /// What no test needs, since nothing in the house waits for time alone.
    static let sleepInTests = Ban(
        name: "sleep in tests", pattern: #"\bTask\.sleep\b|\bu?sleep\("#, rooms: .all,
        advice: "wait for what happens, not for time to pass")

    /// What ends the process when a belief turns out wrong.
    private static let traps = [
        Ban(
            name: "try!", pattern: #"\btry!"#, rooms: .all,
            advice: "let the error be thrown, or handle it"),
        Ban(
            name: "as!", pattern: #"\bas!"#, rooms: .all,
            advice: "use 'as?' and say what happens otherwise"),
        Ban(
            name: "force unwrap", pattern: #"(?<!\btry)(?<!\bas)(?<=[\w)\]>])!(?!=)"#, rooms: .all,
            advice: "bind the value with 'if let' or 'guard let'"),
        Ban(
            name: "fatal error",
            pattern: #"\b(fatalError|preconditionFailure|assertionFailure|precondition|assert)\("#,
            rooms: .all, advice: "return or throw what is wrong: a server must live"),
        Ban(
            name: "row subscript", pattern: #"(\brow|Row)\s*\[|\$0\s*\[\s*""#,
            rooms: .only(["SQLiteStore"]),
            advice: "it ends the process on an unexpected value: use "
                + "'try row.decode(Int.self, forColumn: …)'"),
    ]

    /// What the compiler can no longer vouch for.
    private static let unsafe = [
        Ban(
            name: "unchecked Sendable", pattern: #"@unchecked\s+Sendable"#, rooms: .all,
            advice: "make it a value or an actor, or guard the state with a 'Mutex'"),
        Ban(
            name: "nonisolated(unsafe)", pattern: #"\bnonisolated\(unsafe\)"#, rooms: .all,
            advice: "make it a constant, or pass it as a value"),
        Ban(
            name: "detached task", pattern: #"\bTask\.detached\b"#, rooms: .all,
            advice: "use a task group, or a service of the application's group"),
        Ban(
            name: "global var",
            pattern: #"^((package|public|private|fileprivate|internal)\s+)?var\s[^{\n]*$"#
                + #"|^ +((package|public|private|fileprivate|internal)\s+)?static var\s[^{\n]*$"#,
            rooms: .all, advice: "make it a 'let', or hold the state in a value that is passed"),
    ]

    /// What a thinking room must be given instead of fetching.
    private static let hands = [
        Ban(
            name: "clock",
            pattern: #"\bDate\(\)|\b(Date|\w*Clock)\.now\b|[=:,(]\s*\.now\b|\b\w*Clock\(\)"#
                + #"|\bDispatchTime\b|\bclock_gettime\b|\btimeIntervalSinceNow\b"#,
            rooms: .thinking, advice: "take the time as a value"),
        Ban(
            name: "random", pattern: #"\bUUID\(\)|\brandom\w*\(|\bshuffled?\(|\bSystemRandom\w*"#,
            rooms: .thinking, advice: "take the id or the number as a value"),
        Ban(
            name: "environment",
            pattern: #"\b(ProcessInfo|CommandLine|getenv|setenv|Process)\b"#,
            rooms: .thinking, advice: "take what is needed as a value"),
        Ban(
            name: "disk or network",
            pattern: #"\b(FileManager|FileHandle|URLSession|fopen|Data\(contentsOf|"#
                + #"String\(contentsOf\w*|contentsOfFile)\b"#,
            rooms: .thinking, advice: "take the bytes as a value, or return a value to be written"),
        Ban(
            name: "sleep", pattern: #"\bTask\.sleep\b|\bu?sleep\("#, rooms: .thinking,
            advice: "whoever calls waits; here nothing does"),
    ]

    private static let habits = [
        Ban(
            name: "Foundation's UUID", pattern: #"\bUUID\(\)"#, rooms: .all,
            advice: "it is always the same one where no file can be opened: use 'freshGuid()'"),
        Ban(
            name: "print", pattern: #"(?<![.\w])(?<!func )(print|debugPrint|dump|NSLog)\("#,
            rooms: .allBut(["CommandLineTool"]),
            advice: "return a value, or log in the room that has a logger"),
        Ban(
            name: "vague type name",
            pattern: #"\b(class|struct|enum|protocol|actor|typealias)\s+"#
                + #"\w*(Manager|Helpers?|Utils?|Base|Data|Info|Impl)\b"#,
            rooms: .all, advice: "call it after what it is or holds"),
    ]
}
