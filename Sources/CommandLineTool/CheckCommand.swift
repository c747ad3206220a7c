import ArgumentParser
import DefinitionCompiler
import DefinitionModel
import SyncProtocol

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say everything that is wrong with definitions.",
        discussion: """
            Every problem comes with its line and column, what was found, and what to do. The \
            exit code is 1 when any definition has an error.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @Argument(help: ArgumentHelp("An application.xml; '-' is standard input.", valueName: "file"))
    var files: [String]

    @Option(help: "How to write what is found: text for people, json for tools.")
    var format: Format = .text

    func run() throws {
        var reports: [Report] = []
        var unreadable = false
        for file in files {
            do {
                let source = try Disk.document(file)
                reports.append(Report(source: source, compilation: compile(source)))
            } catch {
                Terminal.tell(error.text)
                unreadable = true
            }
        }
        switch format {
        case .text:
            for report in reports {
                Terminal.write(renderForPeople(report.compilation, of: report.source))
            }
        case .json: Terminal.write(renderAsJSON(reports.map { ($0.source, $0.compilation) }))
        }
        if unreadable || reports.contains(where: { $0.compilation.definition == nil }) {
            throw ExitCode(ToolFailure.Kind.inputAtFault.exitCode)
        }
    }

    private struct Report {
        let source: SourceFile
        let compilation: Compilation
    }
}

struct CompileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compile",
        abstract: "Write a checked definition as canonical JSON.",
        discussion: """
            The JSON holds everything the definition says, defaults filled in, and its digest. \
            The same document gives the same bytes every time.
            """)

    @Argument(help: ArgumentHelp("An application.xml; '-' is standard input.", valueName: "file"))
    var file: String

    @Option(name: .shortAndLong, help: "Where to write it; '-' is standard output.")
    var output = "-"

    func run() throws {
        let definition = try DefinitionFile(file).definition
        let json = try CompiledDefinition(definition).canonicalJSON()
        try Disk.write(String(decoding: json, as: UTF8.self), to: output)
        if output != "-" { Terminal.tell("wrote \(output), digest \(definition.digest)") }
    }
}
