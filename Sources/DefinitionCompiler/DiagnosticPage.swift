/// What a kind of diagnostic means, for whoever wants to know more than its message has room for.
///
/// The pages are sections of the Markdown files in `Pages`, which the documentation has too.
package struct DiagnosticPage: Hashable, Sendable {
    package let id: String
    package let severity: Severity
    /// One sentence, in Markdown as the text is.
    package let summary: String
    /// Why it matters and what to do, and for most an example that has it and one that is mended.
    package let text: String
    /// The title of the file that the page is from.
    package let topic: String

    /// Each diagnostic there is has one. They stand by topics.
    package static let all = [
        PackageResources.DocumentDiagnostics_md, PackageResources.LanguageDiagnostics_md,
        PackageResources.FieldDiagnostics_md, PackageResources.OwnDiagnostics_md,
        PackageResources.RightsDiagnostics_md, PackageResources.CodeDiagnostics_md,
    ].flatMap { pages(in: String(decoding: $0, as: UTF8.self)) }
}

/// The page of a diagnostic's id; nil when there is no such diagnostic.
package func explanation(of id: String) -> DiagnosticPage? {
    DiagnosticPage.all.first { $0.id == id }
}

/// The id that somebody probably meant.
package func nearestDiagnostic(to id: String) -> String? {
    nearest(to: id, in: DiagnosticPage.all.map(\.id))
}

/// The sections of a file, each as
/// ```
/// ## id
///
/// **Error.** The summary, to the next empty line.
///
/// The text.
/// ```
private func pages(in file: String) -> [DiagnosticPage] {
    var sections = file.split(separator: "\n## ").map { String($0) }
    guard !sections.isEmpty else { return [] }
    let topic = sections.removeFirst().prefix { !$0.isNewline }.drop { "# ".contains($0) }
    return sections.compactMap { DiagnosticPage(section: $0, topic: String(topic)) }
}

extension DiagnosticPage {
    /// Nil when the section is not of the form.
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
