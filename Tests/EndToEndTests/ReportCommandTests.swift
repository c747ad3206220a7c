import Foundation
import TestKit
import Testing

/// The output and the exit codes of `rights`, `explain`, `diagram` and `diff`.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ReportCommandTests {
    private let folder: TemporaryFolder
    private let film: String

    init() throws {
        folder = try TemporaryFolder()
        film = try folder.write(try definition("Permissions"), to: "film.xml")
    }

    private func run(_ arguments: String..., input: String = "") async throws -> Finished {
        try await Tool.run(arguments, input: input, in: folder)
    }

    private func explain(_ arguments: String...) async throws -> Finished {
        try await Tool.run(
            ["explain", film, "--model", "PermissionsEntity"] + arguments, in: folder)
    }

    @Test(arguments: [
        ["rights", "--format", "text"], ["rights", "--format", "json"],
        ["rights", "--format", "html"], ["diagram", "--format", "svg"],
        ["diagram", "--format", "mermaid"],
    ])
    func fileAndStandardOutputGetTheSameReport(words: [String]) async throws {
        let printed = try await Tool.run([words[0], film] + words.dropFirst(), in: folder)
        #expect(printed.exitCode == 0 && printed.errors == "")
        #expect(printed.output.contains("PermissionsEntity"))
        #expect(!printed.output.contains("\u{1B}"), "a pipe gets no colours")
        let written = try await Tool.run(
            [words[0], "-", "-o", "out/report"] + words.dropFirst(),
            input: try definition("Permissions"), in: folder)
        #expect(written.exitCode == 0 && written.output == "" && written.errors == "")
        #expect(try folder.text(of: "out/report") == printed.output)
    }

    @Test func jsonIsJSON() async throws {
        let rights = try await run("rights", film, "--format", "json")
        _ = try JSONSerialization.jsonObject(with: Data(rights.output.utf8))
        let answer = try await explain(
            "--role", "users-mobile", "--operation", "delete", "--owner", "self", "--format",
            "json")
        let object = try JSONSerialization.jsonObject(with: Data(answer.output.utf8))
        #expect((object as? [String: Any])?["allowed"] as? Bool == true)
    }

    @Test(arguments: [("self", "yes", 0, 1), ("group", "no", 1, 0), ("other", "no", 1, 0)])
    func answerNamesItsLine(owner: String, answer: String, onNo: Int32, onYes: Int32) async throws {
        let question = [
            "--role", "users-mobile", "--field", "director", "--operation", "read", "--owner",
            owner,
        ]
        let base = ["explain", film, "--model", "PermissionsEntity"] + question
        let finished = try await Tool.run(base, in: folder)
        #expect(finished.exitCode == 0 && finished.errors == "")
        #expect(finished.output.hasPrefix("\(answer): the role 'users-mobile' may 'read' "))
        #expect(finished.output.contains("\(film):30:13: note: "))
        #expect(finished.output.contains(#"<credential role="users-mobile" createAllowed="OWN""#))
        for (failOn, code) in [("no", onNo), ("yes", onYes), ("never", 0)] {
            let finished = try await Tool.run(base + ["--fail-on", failOn], in: folder)
            #expect(finished.exitCode == code && finished.output.hasPrefix("\(answer): "))
        }
    }

    @Test(arguments: [
        (["--role", "users-mobil"], "the definition has no role 'users-mobil'", "users-mobile"),
        (["--model", "Permission"], "the definition has no model 'Permission'", "there are"),
        (
            ["--field", "directr"], "the model 'PermissionsEntity' has no field 'directr'",
            "director"
        ),
    ])
    func unknownNameIsAnsweredWithKnownOne(
        change: [String], message: String, help: String
    ) async throws {
        let base = ["--role", "users-mobile", "--model", "PermissionsEntity", "--field", "title"]
        let index = try #require(base.firstIndex(of: change[0]))
        var words = base
        words.replaceSubrange(index...(index + 1), with: change)
        let finished = try await Tool.run(
            ["explain", film, "--operation", "read", "--owner", "self"] + words, in: folder)
        #expect(finished.exitCode == 1 && finished.output == "")
        #expect(finished.errors.contains("error: \(message)\nhelp: "))
        #expect(finished.errors.contains("'\(help)") || finished.errors.contains(help))
    }

    @Test(arguments: [
        ["--operation", "read"], ["--operation", "create", "--owner", "other"],
        ["--operation", "delete", "--owner", "self", "--field", "title"],
        ["--operation", "resolve", "--owner", "self", "--field", "title"],
        ["--operation", "destroy", "--owner", "self"], ["--operation", "read", "--owner", "me"],
        ["--owner", "self"],
    ])
    func questionThatMakesNoSenseIsWrongUsage(words: [String]) async throws {
        let finished = try await Tool.run(
            ["explain", film, "--role", "users-mobile", "--model", "PermissionsEntity"] + words,
            in: folder)
        #expect(finished.exitCode == 2 && finished.output == "", "\(finished.errors)")
        #expect(finished.errors.contains("Error: "))
    }

    @Test func creationNeedsNoOwner() async throws {
        let finished = try await explain("--role", "users-mobile", "--operation", "create")
        #expect(finished.exitCode == 0 && finished.output.hasPrefix("yes: "))
    }

    // MARK: - diff

    /// No change, a description, a required field with a default, and a removed right.
    static let weights: [(change: [String], weight: String?)] = [
        ([], nil),
        (
            [#"name="PermissionsEntity""#, #"name="PermissionsEntity" w:description="Films.""#],
            "safe"
        ),
        (
            [
                "</fields>",
                #"<field name="n" type="TEXT" required="true" defaultValue=""/></fields>"#,
            ],
            "needs-default"
        ),
        ([#"deleteAllowed="ALL""#, #"deleteAllowed="OWN""#], "breaking"),
    ]

    @Test(arguments: weights)
    func exitCodeIsThatOfOption(change: [String], weight: String?) async throws {
        var text = try definition("Permissions").changing(
            "<application ", to: #"<application xmlns:w="urn:waggle:definition" "#)
        if let from = change.first, let to = change.last { text = try text.changing(from, to: to) }
        try folder.write(text, to: "new.xml")
        let order = ["safe", "needs-default", "breaking"]
        let rank = weight.flatMap(order.firstIndex) ?? -1
        for (limit, name) in order.enumerated() {
            let finished = try await run("diff", film, "new.xml", "--fail-on", name)
            #expect(finished.exitCode == (rank >= limit ? 1 : 0), "\(finished.output)")
        }
        let finished = try await run("diff", film, "new.xml")
        #expect(finished.exitCode == 0)
        #expect((finished.output == "no differences\n") == (weight == nil))
    }

    @Test func oldOneMayComeFromStandardInput() async throws {
        let new = try definition("Permissions").changing(#"readAllowed="OWN""#, to: "")
        try folder.write(new, to: "new.xml")
        let old = try definition("Permissions")
        let finished = try await run("diff", "-", "new.xml", "--format", "json", input: old)
        #expect(finished.exitCode == 0)
        let object = try JSONSerialization.jsonObject(with: Data(finished.output.utf8))
        let rights = (object as? [String: Any])?["rights"] as? [[String: Any]]
        let message = rights?.first?["message"] as? String
        #expect(message?.hasPrefix("'users-mobile' may no longer read 'director' of ") == true)
        #expect(finished.output.contains(#""file": "standard input""#))
    }

    @Test func standardInputCannotBeBoth() async throws {
        let finished = try await run("diff", "-", "-")
        #expect(finished.exitCode == 2 && finished.output == "")
    }

    @Test func badDefinitionHasNoDifferences() async throws {
        try folder.write("<application/>", to: "bad.xml")
        for files in [[film, "bad.xml"], ["bad.xml", film], [film, "missing.xml"]] {
            let finished = try await Tool.run(["diff"] + files, in: folder)
            #expect(finished.exitCode == 1 && finished.output == "" && finished.errors != "")
        }
    }

    /// A definition can be compared with an older, faulty one.
    @Test func oldOneMayHaveRightsThatMakeNoSense() async throws {
        let path =
            "Tests/DefinitionCompilerTests/Fixtures/rights-required-never-writable/application.xml"
        let old = String(decoding: try bytes(ofFile: path), as: UTF8.self)
        try folder.write(old, to: "old.xml")
        let mended = try await run("diff", "old.xml", film)
        #expect(mended.exitCode == 0 && mended.errors == "", "\(mended.errors)")
        #expect(mended.output.contains("is gone"))
        let spoilt = try await run("diff", film, "old.xml")
        #expect(spoilt.exitCode == 1 && spoilt.errors.contains("requiredNeverWritable"))
    }
}
