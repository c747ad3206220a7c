import ArgumentParser
import DefinitionCompiler
import DefinitionModel
import DefinitionReports

struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "List the differences between two definitions, and what they break.",
        discussion: """
            Each difference is safe, needs a default, or is breaking, for stored records and for \
            clients of the old definition, with the reason. Differences include gained and lost \
            rights. A model or field with an earlier name in 'renamedFrom' counts as renamed.

            The exit code is 0; with --fail-on it is 1 if there is a difference of that weight or \
            a greater one.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    enum FailOn: String, ExpressibleByArgument, CaseIterable {
        case breaking
        case needsDefault = "needs-default"
        case safe
        case never

        /// The lowest impact that fails the command; nil if none does.
        var impact: Impact? {
            switch self {
            case .breaking: .breaking
            case .needsDefault: .needsDefault
            case .safe: .safe
            case .never: nil
            }
        }
    }

    @Argument(help: "The old application.xml; '-' is standard input.")
    var old: String

    @Argument(help: "The new application.xml; '-' is standard input.")
    var new: String

    @Option(help: "How to write it: text for people, json for tools.")
    var format: Format = .text

    @Option(help: "The lowest weight of a difference for exit code 1.")
    var failOn: FailOn = .never

    @Option(
        help: ArgumentHelp(
            """
            Whether to colour text. auto does so on a terminal, unless its TERM is dumb or \
            NO_COLOR is set.
            """, valueName: "when"))
    var color: ColorChoice = .auto

    @OptionGroup var limits: CompilerLimitOptions

    func validate() throws {
        if old == "-", new == "-" {
            throw ValidationError("standard input can be read only once: name a file, too")
        }
    }

    func run() throws {
        let limits = try limits.limits()
        let old = try DefinitionFile(former: old, within: limits)
        let new = try DefinitionFile(new, within: limits)
        let comparison = DefinitionComparison(from: old.definition, to: new.definition)
        let files = ComparedFiles(old: old.source.name, new: new.source.name)
        let text =
            switch format {
            case .text: renderAsText(comparison, files: files, style: color.reportStyle())
            case .json: renderAsJSON(comparison, files: files)
            }
        Terminal.write(text)
        if let limit = failOn.impact, let impact = comparison.impact, impact >= limit {
            throw ExitCode(ToolFailure.Kind.inputAtFault.exitCode)
        }
    }
}
