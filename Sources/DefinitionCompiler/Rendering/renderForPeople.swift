import DefinitionModel

/// The diagnostics of a document as text: each with its line and the help, followed by the counts
/// and a newline.
///
/// `limits` must be the ones that the document was compiled with; lines beyond them are not shown.
package func renderForPeople(
    _ compilation: Compilation, of source: SourceFile,
    within limits: CompilerLimits = CompilerLimits(), style: TextStyle = .plain
) -> String {
    let problems = problems(of: compilation, in: source, within: limits, style: style)
    guard !compilation.diagnostics.isEmpty else { return problems }
    return problems + "\n\(counts(of: compilation.diagnostics))\n"
}

/// The diagnostics of all documents of a check, with common counts. Unreadable documents are only
/// counted, since their errors were reported before. Empty if there is nothing to report.
package func renderForPeople(
    _ report: CheckReport, within limits: CompilerLimits = CompilerLimits(),
    style: TextStyle = .plain
) -> String {
    let number = report.documents.count + report.unreadable.count
    if number == 1 {
        return report.documents.map {
            renderForPeople($0.compilation, of: $0.source, within: limits, style: style)
        }.joined()
    }
    var text = ""
    for document in report.documents {
        text += problems(
            of: document.compilation, in: document.source, within: limits, style: style)
        text += document.compilation.diagnostics.isEmpty ? "" : "\n"
    }
    let separator = text.hasSuffix("\n\n") || text.isEmpty ? "" : "\n"
    return text + separator + summary(of: report, number: number) + "\n"
}

/// Such as "3 files: 2 errors, 1 warning; 1 could not be read".
private func summary(of report: CheckReport, number: Int) -> String {
    let counts = counts(of: report.diagnostics)
    let unreadable =
        report.unreadable.isEmpty ? "" : "; \(report.unreadable.count) could not be read"
    return "\(number) files: \(counts.isEmpty ? "no problems" : counts)\(unreadable)"
}

/// Ends with a newline; problems are separated by empty lines.
private func problems(
    of compilation: Compilation, in source: SourceFile, within limits: CompilerLimits,
    style: TextStyle
) -> String {
    let file = String(String.UnicodeScalarView(source.name.unicodeScalars.map(visible)))
    guard !compilation.diagnostics.isEmpty else { return "\(file): no problems\n" }
    var ignored = DiagnosticCollector(limit: 1)
    let text = decode(source, within: limits, reportingTo: &ignored)
    let page = PrintedPage(file: file, text: text, style: style)
    return compilation.diagnostics.map(page.paragraph).joined(separator: "\n")
}

/// Renders the paragraphs about one document.
private struct PrintedPage {
    let file: String
    let text: SourceText
    let style: TextStyle

    func paragraph(_ diagnostic: Diagnostic) -> String {
        var lines = [
            line(diagnostic.severity, diagnostic.message, at: diagnostic.place)
                + style.paint(" [\(diagnostic.id)]", as: .id(diagnostic.severity))
        ]
        lines += excerpt(diagnostic.severity, at: diagnostic.place, length: diagnostic.length)
        for related in diagnostic.related {
            lines.append(line(.note, related.message, at: related.place))
            lines += excerpt(.note, at: related.place, length: related.length)
        }
        lines += diagnostic.help.map { [style.paint("help:", as: .help) + " \($0)"] } ?? []
        return lines.map { $0 + "\n" }.joined()
    }

    /// In the `file:line:column` form of compilers, which editors recognise.
    private func line(_ severity: Severity, _ message: String, at place: SourcePlace) -> String {
        "\(file):\(place.line):\(place.column): "
            + style.paint("\(severity.rawValue):", as: .severity(severity)) + " "
            + style.paint(message, as: .heading)
    }

    private func excerpt(_ severity: Severity, at place: SourcePlace, length: Int) -> [String] {
        Excerpt(of: text, at: place, length: length)?.lines(severity, style: style) ?? []
    }
}

/// Such as "2 errors, 1 warning"; zero counts are omitted.
private func counts(of diagnostics: [Diagnostic]) -> String {
    Severity.allCases.compactMap { severity in
        let number = diagnostics.count { $0.severity == severity }
        return number == 0 ? nil : counted(number, severity.rawValue)
    }.joined(separator: ", ")
}
