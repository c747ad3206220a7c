import ArgumentParser
import DefinitionCompiler
import DefinitionModel

/// A definition read from a disk and compiled, for commands that go on only with a sound one.
struct DefinitionFile {
    let bytes: [UInt8]
    let definition: Definition

    /// Tells warnings; errors end the command.
    init(_ path: String) throws {
        try self.init(try Disk.document(path))
    }

    init(_ source: SourceFile) throws {
        let compilation = compile(source)
        if !compilation.diagnostics.isEmpty {
            Terminal.tell(renderForPeople(compilation, of: source))
        }
        guard let definition = compilation.definition else {
            throw ToolFailure(
                .inputAtFault, "'\(source.name)' is not a sound definition",
                help: "mend what is said above")
        }
        bytes = source.bytes
        self.definition = definition
    }
}

extension Disk {
    /// A document to compile; not read further than the compiler takes it.
    static func document(_ path: String) throws(ToolFailure) -> SourceFile {
        SourceFile(
            name: path == "-" ? "standard input" : path,
            bytes: try read(path, upTo: CompilerLimits().maxBytes + 1))
    }
}
