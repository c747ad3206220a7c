import Foundation
import SyncProtocol
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct CommandLineTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: [
        "", "check", "compile", "rights", "explain", "diagram", "diff", "generate", "new",
        "import-schema",
        "simulate", "deploy", "serve",
        "user", "user add", "user list",
        "user set-password", "user set-group", "user remove",
    ])
    func everyCommandExplainsItself(command: String) async throws {
        let words = command.split(separator: " ").map(String.init)
        let finished = try await Tool.run(words + ["--help"], in: folder)
        #expect(finished.exitCode == 0 && finished.errors == "")
        #expect(finished.output.contains("OVERVIEW: ") && finished.output.contains("USAGE: "))
        #expect(finished.output.contains((["waggle"] + words).joined(separator: " ")))
    }

    @Test(arguments: [
        ["frobnicate"], ["check"], ["check", "--format", "xml", "a.xml"], ["compile", "a", "b"],
        ["generate", "a.xml"], ["generate", "a.xml", "--output", "o", "--language", "cobol"],
        ["generate", "a.xml", "--output", "o", "--prefix", "1"],
        ["serve", "--environment", "a"], ["serve", "a.xml", "--port"], ["user", "add"],
        ["user", "add", "a"],
        ["new"], ["new", "Notes"], ["new", "Notes", "--definition"],
        ["user", "rename", "a"], ["user", "add", "a", "--group", "users"],
    ])
    func wrongUsageIsReportedOnStandardError(arguments: [String]) async throws {
        try folder.write(try definition("Conflicts"), to: "a.xml")
        let finished = try await Tool.run(arguments, in: folder)
        #expect(finished.exitCode == 2, "\(finished.errors)")
        #expect(finished.output == "" && finished.errors != "")
        #expect(try folder.files().keys.sorted() == ["a.xml"])
    }

    // MARK: - check

    @Test func soundDefinitionPasses() async throws {
        let good = try folder.write(try definition("FieldService"), to: "good.xml")
        let finished = try await Tool.run(["check", good], in: folder)
        #expect(finished.exitCode == 0, "\(finished.output)")
        #expect(!finished.output.contains("error"))
    }

    @Test func diagnosticsHaveLocationAndHelp() async throws {
        let text = try definition("Conflicts").changing(#"type="TEXT""#, to: #"type="TXT""#)
        let bad = try folder.write(text, to: "bad.xml")
        let good = try folder.write(try definition("Permissions"), to: "good.xml")
        for files in [[bad], [good, bad], [bad, good]] {
            let finished = try await Tool.run(["check"] + files, in: folder)
            #expect(finished.exitCode == 1)
            #expect(finished.output.contains("\(bad):22:") && finished.output.contains("'TXT'"))
            #expect(finished.output.contains("'TEXT'"), "the help names what was meant")
        }
        let piped = try await Tool.run(["check", "-"], input: text, in: folder)
        #expect(piped.exitCode == 1 && piped.output.contains("standard input:22:"))
    }

    /// Reported by `check`, before code is generated. With a prefix, the names differ.
    @Test func changedTypeNameIsReported() async throws {
        let text = try definition("Conflicts")
            .changing("\"ConflictsEntity\"", to: "\"date\"")
        let file = try folder.write(text, to: "date.xml")
        let told = "in Swift the type of 'date' is called 'DateModel'"
        let checked = try await Tool.run(["check", file], in: folder)
        #expect(checked.exitCode == 0 && checked.output.contains(told), "\(checked.output)")
        let plain = try await Tool.run(["generate", file, "--output", "a"], in: folder)
        #expect(plain.exitCode == 0 && plain.errors.contains(told), "\(plain.errors)")
        #expect(try folder.files()["a/DateModel.swift"] != nil)
        let prefixed = try await Tool.run(
            ["generate", file, "--prefix", "MMD", "--output", "b"], in: folder)
        #expect(prefixed.exitCode == 0 && !prefixed.errors.contains("warning"))
        #expect(try folder.files()["b/MMDDate.swift"] != nil)
    }

    @Test func unreadableFileIsReportedByName() async throws {
        for command in ["check", "compile", "rights", "diagram", "deploy", "serve"] {
            for name in ["missing.xml", "."] {
                let finished = try await Tool.run([command, name], in: folder)
                #expect(finished.exitCode == 1, "\(command) \(name): \(finished.errors)")
                #expect(finished.errors.contains("error: '\(name)' cannot be read"))
                #expect(finished.errors.contains("\nhelp: "))
                #expect(finished.output == "")
            }
        }
        #expect(try folder.files().isEmpty)
    }

    @Test func toolsGetDiagnosticsOfEveryFileAsJSON() async throws {
        let bad = try folder.write(
            try definition("Conflicts").changing(#"type="TEXT""#, to: #"type="TXT""#),
            to: "bad.xml")
        let good = try folder.write(try definition("Permissions"), to: "good.xml")
        for (files, exitCode) in [([good], Int32(0)), ([bad], 1), ([good, bad], 1)] {
            let finished = try await Tool.run(
                ["check", "--format", "json"] + files, in: folder)
            #expect(finished.exitCode == exitCode && finished.errors == "")
            _ = try JSONSerialization.jsonObject(with: Data(finished.output.utf8))
            #expect(finished.output.contains("TXT") == files.contains(bad), "\(files.count) files")
        }
    }

    // MARK: - compile

    @Test func compilingTwiceGivesTheSameBytes() async throws {
        for name in ["Conflicts", "Permissions", "FieldService", "Todo", "Dates"] {
            let file = try folder.write(try definition(name), to: "\(name).xml")
            let first = try await Tool.run(["compile", file], in: folder)
            let second = try await Tool.run(
                ["compile", "-"], input: definition(name), in: folder)
            #expect(first.exitCode == 0 && !first.errors.contains("error:"))
            #expect(first.output == second.output)
            #expect(try CompiledDefinition(json: Array(first.output.utf8)).digest.count == 64)

            let written = try await Tool.run(
                ["compile", file, "--output", "out/\(name).json"], in: folder)
            #expect(written.exitCode == 0 && written.output == "")
            #expect(try folder.text(of: "out/\(name).json") == first.output)
        }
    }

    @Test func badDefinitionIsNotCompiledAndLeavesNoFile() async throws {
        let bad = try folder.write(
            try definition("Conflicts").changing("</models>", to: ""), to: "bad.xml")
        let finished = try await Tool.run(["compile", bad, "-o", "out.json"], in: folder)
        #expect(finished.exitCode == 1 && finished.output == "")
        #expect(finished.errors.contains("\(bad):"))
        #expect(try folder.files().keys.sorted() == ["bad.xml"])
    }

    @Test func unwritableOutputHasItsOwnExitCode() async throws {
        let file = try folder.write(try definition("Conflicts"), to: "a.xml")
        for path in ["a.xml/out.json", "/proc/out.json"] {
            let finished = try await Tool.run(["compile", file, "-o", path], in: folder)
            #expect(finished.exitCode == 3, "\(finished.errors)")
            #expect(finished.errors.contains("'\(path)' cannot be written"))
        }
    }

    // MARK: - generate

    @Test func generatingAgainWritesOnlyChangedFiles() async throws {
        let text = try definition("FieldService")
        let file = try folder.write(text, to: "a.xml")
        let arguments = ["generate", file, "--prefix", "MMD", "--output", "Models"]
        let first = try await Tool.run(arguments, in: folder)
        #expect(first.exitCode == 0 && first.output == "")
        let before = try times()
        #expect(before.keys.contains("Models/MMDWorkOrder.swift"))
        #expect(first.errors.contains("\(before.count) written, 0 unchanged in Models"))

        let second = try await Tool.run(arguments, in: folder)
        #expect(second.exitCode == 0)
        #expect(second.errors.contains("0 written, \(before.count) unchanged in Models"))
        #expect(try times() == before)

        try folder.write(
            try text.changing(#"name="maxLength">120<"#, to: #"name="maxLength">121<"#),
            to: "a.xml")
        let third = try await Tool.run(arguments, in: folder)
        #expect(third.exitCode == 0)
        let changed = try times().filter { before[$0.key] != $0.value }.keys
        #expect(changed.contains("Models/MMDCustomer.swift"))
    }

    @Test func fileOfGoneModelIsNamedAndStays() async throws {
        let text = try definition("Conflicts")
        let file = try folder.write(text, to: "a.xml")
        let arguments = ["generate", file, "--output", "Models"]
        #expect(try await Tool.run(arguments, in: folder).exitCode == 0)
        try folder.write(text.replacing("ConflictsEntity", with: "Rating"), to: "a.xml")
        let again = try await Tool.run(arguments, in: folder)
        #expect(again.exitCode == 0)
        #expect(again.errors.contains("'ConflictsEntity.swift' belongs to a removed model"))
        let names = try folder.files().keys
        #expect(names.contains("Models/ConflictsEntity.swift"))
        #expect(names.contains("Models/Rating.swift"))
    }

    @Test func fileThatWasNotGeneratedIsNotWrittenOver() async throws {
        let file = try folder.write(try definition("Conflicts"), to: "a.xml")
        try FileManager.default.createDirectory(
            atPath: folder.path("Models"), withIntermediateDirectories: true)
        try folder.write("// mine\n", to: "Models/ConflictsEntity.swift")
        let finished = try await Tool.run(["generate", file, "-o", "Models"], in: folder)
        #expect(finished.exitCode == 1)
        #expect(finished.errors.contains("'ConflictsEntity.swift'"))
        let files = try folder.files()
        #expect(files.keys.sorted() == ["Models/ConflictsEntity.swift", "a.xml"])
        #expect(files["Models/ConflictsEntity.swift"] == Data("// mine\n".utf8))
    }

    @Test func anotherLanguageIsAnotherFolderOfTemplates() async throws {
        let file = try folder.write(try definition("Conflicts"), to: "a.xml")
        let finished = try await Tool.run(
            ["generate", file, "--language", "typescript", "-o", "Models"], in: folder)
        #expect(finished.exitCode == 0, "\(finished.errors)")
        #expect(
            try folder.files().keys.sorted() == [
                "Models/ConflictsEntity.ts", "Models/waggle.ts", "a.xml",
            ])
    }

    @Test func customTemplatesAreUsedAndTheirErrorsReported() async throws {
        let file = try folder.write(try definition("Conflicts"), to: "a.xml")
        let arguments = ["generate", file, "--templates", "Own", "--output", "Models"]
        try FileManager.default.createDirectory(
            atPath: folder.path("Own"), withIntermediateDirectories: true)
        try folder.write("// {{application}}\n", to: "Own/header.swift.mustache")
        try folder.write("\n{{#fields}}\n{{name}}", to: "Own/model.swift.mustache")
        let missing = try await Tool.run(arguments, in: folder)
        #expect(missing.exitCode == 1)
        #expect(missing.errors.contains("no template 'definition.swift.mustache' in 'Own'"))

        try folder.write("", to: "Own/definition.swift.mustache")
        let broken = try await Tool.run(arguments, in: folder)
        #expect(broken.exitCode == 1)
        #expect(broken.errors.contains("'model.swift.mustache' cannot be read, see line 3: "))
        #expect(!FileManager.default.fileExists(atPath: folder.path("Models")))

        try folder.write(
            "{{#fields}}{{name}},{{/fields}}\n", to: "Own/model.swift.mustache")
        let good = try await Tool.run(arguments, in: folder)
        #expect(good.exitCode == 0, "\(good.errors)")
        #expect(
            try folder.files()["Models/ConflictsEntity.swift"]
                == Data("// conflicts\n\ntitle,score,\n".utf8))
    }

    /// The modification times of the generated files.
    private func times() throws -> [String: Date] {
        let names = try folder.files().keys.filter { $0.hasPrefix("Models/") }
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                let attributes = try FileManager.default.attributesOfItem(
                    atPath: folder.path(name))
                return (name, attributes[.modificationDate] as? Date ?? .distantPast)
            })
    }
}
