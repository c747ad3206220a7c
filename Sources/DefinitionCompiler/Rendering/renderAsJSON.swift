import DefinitionModel
import Foundation

/// The report for editors and other tools: a JSON object with keys in a fixed order and a final
/// newline.
///
/// `endColumn` is the column after the underlined range; columns count Unicode scalars from 1.
package func renderAsJSON(_ report: CheckReport) -> String {
    json(JSONReport(report))
}

/// Encodes values that consist of strings, booleans and integers only, which cannot fail.
func json(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    let bytes = (try? encoder.encode(value)) ?? Data("{}".utf8)
    return String(decoding: bytes, as: UTF8.self) + "\n"
}

private struct JSONReport: Encodable {
    let diagnostics: [Entry]
    let errors: Int
    let warnings: Int
    let notes: Int
    let files: [String]
    let unreadable: [Unreadable]

    init(_ report: CheckReport) {
        diagnostics = report.documents.flatMap { document in
            document.compilation.diagnostics.map { Entry($0, file: document.source.name) }
        }
        let severities = report.diagnostics.map(\.severity)
        errors = severities.count { $0 == .error }
        warnings = severities.count { $0 == .warning }
        notes = severities.count { $0 == .note }
        files = report.documents.map(\.source.name)
        unreadable = report.unreadable.map { Unreadable(file: $0.name, message: $0.message) }
    }

    struct Unreadable: Encodable {
        let file: String
        let message: String
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
