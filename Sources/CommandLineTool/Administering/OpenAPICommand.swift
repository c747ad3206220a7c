import Administration
import ArgumentParser
import Foundation
import JSON

struct OpenAPICommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi",
        abstract: "Write an OpenAPI 3.1 document.",
        discussion: """
            With a definition it describes the native wire of an environment with this definition: \
            the fields of each model have their types and limits. Without one it describes the \
            administration over HTTP.
            """)

    @Argument(help: ArgumentHelp("An application.xml; '-' is standard input.", valueName: "file"))
    var file: String?

    @Option(name: .shortAndLong, help: "Where to write it; '-' is standard output.")
    var output = "-"

    @OptionGroup var limits: CompilerLimitOptions

    func run() throws {
        let document =
            try file.map { try DefinitionFile($0, within: limits.limits()).definition }
            .map(nativeInterface) ?? adminInterface()
        try Disk.write(document.text + "\n", to: output)
    }
}
