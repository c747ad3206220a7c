import ArgumentParser
import DefinitionCompiler
import DefinitionModel
import Foundation

/// A definition read from a disk and compiled, for commands that go on only with a sound one.
struct DefinitionFile {
    let bytes: [UInt8]
    let definition: Definition

    /// Tells warnings; errors end the command.
    init(_ path: String, within limits: CompilerLimits = CompilerLimits()) throws {
        try self.init(try Disk.document(path, within: limits), within: limits)
    }

    init(_ source: SourceFile, within limits: CompilerLimits = CompilerLimits()) throws {
        let compilation = compile(source, within: limits)
        if !compilation.diagnostics.isEmpty {
            let style = ColorChoice.auto.style(on: .standardError)
            Terminal.tell(renderForPeople(compilation, of: source, within: limits, style: style))
        }
        guard let definition = compilation.definition else {
            throw ToolFailure(
                .inputAtFault, "'\(source.name)' is not a sound definition",
                help: "mend what is said above; \(whereToReadMore(about: compilation.diagnostics))")
        }
        bytes = source.bytes
        self.definition = definition
    }
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
