import DefinitionModel

/// The diagnostics as plain text: each with its line of the document and what to do, and at the
/// end how many there are. Ends with a newline.
///
/// `limits` are the ones the document was compiled with: beyond them no lines are shown.
package func renderForPeople(
    _ compilation: Compilation, of source: SourceFile,
    within limits: CompilerLimits = CompilerLimits()
) -> String {
    guard !compilation.diagnostics.isEmpty else { return "\(source.name): no problems\n" }
    var ignored = Findings(limit: 1)
    let text = decode(source, within: limits, reportingTo: &ignored)
    let paragraphs = compilation.diagnostics.map { paragraph($0, in: text, named: source.name) }
    return paragraphs.joined(separator: "\n") + "\n\(count(of: compilation.diagnostics))\n"
}

private func paragraph(_ diagnostic: Diagnostic, in text: SourceText, named file: String) -> String
{
    var lines = [
        "\(head(file, diagnostic.place)): \(diagnostic.severity.rawValue): \(diagnostic.message)"
    ]
    lines += excerpt(of: text, at: diagnostic.place, length: diagnostic.length)
    for related in diagnostic.related {
        lines.append("\(head(file, related.place)): note: \(related.message)")
        lines += excerpt(of: text, at: related.place, length: related.length)
    }
    lines += diagnostic.help.map { ["help: \($0)"] } ?? []
    return lines.map { $0 + "\n" }.joined()
}

private func head(_ file: String, _ place: SourcePlace) -> String {
    "\(file):\(place.line):\(place.column)"
}

/// "2 errors, 1 warning": what there is none of is left out.
private func count(of diagnostics: [Diagnostic]) -> String {
    Severity.allCases.compactMap { severity in
        let number = diagnostics.count { $0.severity == severity }
        return number == 0 ? nil : "\(number) \(severity.rawValue)\(number == 1 ? "" : "s")"
    }.joined(separator: ", ")
}
