import ArgumentParser
import DefinitionCompiler
import DefinitionModel
import Foundation

/// A definition read from a disk and compiled, for commands that go on only with a sound one.
struct DefinitionFile {
    let source: SourceFile
    let definition: Definition

    /// Tells warnings; errors end the command. `naming` is of the languages that the definition is
    /// to be generated in.
    init(
        _ path: String, within limits: CompilerLimits = CompilerLimits(),
        naming: [NamingRules] = []
    ) throws {
        let source = try Disk.document(path, within: limits)
        let compilation = compile(source, within: limits, naming: naming)
        if !compilation.diagnostics.isEmpty { tell(compilation, of: source, within: limits) }
        try self.init(compilation, of: source)
    }

    /// One that is there to be compared with: how its rights go together is its own affair.
    init(former path: String, within limits: CompilerLimits) throws {
        let source = try Disk.document(path, within: limits)
        let compilation = recompile(source, within: limits)
        if !compilation.diagnostics.isEmpty { tell(compilation, of: source, within: limits) }
        try self.init(compilation, of: source)
    }

    /// One that an environment has or had: its warnings were told when it was deployed, and under
    /// which limits it was read is not known any more.
    init(stored bytes: [UInt8], environment: String) throws {
        let source = SourceFile(
            name: "definition of environment \(environment)", bytes: bytes)
        let compilation = recompile(source)
        if compilation.definition == nil { tell(compilation, of: source, within: .greatest) }
        try self.init(compilation, of: source)
    }

    /// How people know it.
    var name: String { source.name }
    var bytes: [UInt8] { source.bytes }

    private init(_ compilation: Compilation, of source: SourceFile) throws {
        guard let definition = compilation.definition else {
            throw ToolFailure(
                .inputAtFault, "'\(source.name)' is not a sound definition",
                help: "mend what is said above; \(whereToReadMore(about: compilation.diagnostics))")
        }
        self.source = source
        self.definition = definition
    }
}

private func tell(
    _ compilation: Compilation, of source: SourceFile, within limits: CompilerLimits
) {
    let style = ColorChoice.auto.style(on: .standardError)
    Terminal.tell(renderForPeople(compilation, of: source, within: limits, style: style))
}

/// Which command explains the diagnostics, with the one among them that weighs most.
func whereToReadMore(about diagnostics: [Diagnostic]) -> String {
    let first = diagnostics.first { $0.severity == .error } ?? diagnostics.first
    let id = first?.id ?? "ID"
    return "'waggle check --explain \(id)' says more; every name in brackets has such a page"
}

extension Disk {
    /// A document to compile; not read further than the compiler takes it.
    static func document(
        _ path: String, within limits: CompilerLimits = CompilerLimits()
    ) throws(ToolFailure) -> SourceFile {
        SourceFile(
            name: path == "-" ? "standard input" : path,
            bytes: try read(path, upTo: limits.maxBytes + 1))
    }
}
