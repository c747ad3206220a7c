import Foundation
import Testing

/// The output and the exit codes of `waggle check`.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CheckCommandTests {
    private let folder: TemporaryFolder
    private let good: String
    /// Has the error `unknownValue`.
    private let bad: String
    /// Has the warning `namesDifferInCase`.
    private let doubtful: String

    init() throws {
        folder = try TemporaryFolder()
        let text = try definition("Conflicts")
        good = "good.xml"
        bad = "bad.xml"
        doubtful = "doubtful.xml"
        try folder.write(text, to: good)
        try folder.write(try text.changing(#"type="TEXT""#, to: #"type="TXT""#), to: bad)
        try folder.write(
            try text.changing("</groups>", to: #"<group name="Users"/></groups>"#), to: doubtful)
    }

    // MARK: - Text

    private static let badText = """
        bad.xml:22:35: error: 'type' cannot be 'TXT' [unknownValue]
          22 |         <field name="title" type="TXT" required="true">
             |                                   ^^^
        help: did you mean 'TEXT'?

        """
    private static let readOn = """
        'waggle check --explain unknownValue' says more; every name in brackets has such a page

        """

    @Test func pipedTextIsPlainAndNamesExplanations() async throws {
        let finished = try await check(bad)
        #expect(finished.exitCode == 1 && finished.errors == "")
        #expect(finished.output == Self.badText + "\n1 error\n" + Self.readOn)
    }

    @Test func outputWithoutDiagnosticsHasNoHint() async throws {
        let finished = try await check(good)
        #expect(finished.exitCode == 0 && finished.errors == "")
        #expect(finished.output == "good.xml: no problems\n")
    }

    @Test func severalFilesKeepTheirOrderAndAreCountedTogether() async throws {
        let finished = try await check(good, bad, "missing.xml", doubtful, good)
        #expect(finished.exitCode == 1)
        #expect(finished.errors.contains("error: 'missing.xml' cannot be read"))
        #expect(finished.output.hasPrefix("good.xml: no problems\n" + Self.badText + "\ndoubtful"))
        #expect(
            finished.output.hasSuffix(
                "\ngood.xml: no problems\n\n5 files: 1 error, 1 warning; 1 could not be read\n"
                    + Self.readOn))
    }

    @Test(
        arguments: [
            (["good.xml", "good.xml"], 0), (["good.xml", "doubtful.xml"], 0),
            (["good.xml", "bad.xml"], 1), (["missing.xml", "good.xml"], 1), (["missing.xml"], 1),
        ] as [([String], Int32)])
    func singleBadFileFailsCheck(files: [String], exitCode: Int32) async throws {
        #expect(try await Tool.run(["check"] + files, in: folder).exitCode == exitCode)
    }

    // MARK: - Colour

    private struct Look: Sendable, CustomTestStringConvertible {
        var arguments: [String] = []
        var environment: [String: String] = [:]
        let isColoured: Bool
        var testDescription: String { "\(arguments) \(environment)" }
    }

    /// util-linux's `script` gives the tool a terminal.
    @Test(arguments: [
        Look(isColoured: true),
        Look(arguments: ["--color", "never"], isColoured: false),
        Look(environment: ["NO_COLOR": "1"], isColoured: false),
        Look(environment: ["TERM": "dumb"], isColoured: false),
        Look(
            arguments: ["--color", "always"], environment: ["NO_COLOR": "1", "TERM": "dumb"],
            isColoured: true),
    ])
    private func terminalIsColouredUnlessItIsUnwanted(look: Look) async throws {
        let finished = try await onTerminal(["check", bad] + look.arguments, look.environment)
        #expect(finished.exitCode == 1)
        #expect(finished.output.contains("\u{1B}[") == look.isColoured, "\(finished.output)")
        let plain = try await check(bad)
        let seen = finished.output.replacing("\r\n", with: "\n")
        #expect(seen.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain.output)
    }

    @Test(arguments: [("auto", false), ("never", false), ("always", true)])
    func pipeIsColouredOnlyWhenAsked(color: String, isColoured: Bool) async throws {
        for arguments in [[bad], ["--explain", "unknownRole"], ["--list"]] {
            let finished = try await Tool.run(
                ["check", "--color", color] + arguments, environment: ["TERM": "xterm"],
                in: folder)
            #expect(finished.output.contains("\u{1B}[") == isColoured, "\(arguments)")
        }
    }

    @Test func otherCommandsColourTheirDiagnosticsOnTerminal() async throws {
        let finished = try await onTerminal(["compile", bad], [:])
        #expect(finished.exitCode == 1)
        #expect(finished.output.contains("\u{1B}[1;31merror:\u{1B}[0m"))
        let piped = try await Tool.run(["compile", bad], in: folder)
        #expect(!piped.errors.contains("\u{1B}") && piped.errors.hasPrefix(Self.badText))
        #expect(piped.errors.contains("'waggle check --explain unknownValue' says more"))
    }

    private func onTerminal(
        _ arguments: [String], _ environment: [String: String]
    ) async throws -> Finished {
        let command = ([Tool.path] + arguments).map { "'\($0)'" }.joined(separator: " ")
        return try await Program(
            path: "/usr/bin/env", arguments: ["script", "-qec", command, "/dev/null"],
            environment: ["TERM": "xterm", "NO_COLOR": ""].merging(environment) { $1 },
            folder: folder
        ).run()
    }

    // MARK: - For tools

    @Test(arguments: ["json", "sarif"])
    func toolsGetOneDocumentForAllFiles(format: String) async throws {
        let finished = try await check(good, bad, "missing.xml", doubtful, "--format", format)
        #expect(finished.exitCode == 1)
        #expect(finished.errors.contains("error: 'missing.xml' cannot be read"))
        let object = try JSONSerialization.jsonObject(with: Data(finished.output.utf8))
        let log = try #require(object as? [String: Any])
        let found: [[String: Any]]
        if format == "json" {
            found = try #require(log["diagnostics"] as? [[String: Any]])
            #expect(log["files"] as? [String] == [good, bad, doubtful])
            #expect(
                (log["unreadable"] as? [[String: String]])?.map { $0["file"] } == ["missing.xml"])
            #expect(found.map { $0["id"] as? String } == ["unknownValue", "namesDifferInCase"])
        } else {
            let run = try #require((log["runs"] as? [[String: Any]])?.first)
            found = try #require(run["results"] as? [[String: Any]])
            let driver = (run["tool"] as? [String: Any])?["driver"] as? [String: Any]
            let version = try await Tool.run(["--version"], in: folder).output
            #expect((driver?["version"] as? String).map { $0 + "\n" } == version)
            #expect(found.map { $0["ruleId"] as? String } == ["unknownValue", "namesDifferInCase"])
        }
        #expect(found.count == 2)
    }

    // MARK: - Severities

    @Test(arguments: ["text", "json", "sarif"])
    func warningCanCountAsError(format: String) async throws {
        let mild = try await check(doubtful, "--format", format)
        let strict = try await check(doubtful, "--format", format, "--warnings-as-errors")
        #expect(mild.exitCode == 0 && strict.exitCode == 1)
        let words = [
            "text": ": error: the group", "json": #""severity" : "error""#,
            "sarif": #""level" : "error""#,
        ]
        let word = try #require(words[format])
        #expect(!mild.output.contains(word) && strict.output.contains(word))
        #expect(try await check(good, "--warnings-as-errors").exitCode == 0)
    }

    @Test func allowedDiagnosticsAreNotPrinted() async throws {
        let finished = try await check(
            doubtful, "--warnings-as-errors", "--allow", "namesDifferInCase", "--allow",
            "emptyModel")
        #expect(finished.exitCode == 0)
        #expect(finished.output == "doubtful.xml: no problems\n")
        #expect(
            try await check(doubtful, "--allow", "emptyModel").output
                .contains("[namesDifferInCase]"))
    }

    // MARK: - Pages

    @Test func everyKindThatIsListedIsExplained() async throws {
        let list = try await check("--list")
        #expect(list.exitCode == 0 && list.errors == "")
        let lines = list.output.matches(of: /\n {2}(\w+) +(error|warning|note) +(.+)/)
        #expect(lines.count > 40)
        for line in lines {
            let (id, severity, summary) = (line.output.1, line.output.2, line.output.3)
            let page = try await check("--explain", String(id))
            #expect(page.exitCode == 0 && page.errors == "")
            #expect(page.output.hasPrefix("\(id) (\(severity))\n\n\(summary)\n\n"))
        }
    }

    // MARK: - Limits

    /// A limit that the example exceeds, and the expected message.
    private static let limits = [
        ("--max-bytes", "1500", "documentTooLarge"), ("--max-depth", "6", "tooDeep"),
        ("--max-elements", "19", "tooManyElements"),
        ("--max-attributes", "3", "tooManyAttributes"),
    ]

    @Test(arguments: limits)
    func limitsAreOptionsOfEveryCommandThatReadsDefinition(
        option: String, value: String, id: String
    ) async throws {
        let commands = [
            ["check", good], ["compile", good], ["generate", good, "--output", "Models"],
            ["deploy", good, "--database", "a.sqlite"],
            ["serve", good, "--database", "a.sqlite", "--port", "0"],
        ]
        for command in commands {
            let finished = try await Tool.run(command + [option, value], in: folder)
            #expect(finished.exitCode == 1, "\(command)")
            let text = finished.output + finished.errors
            #expect(text.contains("[\(id)]"), "\(command): \(text)")
            #expect(text.contains("'\(option.dropFirst(2))' of \(value)"), "\(text)")
            let refused = try await Tool.run(command + [option, "0"], in: folder)
            #expect(refused.exitCode == 2 && refused.output == "")
            #expect(refused.errors.hasPrefix("error: '\(option)' is 0\nhelp: give a number from 1"))
        }
        #expect(try folder.files().keys.sorted() == [bad, doubtful, good].sorted())
    }

    @Test func onlySoManyProblemsAreShown() async throws {
        let text = try definition("Conflicts").replacing("type=", with: "typ=")
        try folder.write(text, to: "worse.xml")
        let finished = try await check("worse.xml", "--max-diagnostics", "2")
        #expect(finished.output.contains("\n2 errors, 1 note\n"))
        #expect(finished.output.contains("note: there are 2 more problems"))
    }

    // MARK: - Usage

    @Test(arguments: [
        ([], "no file is named", "help: name an application.xml"),
        (["-", "good.xml", "-"], "'-' is given twice", "help: standard input"),
        (["good.xml", "--allow", "unknownRole"], "'unknownRole' is an error", "--explain"),
        (
            ["good.xml", "--allow", "emptyModle"], "no kind of problem has the id 'emptyModle'",
            "did you mean 'emptyModel'?"
        ),
        (["--explain", "unknwnRole"], "has the id 'unknwnRole'", "did you mean 'unknownRole'?"),
        (["--explain", "E0308"], "has the id 'E0308'", "'waggle check --list' shows them all"),
        (["--explain", "unknownRole", "good.xml"], "check nothing", "help: give one of them"),
        (["--explain", "unknownRole", "--list"], "check nothing", "help: give one of them"),
        (["--list", "--format", "json"], "check nothing", "help: give one of them"),
        (["good.xml", "--max-depth", "257"], "'--max-depth' is 257", "from 1 to 256"),
        (["good.xml", "--max-bytes", "lots"], "--max-bytes", "lots"),
        (["good.xml", "--color", "sometimes"], "sometimes", "auto"),
    ])
    func wrongUsageIsExplained(arguments: [String], found: String, help: String) async throws {
        let finished = try await Tool.run(["check"] + arguments, in: folder)
        #expect(finished.exitCode == 2 && finished.output == "")
        #expect(finished.errors.contains(found), "\(finished.errors)")
        #expect(finished.errors.contains(help), "\(finished.errors)")
    }

    private func check(_ arguments: String...) async throws -> Finished {
        try await Tool.run(["check"] + arguments, in: folder)
    }
}
