import DefinitionCompiler
import Foundation
import ModelFiles
import SourceGenerator
import SyncProtocol
import Templates

/// Writes the models of a definition for the plugins. This is the part of `waggle` that a build
/// needs, without the server. Diagnostics have the file:line:column form of compilers.
@main
enum ModelWriting {
    static func main() {
        guard let arguments = Arguments(Array(CommandLine.arguments.dropFirst())) else {
            printError("error: wanted DEFINITION SETTINGS, then --file FILE or --folder FOLDER\n")
            exit(2)
        }
        do {
            guard try run(arguments) else { exit(1) }
        } catch let error as ModelFileError {
            printError("error: \(error.message)\nhelp: \(error.help)\n")
            exit(error.isInputAtFault ? 1 : 3)
        } catch let error as GeneratorError {
            printError("\(arguments.settings): error: \(error.message)\nhelp: \(error.help)\n")
            exit(1)
        } catch {
            printError("error: \(error)\n")
            exit(3)
        }
    }
}

/// Returns false, after printing diagnostics, if the definition has errors.
private func run(_ arguments: Arguments) throws -> Bool {
    let settings = try ModelSettings(file: arguments.settings)
    let templates = try settings.templates.map {
        try readTemplates(of: .swift, inFolder: $0)
    }
    let generator = try Generator(
        language: Language.swift.rawValue, prefix: settings.prefix,
        classPrefix: settings.classPrefix, templates: templates)
    let source = try document(arguments.definition)
    let compilation = compile(source, naming: [generator.namingRules])
    if !compilation.diagnostics.isEmpty { printError(renderForPeople(compilation, of: source)) }
    guard let definition = compilation.definition else { return false }
    let json = CompiledDefinition(definition).compactJSON()
    switch arguments.target {
    case .file(let path):
        let draft = generator.generateOneFile(definition, compiled: json, path: path)
        try writeText(draft.text, to: draft.path)
    case .folder(let path):
        let folder = ModelFolder(path: path, suffix: generator.fileSuffix)
        report(try folder.write(generator.generate(definition, compiled: json)), in: path)
    }
    return true
}

private func document(_ path: String) throws(ModelFileError) -> SourceFile {
    do {
        return SourceFile(name: path, bytes: [UInt8](try Data(contentsOf: URL(filePath: path))))
    } catch {
        throw .unreadable(path, reason: error.localizedDescription)
    }
}

private func report(_ plan: WritePlan, in path: String) {
    for path in plan.stale {
        printError("'\(path)' is of a model that is gone, delete it if it is not needed\n")
    }
    printError("\(plan.writes.count) written, \(plan.unchanged.count) unchanged in \(path)\n")
}

private func printError(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
}
