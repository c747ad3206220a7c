import ArgumentParser
import DefinitionCompiler
import DefinitionModel
import Foundation

/// A definition from a file, compiled without errors.
struct DefinitionFile {
    let source: SourceFile
    let definition: Definition

    /// Prints warnings; throws on errors. `naming` contains the rules of the languages to generate.
    init(
        _ path: String, within limits: CompilerLimits = CompilerLimits(),
        naming: [NamingRules] = []
    ) throws {
        let source = try Disk.document(path, within: limits)
        let compilation = compile(source, within: limits, naming: naming)
        if !compilation.diagnostics.isEmpty { report(compilation, of: source, within: limits) }
        try self.init(compilation, of: source)
    }

    /// A definition to compare with. Its rights are not analysed.
    init(former path: String, within limits: CompilerLimits) throws {
        let source = try Disk.document(path, within: limits)
        let compilation = recompile(source, within: limits)
        if !compilation.diagnostics.isEmpty { report(compilation, of: source, within: limits) }
        try self.init(compilation, of: source)
    }

    /// A definition that an environment has or had. Its warnings were shown when it was deployed,
    /// and the limits of that time are unknown.
    init(stored bytes: [UInt8], environment: String) throws {
        let source = SourceFile(
            name: "definition of environment \(environment)", bytes: bytes)
        let compilation = recompile(source)
        if compilation.definition == nil { report(compilation, of: source, within: .greatest) }
        try self.init(compilation, of: source)
    }

    /// A version of the catalog.
    init(stored bytes: [UInt8], version: Int64) throws {
        let source = SourceFile(name: "version \(version)", bytes: bytes)
        let compilation = recompile(source)
        if compilation.definition == nil { report(compilation, of: source, within: .greatest) }
        try self.init(compilation, of: source)
    }

    var name: String { source.name }
    var bytes: [UInt8] { source.bytes }

    private init(_ compilation: Compilation, of source: SourceFile) throws {
        guard let definition = compilation.definition else {
            throw ToolFailure(
                .inputAtFault, "'\(source.name)' is not a sound definition",
                help: "correct the errors above; "
                    + explanationHint(about: compilation.diagnostics))
        }
        self.source = source
        self.definition = definition
    }
}

private func report(
    _ compilation: Compilation, of source: SourceFile, within limits: CompilerLimits
) {
    let style = ColorChoice.auto.style(on: .standardError)
    Terminal.printMessage(renderForPeople(compilation, of: source, within: limits, style: style))
}

/// The command that explains the diagnostics, with the id of the most severe one.
func explanationHint(about diagnostics: [Diagnostic]) -> String {
    let first = diagnostics.first { $0.severity == .error } ?? diagnostics.first
    let id = first?.id ?? "ID"
    return "'waggle check --explain \(id)' says more; every name in brackets has such a page"
}

extension Disk {
    /// Reads a document, up to one byte more than the compiler accepts.
    static func document(
        _ path: String, within limits: CompilerLimits = CompilerLimits()
    ) throws(ToolFailure) -> SourceFile {
        SourceFile(
            name: path == "-" ? "standard input" : path,
            bytes: try read(path, upTo: limits.maxBytes + 1))
    }
}
