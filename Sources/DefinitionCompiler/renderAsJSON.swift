import DefinitionModel
import Foundation

/// The diagnostics of one or several documents for editors and other tools: a JSON object with the
/// keys in order, that ends with a newline.
///
/// `endColumn` is the column behind the underlined stretch, as `column` in Unicode scalars from 1.
package func renderAsJSON(_ compilations: [(SourceFile, Compilation)]) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    let report = Report(compilations)
    // Strings and whole numbers can always be encoded.
    let bytes = (try? encoder.encode(report)) ?? Data("{}".utf8)
    return String(decoding: bytes, as: UTF8.self) + "\n"
}

private struct Report: Encodable {
    let diagnostics: [Entry]
    let errors: Int
    let warnings: Int

    init(_ compilations: [(SourceFile, Compilation)]) {
        self.diagnostics = compilations.flatMap { source, compilation in
            compilation.diagnostics.map { Entry($0, file: source.name) }
        }
        let diagnostics = compilations.flatMap(\.1.diagnostics)
        errors = diagnostics.count { $0.severity == .error }
        warnings = diagnostics.count { $0.severity == .warning }
    }

    struct Entry: Encodable {
        let id: String
        let severity: String
        let span: Span
        let help: String?
        let related: [Span]

        init(_ diagnostic: Diagnostic, file: String) {
            id = diagnostic.id
            severity = diagnostic.severity.rawValue
            span = Span(diagnostic.place, diagnostic.length, diagnostic.message, file: file)
            help = diagnostic.help
            related = diagnostic.related.map { Span($0.place, $0.length, $0.message, file: file) }
        }

        private enum Key: CodingKey { case id, severity, help, related }

        func encode(to encoder: any Encoder) throws {
            try span.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(id, forKey: .id)
            try container.encode(severity, forKey: .severity)
            try container.encode(help, forKey: .help)
            try container.encode(related, forKey: .related)
        }
    }

    struct Span: Encodable {
        let file: String
        let line: Int
        let column: Int
        let endColumn: Int
        let message: String

        init(_ place: SourcePlace, _ length: Int, _ message: String, file: String) {
            self.file = file
            line = place.line
            column = place.column
            endColumn = place.column + length
            self.message = message
        }
    }
}
