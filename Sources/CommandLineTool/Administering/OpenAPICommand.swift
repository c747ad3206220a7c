import Administration
import ArgumentParser
import Foundation
import JSON

struct OpenAPICommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi",
        abstract: "Write an OpenAPI 3.1 document.",
        discussion: """
            With a definition it describes the native wire of an environment with this definition: \
            the fields of each model have their types and limits. Without one it describes the \
            administration over HTTP. Clients of an earlier version are answered as the document \
            of that version says:

              waggle openapi --version 3 --database app.sqlite
            """)

    @Argument(help: ArgumentHelp("An application.xml; '-' is standard input.", valueName: "file"))
    var file: String?

    @Option(
        help: ArgumentHelp(
            "A version of the database instead of a file, by number or tag.", valueName: "version"))
    var version: String?

    @Option(name: .shortAndLong, help: "Where to write it; '-' is standard output.")
    var output = "-"

    @OptionGroup var options: LocationOptions

    @OptionGroup var limits: CompilerLimitOptions

    func validate() throws {
        guard file == nil || version == nil else {
            throw ValidationError("name either a file or a --version")
        }
    }

    func run() async throws {
        guard let version else {
            let definition = try file.map {
                try DefinitionFile($0, within: limits.limits()).definition
            }
            return try write(definition.map(nativeInterface) ?? adminInterface())
        }
        try await OpenDatabase.opened(options) { database in
            let file = try await database.definitionFile(
                try await database.catalogVersion(version))
            try write(nativeInterface(of: file.definition))
        }
    }

    private func write(_ document: JSONValue) throws {
        try Disk.write(document.text + "\n", to: output)
    }
}
