import ArgumentParser
import DefinitionModel
import ModelFiles
import SourceGenerator
import SyncProtocol
import Templates

struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Write the typed models of a definition.",
        discussion: """
            Unchanged files are not rewritten. A generated file of a removed model is reported, \
            for you to delete; a file that was not generated is never overwritten.
            """)

    @Argument(help: ArgumentHelp("An application.xml; '-' is standard input.", valueName: "file"))
    var file: String

    @Option(help: "The language: \(Generator.languages.joined(separator: ", ")).")
    var language = "swift"

    @OptionGroup var prefixes: PrefixOptions

    @Option(name: .shortAndLong, help: "The folder to write to; created if it does not exist.")
    var output: String

    @Option(
        help: ArgumentHelp(
            "A folder of templates that replace the built-in ones.", valueName: "folder"))
    var templates: String?

    @OptionGroup var limits: CompilerLimitOptions

    func run() throws {
        let generator = try generator()
        let file = try DefinitionFile(
            file, within: limits.limits(), naming: [generator.namingRules])
        try checkNumbers(of: file.definition, generator)
        let json = CompiledDefinition(file.definition).compactJSON()
        let drafts = generator.generate(file.definition, compiled: json)
        let plan = try written(drafts, ending: generator.fileSuffix)
        for path in plan.stale {
            Terminal.printMessage(
                "'\(path)' belongs to a removed model; delete it if it is not needed")
        }
        Terminal.printMessage(
            "\(plan.writes.count) written, \(plan.unchanged.count) unchanged in \(output)")
    }

    private func generator() throws(ToolFailure) -> Generator {
        do {
            let known = try Language(named: language)
            let own = try ownTemplates(of: known)
            return try Generator(
                language: language, prefix: prefixes.prefix, classPrefix: prefixes.classPrefix,
                templates: own)
        } catch let error as GeneratorError {
            throw ToolFailure(error)
        } catch let error as ModelFileError {
            throw ToolFailure(error)
        } catch {
            throw ToolFailure(.machineFailed, "\(error)")
        }
    }

    private func checkNumbers(
        of definition: Definition, _ generator: Generator
    ) throws(ToolFailure) {
        do {
            try generator.check(definition)
        } catch {
            throw ToolFailure(error)
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
