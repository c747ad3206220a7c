import Testing

/// Examples that each ban must find and must ignore, so that a ban without effect is noticed.
@Suite struct BanTests {
    struct Case: Sendable {
        let bad: [String]
        let good: [String]
    }

    static let cases: [String: Case] = [
        "try!": Case(
            bad: ["let size = try! measure()", #""\(try! name())""#],
            good: ["let size = try measure()", "// try! it", #""never try! this""#]),
        "as!": Case(
            bad: ["let text = value as! String"],
            good: ["let text = value as? String", "if alias != name {"]),
        "force unwrap": Case(
            bad: [
                "names.first!", "let file = files[path]!", "find(name)!.value", "var window: View!",
                #""\(name!)""#, "list<Int>!",
            ],
            good: [
                "if name != other {", "guard !isEmpty else {", #""done!""#, "return !(a || b)",
                "try! measure()", "value as! String", "a!=b", "/* well! */",
            ]),
        "fatal error": Case(
            bad: [
                "fatalError()", #"preconditionFailure("never")"#, "assert(count > 0)",
                "precondition(isOpen)",
            ],
            good: ["func failFatally()", "SyncError.fatal", "let assertions = 3"]),
        "row subscript": Case(
            bad: [
                #"let guid: String = row["guid"]"#, "row[0]", #"rows.map { $0["guid"] }"#,
                #"let last = lastRow["guid"]"#,
            ],
            good: [#"try row.decode(Int.self, forColumn: "revision")"#, "rows[0]", "$0[index]"]),
        "unchecked Sendable": Case(
            bad: ["final class Cache: @unchecked Sendable {"],
            good: ["struct Cache: Sendable {"]),
        "nonisolated(unsafe)": Case(
            bad: ["nonisolated(unsafe) static var count = 0"],
            good: ["nonisolated func count() -> Int {"]),
        "detached task": Case(
            bad: ["Task.detached { await work() }"],
            good: ["group.addTask { await work() }"]),
        "global var": Case(
            bad: [
                "var count = 0", "private var names: [String] = []",
                "    static var shared = Cache()",
                "package var level: Level",
            ],
            good: [
                "let count = 0", "    var count = 0", "private var count: Int { 3 }",
                "    static var all: [Ban] {", "    package static let count = 0",
            ]),
        "clock": Case(
            bad: [
                "let start = Date()", "let start = Date.now", "f(at: .now)",
                "let start: Date = .now",
                "ContinuousClock.now", "let clock = SuspendingClock()",
            ],
            good: ["request.now", "now: Date", "Date(timeIntervalSince1970: 0)", "it.now + 1"]),
        "random": Case(
            bad: [
                "let guid = UUID()", "Int.random(in: 0..<3)", "names.randomElement()",
                "names.shuffled()", "SystemRandomNumberGenerator()",
            ],
            good: ["UUID(uuidString: text)", "let randomness = 3", "isShuffled"]),
        "environment": Case(
            bad: [
                "ProcessInfo.processInfo.environment", "CommandLine.arguments", "getenv(name)",
            ],
            good: ["let environment = request.environment", "process(line)"]),
        "disk or network": Case(
            bad: [
                "FileManager.default", "try Data(contentsOf: url)", "String(contentsOfFile: path)",
                "URLSession.shared", "FileHandle.standardError",
            ],
            good: ["Data(bytes)", "String(decoding: bytes, as: UTF8.self)", "let contents = 3"]),
        "sleep": Case(
            bad: ["try await Task.sleep(for: .seconds(1))", "usleep(100)", "sleep(1)"],
            good: ["isAsleep()", "let sleeper = 3"]),
        "search plan or adaptation": Case(
            bad: [
                "func walk(_ plan: SearchPlan) {", "let lists: Narrowing",
                "func carryOut(_ changes: Adaptation)", "try carryOut(version.adaptation)",
            ],
            good: [
                "try version.adaptRecords(in: deployment)", "body: (any SearchTransaction) -> Int",
                "// as a SearchPlan wants it",
            ]),
        "Foundation's UUID": Case(
            bad: ["let guid = UUID()", "UUID().uuidString"],
            good: ["UUID(uuidString: text)", "freshGuid()"]),
        "bytes of texts": Case(
            bad: ["left.utf8.elementsEqual(right.utf8)", "$0.name.utf8.elementsEqual(name.utf8)"],
            good: [
                "left.hasSameBytes(as: right)", "bytes.elementsEqual(text.utf8)",
                "a.utf8.elementsEqual(b.utf8) { $0 | 32 == $1 | 32 }",
            ]),
        "print": Case(
            bad: [#"print("here")"#, "    dump(value)", "debugPrint(value)"],
            good: ["printer.print(value)", "func print(_ value: Int)", "fingerprint(value)"]),
        "vague type name": Case(
            bad: [
                "struct UserManager {", "enum StringUtils {", "final class StoreImpl: Store {",
                "typealias RecordInfo = Int", "protocol Base {", "struct JSONHelper {",
            ],
            good: ["struct Database {", "struct Metadata {", "let userInfo = 3", "enum Managed {"]),
    ]

    @Test func everyBanIsTried() {
        #expect(Ban.all.map(\.name).sorted() == Self.cases.keys.sorted())
    }

    @Test(arguments: Ban.all)
    func banFindsItsExamples(ban: Ban) throws {
        let examples = try #require(Self.cases[ban.name])
        for bad in examples.bad {
            let findings = try ban.violations(in: SourceText(path: "a.swift", "\n\(bad)\n"))
            #expect(findings.map(\.line) == [2], "\(bad)")
        }
        for good in examples.good {
            let findings = try ban.violations(in: SourceText(path: "a.swift", "\n\(good)\n"))
            #expect(findings == [], "\(good)")
        }
    }

    @Test func findingNamesItsLocationAndRemedy() throws {
        let text = SourceText(path: "Sources/Records/a.swift", "let a = 1\n\nlet b = try! f()\n")
        let findings = try Ban.all.flatMap { try $0.findings(in: [text]) }
        #expect(
            findings.map(\.description) == [
                "Sources/Records/a.swift:3: try!: let the error be thrown, or handle it"
            ])
    }

    @Test func banHoldsInItsModulesOnly() throws {
        let inRules = SourceText(path: "Sources/ChangeRules/a.swift", "let now = Date()")
        let inServer = SourceText(path: "Sources/SyncServer/a.swift", "let now = Date()")
        let clock = try #require(Ban.all.first { $0.name == "clock" })
        #expect(try clock.findings(in: [inRules, inServer]).map(\.path) == [inRules.path])
    }

    @Test func exceptionThatIsNotNeededIsFound() throws {
        let text = SourceText(path: "Sources/Records/a.swift", "let text = value as! String")
        var ban = try #require(Ban.all.first { $0.name == "as!" })
        ban.exceptions = [text.path: "a bridged type"]
        #expect(try ban.findings(in: [text]) == [])
        let mended = SourceText(path: text.path, "let text = value as? String")
        #expect(try ban.findings(in: [mended]).count == 1)
    }

    @Test func sleepingTestIsFound() throws {
        let text = SourceText(
            path: "Tests/RecordsTests/a.swift", "try await Task.sleep(for: .seconds(1))")
        #expect(try Ban.sleepInTests.findings(in: [text]).count == 1)
    }
}
