import ArgumentParser
import Foundation
import SourceGenerator

struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Write the typed models of a definition.",
        discussion: """
            A file that would not change is not written again. A file of the folder that was \
            generated for a model that is gone is named, and left for you to delete; one that was \
            not generated is never written over.
            """)

    @Argument(help: ArgumentHelp("An application.xml; '-' is standard input.", valueName: "file"))
    var file: String

    @Option(help: "The language: \(Generator.languages.joined(separator: ", ")).")
    var language = "swift"

    @Option(help: "What the name of each type begins with, such as MMD.")
    var prefix = ""

    @Option(name: .shortAndLong, help: "The folder to write to; made if it is not there.")
    var output: String

    @OptionGroup var limits: CompilerLimitOptions

    func run() throws {
        let generator = try generator()
        let file = try DefinitionFile(
            file, within: limits.limits(), naming: [generator.namingRules])
        let drafts = generator.generate(file.definition)
        let plan = plan(drafts, over: try existing())
        guard plan.blocked.isEmpty else {
            throw ToolFailure(
                .inputAtFault,
                "these files were not generated from this application: "
                    + plan.blocked.map { "'\($0)'" }.joined(separator: ", "),
                help: "move them away, or choose another folder or prefix")
        }
        for draft in plan.writes {
            try Disk.write(draft.text, to: folder.appending(path: draft.path).path)
        }
        for path in plan.stale {
            Terminal.tell("'\(path)' is of a model that is gone, delete it if it is not needed")
        }
        Terminal.tell(
            "\(plan.writes.count) written, \(plan.unchanged.count) unchanged in \(output)")
    }

    private func generator() throws(ToolFailure) -> Generator {
        do {
            return try Generator(language: language, prefix: prefix)
        } catch {
            throw ToolFailure(.wrongUsage, error.message, help: error.help)
        }
    }

    private var folder: URL { URL(fileURLWithPath: output, isDirectory: true) }

    /// The texts of the folder's files, by name; none when it is not there yet.
    private func existing() throws(ToolFailure) -> [String: String] {
        guard FileManager.default.fileExists(atPath: folder.path) else { return [:] }
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            var texts: [String: String] = [:]
            for name in names where name.hasSuffix(".swift") {
                texts[name] = String(
                    decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
            }
            return texts
        } catch {
            throw ToolFailure(
                .machineFailed, "'\(output)' cannot be read: \(error.localizedDescription)",
                help: "name a folder that you may read and write")
        }
    }
}
