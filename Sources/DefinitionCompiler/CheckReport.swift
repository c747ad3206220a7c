/// What became of the documents of one check, in the order in which they were given.
package struct CheckReport: Hashable, Sendable {
    package let documents: [Document]
    /// Those of which there was nothing to compile.
    package let unreadable: [Unreadable]

    package init(documents: [Document], unreadable: [Unreadable] = []) {
        self.documents = documents
        self.unreadable = unreadable
    }

    package struct Document: Hashable, Sendable {
        package let source: SourceFile
        package let compilation: Compilation

        package init(source: SourceFile, compilation: Compilation) {
            self.source = source
            self.compilation = compilation
        }
    }

    package struct Unreadable: Hashable, Sendable {
        package let name: String
        package let message: String

        package init(name: String, message: String) {
            self.name = name
            self.message = message
        }
    }

    package var diagnostics: [Diagnostic] { documents.flatMap(\.compilation.diagnostics) }

    /// Whether each document could be read and is a definition.
    package var isSound: Bool {
        unreadable.isEmpty && documents.allSatisfy { $0.compilation.definition != nil }
    }
}
