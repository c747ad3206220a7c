import ArgumentParser
import DefinitionCompiler
import DefinitionModel

/// A definition read from a disk and compiled, for commands that go on only with a sound one.
struct DefinitionFile {
    let bytes: [UInt8]
    let definition: Definition

    /// Tells warnings; errors end the command.
    init(_ path: String) throws {
        let bytes = try Disk.read(path)
        try self.init(bytes: bytes, name: path == "-" ? "standard input" : path)
    }

    init(bytes: [UInt8], name: String) throws {
        let source = SourceFile(name: name, bytes: bytes)
        let compilation = compile(source)
        if !compilation.diagnostics.isEmpty {
            Terminal.tell(renderForPeople(compilation, of: source))
        }
        guard let definition = compilation.definition else {
            throw ToolFailure(
                .inputAtFault, "'\(name)' is not a sound definition",
                help: "mend what is said above")
        }
        self.bytes = bytes
        self.definition = definition
    }
}
