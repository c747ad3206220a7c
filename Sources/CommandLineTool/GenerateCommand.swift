import ArgumentParser
import ModelFiles
import SourceGenerator
import SyncProtocol
import Templates

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

    @Option(
        help: ArgumentHelp(
            "A folder of your own templates instead of the built-in ones.", valueName: "folder"))
    var templates: String?

    @OptionGroup var limits: CompilerLimitOptions

    func run() throws {
        let generator = try generator()
        let file = try DefinitionFile(
            file, within: limits.limits(), naming: [generator.namingRules])
        let json = try CompiledDefinition(file.definition).canonicalJSON()
        let drafts = generator.generate(
            file.definition, compiled: String(decoding: json, as: UTF8.self))
        let plan = try written(drafts, ending: generator.fileSuffix)
        for path in plan.stale {
            Terminal.tell("'\(path)' is of a model that is gone, delete it if it is not needed")
        }
        Terminal.tell(
            "\(plan.writes.count) written, \(plan.unchanged.count) unchanged in \(output)")
    }

    private func generator() throws(ToolFailure) -> Generator {
        do {
            let known = try Language(named: language)
            let own = try ownTemplates(of: known)
            return try Generator(language: language, prefix: prefix, templates: own)
        } catch let error as GeneratorError {
            throw ToolFailure(error)
        } catch let error as ModelFileError {
            throw ToolFailure(error)
        } catch {
            throw ToolFailure(.machineFailed, "\(error)")
        }
    }

    private func ownTemplates(of language: Language) throws(ModelFileError) -> TemplateTexts? {
        guard let templates else { return nil }
        return try readTemplates(of: language, inFolder: templates)
    }

    private func written(
        _ drafts: [SourceDraft], ending suffix: String
    ) throws(ToolFailure) -> WritePlan {
        do {
            return try ModelFolder(path: output, suffix: suffix).write(drafts)
        } catch {
            throw ToolFailure(error)
        }
    }
}
