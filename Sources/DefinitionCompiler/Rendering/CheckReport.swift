/// The results for all documents of one check, in the order given.
package struct CheckReport: Hashable, Sendable {
    package let documents: [Document]
    /// Documents that could not be read.
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

    /// Whether every document was read and compiles without errors.
    package var isSound: Bool {
        unreadable.isEmpty && documents.allSatisfy { $0.compilation.definition != nil }
    }
}
