import ArgumentParser
import DefinitionCompiler
import Foundation
import SourceGenerator

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Report the errors in definitions.",
        usage: """
            waggle check [<options>] <file> ...
            waggle check --explain <id>
            waggle check --list
            """,
        discussion: """
            Each diagnostic has its position, a message and a suggestion. A definition with an \
            error cannot be used; a warning points to a probable mistake; a note is about the \
            check itself.

            Each message ends with the id of the diagnostic in brackets: --explain prints its \
            page, with an example, and --allow suppresses such warnings.

              waggle check application.xml
              waggle check --warnings-as-errors --allow emptyModel apps/*/application.xml
              waggle check --format sarif application.xml > waggle.sarif
              waggle check --explain unknownRole

            The exit code is 0 if no definition has an error, 1 if one has or cannot be read, and \
            2 for wrong usage. Diagnostics go to standard output in every format.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, sarif
    }

    @Argument(
        help: ArgumentHelp("An application.xml; '-' is standard input, once.", valueName: "file"))
    var files: [String] = []

    @Option(
        help: """
            How to write what is found: text for people; json for tools; sarif, which is SARIF \
            2.1.0, for code scanners.
            """)
    var format: Format = .text

    @Option(
        help: ArgumentHelp(
            """
            Whether to colour text. auto does so on a terminal, unless its TERM is dumb or \
            NO_COLOR is set.
            """, valueName: "when"))
    var color: ColorChoice = .auto

    @Flag(help: "Treat warnings as errors.")
    var warningsAsErrors = false

    @Option(
        help: ArgumentHelp(
            "Suppress warnings and notes with this id. Can be repeated.",
            valueName: "id"))
    var allow: [String] = []

    @Option(
        help: ArgumentHelp(
            "Print the page of a diagnostic, and check nothing.",
            valueName: "id"))
    var explain: String?

    @Flag(help: "List all diagnostics, and check nothing.")
    var list = false

    @OptionGroup var limits: CompilerLimitOptions

    func run() throws {
        if explain != nil || list { return try printPages() }
        let limits = try limits.limits()
        let allowed = try allowedIds()
        try checkFileNames()
        let report = report(within: limits, allowing: allowed)
        Terminal.write(text(of: report, within: limits))
        guard report.isSound else { throw ExitCode(ToolFailure.Kind.inputAtFault.exitCode) }
    }

    private func report(
        within limits: CompilerLimits, allowing allowed: Set<String>
    ) -> CheckReport {
        var documents: [CheckReport.Document] = []
        var unreadable: [CheckReport.Unreadable] = []
        for file in files {
            do {
                let source = try Disk.document(file, within: limits)
                let compilation = compile(
                    source, within: limits, allowing: allowed, naming: Generator.namingRules)
                documents.append(
                    CheckReport.Document(
                        source: source,
                        compilation: warningsAsErrors
                            ? compilation.withWarningsAsErrors : compilation))
            } catch {
                Terminal.printMessage(error.text)
                unreadable.append(CheckReport.Unreadable(name: file, message: error.message))
            }
        }
        return CheckReport(documents: documents, unreadable: unreadable)
    }

    private func text(of report: CheckReport, within limits: CompilerLimits) -> String {
        switch format {
        case .text:
            let style = color.style(on: .standardOutput)
            let text = renderForPeople(report, within: limits, style: style)
            let diagnostics = report.diagnostics
            return diagnostics.isEmpty ? text : text + explanationHint(about: diagnostics) + "\n"
        case .json: return renderAsJSON(report)
        case .sarif: return renderAsSARIF(report, version: RootCommand.configuration.version)
        }
    }
}

// MARK: - Usage

extension CheckCommand {
    private func checkFileNames() throws(ToolFailure) {
        guard !files.isEmpty else {
            throw ToolFailure(
                .wrongUsage, "no file is named", help: "name an application.xml to check")
        }
        guard files.count(where: { $0 == "-" }) < 2 else {
            throw ToolFailure(
                .wrongUsage, "'-' is given twice", help: "standard input can be read only once")
        }
    }

    private func allowedIds() throws(ToolFailure) -> Set<String> {
        for id in allow where try page(id).severity == .error {
            throw ToolFailure(
                .wrongUsage, "'\(id)' is an error, and no error can be allowed",
                help: "correct it; 'waggle check --explain \(id)' says how")
        }
        return Set(allow)
    }

    private func printPages() throws(ToolFailure) {
        guard files.isEmpty, explain == nil || !list, format == .text else {
            throw ToolFailure(
                .wrongUsage, "'--explain' and '--list' check nothing and print text",
                help: "give one of them, without a file or a format")
        }
        let style = color.style(on: .standardOutput)
        if let explain {
            Terminal.write(renderForPeople(try page(explain), style: style))
        } else {
            Terminal.write(renderForPeople(DiagnosticPage.all, style: style))
        }
    }

    private func page(_ id: String) throws(ToolFailure) -> DiagnosticPage {
        if let page = explanation(of: id) { return page }
        throw ToolFailure(
            .wrongUsage, "no kind of problem has the id '\(id)'",
            help: nearestDiagnostic(to: id).map { "did you mean '\($0)'?" }
                ?? "'waggle check --list' shows them all")
    }
}
