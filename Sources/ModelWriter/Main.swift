import DefinitionCompiler
import Foundation
import ModelFiles
import SourceGenerator
import SyncProtocol
import Templates

/// Writes the models of a definition for the plugins: the small part of `waggle` that a build
/// needs, without a server. What is wrong is told as a compiler does, with file, line and column.
@main
enum Main {
    static func main() {
        guard let order = Order(Array(CommandLine.arguments.dropFirst())) else {
            tell("error: wanted DEFINITION SETTINGS, then --file FILE or --folder FOLDER\n")
            exit(2)
        }
        do {
            guard try carryOut(order) else { exit(1) }
        } catch let error as ModelFileError {
            tell("error: \(error.message)\nhelp: \(error.help)\n")
            exit(error.isInputAtFault ? 1 : 3)
        } catch let error as GeneratorError {
            tell("\(order.settings): error: \(error.message)\nhelp: \(error.help)\n")
            exit(1)
        } catch {
            tell("error: \(error)\n")
            exit(3)
        }
    }
}

/// False where the definition is not sound, which is then told.
private func carryOut(_ order: Order) throws -> Bool {
    let settings = try ModelSettings(file: order.settings)
    let templates = try settings.templates.map {
        try readTemplates(of: .swift, inFolder: $0)
    }
    let generator = try Generator(
        language: Language.swift.rawValue, prefix: settings.prefix, templates: templates)
    let source = try document(order.definition)
    let compilation = compile(source, naming: [generator.namingRules])
    if !compilation.diagnostics.isEmpty { tell(renderForPeople(compilation, of: source)) }
    guard let definition = compilation.definition else { return false }
    let json = String(
        decoding: try CompiledDefinition(definition).canonicalJSON(), as: UTF8.self)
    switch order.target {
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
        tell("'\(path)' is of a model that is gone, delete it if it is not needed\n")
    }
    tell("\(plan.writes.count) written, \(plan.unchanged.count) unchanged in \(path)\n")
}

private func tell(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
}
