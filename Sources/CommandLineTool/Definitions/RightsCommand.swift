import ArgumentParser
import DefinitionReports

struct RightsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rights",
        abstract: "Show what each role may do with each model and field.",
        discussion: """
            Rows are models and their fields, columns are roles; C, R, U, D and X are the rights \
            to create, read, update, delete, and resolve conflicts. The levels are effective ones: \
            a right on a field covers no more records than the same right on the record.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, html
    }

    @Argument(help: ArgumentHelp("An application.xml; '-' is standard input.", valueName: "file"))
    var file: String

    @Option(help: "How to write it: text for a terminal, json for tools, html for a browser.")
    var format: Format = .text

    @Option(name: .shortAndLong, help: "Where to write it; '-' is standard output.")
    var output = "-"

    @Option(
        help: ArgumentHelp(
            """
            Whether to colour text. auto does so on a terminal, unless its TERM is dumb or \
            NO_COLOR is set.
            """, valueName: "when"))
    var color: ColorChoice = .auto

    @OptionGroup var limits: CompilerLimitOptions

    func run() throws {
        let matrix = RightsMatrix(try DefinitionFile(file, within: limits.limits()).definition)
        let text =
            switch format {
            case .text: renderAsText(matrix, style: color.reportStyle(writingTo: output))
            case .json: renderAsJSON(matrix)
            case .html: renderAsHTML(matrix)
            }
        try Disk.write(text, to: output)
    }
}
