import ArgumentParser
import DefinitionReports

struct DiagramCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diagram",
        abstract: "Draw the models of a definition and their relations.",
        discussion: """
            An arrow leads from the field of a relation to its target model. The same definition \
            always gives the same drawing.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case svg, mermaid
    }

    @Argument(help: ArgumentHelp("An application.xml; '-' is standard input.", valueName: "file"))
    var file: String

    @Option(help: "How to draw it: svg as a picture, mermaid as text for documentation tools.")
    var format: Format = .svg

    @Option(name: .shortAndLong, help: "Where to write it; '-' is standard output.")
    var output = "-"

    @OptionGroup var limits: CompilerLimitOptions

    func run() throws {
        let definition = try DefinitionFile(file, within: limits.limits()).definition
        let text =
            switch format {
            case .svg: renderAsSVG(Diagram(definition))
            case .mermaid: renderAsMermaid(definition)
            }
        try Disk.write(text, to: output)
    }
}
