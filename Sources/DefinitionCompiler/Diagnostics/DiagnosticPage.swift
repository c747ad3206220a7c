import Texts

/// The documentation of one kind of diagnostic.
///
/// The pages are sections of the Markdown files in `Pages`, which are part of the documentation
/// too.
package struct DiagnosticPage: Hashable, Sendable {
    package let id: String
    package let severity: Severity
    /// One sentence, in Markdown.
    package let summary: String
    /// The reason for the diagnostic and how to fix it, in Markdown, mostly with an example before
    /// and after.
    package let text: String
    /// The title of the file that contains the page.
    package let topic: String

    /// One page for each diagnostic, grouped by topic.
    package static let all = [
        "Document", "Language", "Field", "Own", "Rights", "Code",
    ].flatMap { topic in
        pages(
            in: embeddedText(at: "Sources/DefinitionCompiler/Pages/\(topic)Diagnostics.md"))
    }
}

/// The page with that id; nil for an unknown id.
package func explanation(of id: String) -> DiagnosticPage? {
    DiagnosticPage.all.first { $0.id == id }
}

/// The known id closest to a misspelled one.
package func nearestDiagnostic(to id: String) -> String? {
    nearest(to: id, in: DiagnosticPage.all.map(\.id))
}

/// Parses the sections of a file. A section has the form
///     ## id
///     **Error.** The summary, up to the next empty line.
///     The text.
private func pages(in file: String) -> [DiagnosticPage] {
    var sections = file.split(separator: "\n## ").map { String($0) }
    guard !sections.isEmpty else { return [] }
    let topic = sections.removeFirst().prefix { !$0.isNewline }.drop { "# ".contains($0) }
    return sections.compactMap { DiagnosticPage(section: $0, topic: String(topic)) }
}

extension DiagnosticPage {
    /// Nil unless the section has that form.
    fileprivate init?(section: String, topic: String) {
        let paragraphs = section.split(separator: "\n\n", maxSplits: 2)
        guard paragraphs.count == 3 else { return nil }
        let summary = paragraphs[1].replacing("\n", with: " ")
        guard let severity = Severity.allCases.first(where: { summary.hasPrefix($0.mark) }) else {
            return nil
        }
        id = String(paragraphs[0])
        self.severity = severity
        self.summary = String(summary.dropFirst(severity.mark.count))
        text = String(paragraphs[2].reversed().drop(while: \.isNewline).reversed())
        self.topic = topic
    }
}

extension Severity {
    fileprivate var mark: String {
        switch self {
        case .error: "**Error.** "
        case .warning: "**Warning.** "
        case .note: "**Note.** "
        }
    }
}
