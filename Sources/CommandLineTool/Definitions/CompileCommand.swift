import ArgumentParser
import DefinitionCompiler
import DefinitionModel
import SyncProtocol

struct CompileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compile",
        abstract: "Write a checked definition as canonical JSON.",
        discussion: """
            The JSON contains the whole definition, with defaults, and its digest. The same \
            document always gives the same bytes.
            """)

    @Argument(help: ArgumentHelp("An application.xml; '-' is standard input.", valueName: "file"))
    var file: String

    @Option(name: .shortAndLong, help: "Where to write it; '-' is standard output.")
    var output = "-"

    @OptionGroup var limits: CompilerLimitOptions

    func run() throws {
        let definition = try DefinitionFile(file, within: limits.limits()).definition
        let json = try CompiledDefinition(definition).canonicalJSON()
        try Disk.write(String(decoding: json, as: UTF8.self), to: output)
        if output != "-" {
            Terminal.printMessage("wrote \(output), \(versionName(of: definition))")
        }
    }
}
