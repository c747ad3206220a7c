/// A page for a terminal, with a final newline.
package func renderForPeople(_ page: DiagnosticPage, style: TextStyle = .plain) -> String {
    let title =
        style.paint(page.id, as: .heading) + " ("
        + style.paint(page.severity.rawValue, as: .severity(page.severity)) + ")"
    return "\(title)\n\n\(plainText(page.summary))\n\n\(plainText(page.text, style: style))\n"
}

/// One line for each page, under the titles of their topics, with a final newline.
package func renderForPeople(_ pages: [DiagnosticPage], style: TextStyle = .plain) -> String {
    let width = pages.map(\.id.count).max() ?? 0
    var lines: [String] = []
    var topic = ""
    for page in pages {
        if page.topic != topic {
            lines += (topic.isEmpty ? [] : [""]) + [style.paint(page.topic, as: .heading), ""]
            topic = page.topic
        }
        let severity = page.severity.rawValue
        lines.append(
            "  \(padded(page.id, to: width))  "
                + style.paint(padded(severity, to: 7), as: .severity(page.severity))
                + "  \(plainText(page.summary))")
    }
    return lines.map { $0 + "\n" }.joined()
}

/// Renders the Markdown that the pages use as plain text: inline code is quoted, code blocks are
/// indented.
func plainText(_ markdown: String, style: TextStyle = .plain) -> String {
    var isCode = false
    var lines: [String] = []
    for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
        if line.hasPrefix("```") {
            isCode.toggle()
        } else if isCode {
            lines.append(line.isEmpty ? "" : "    " + style.paint(String(line), as: .code))
        } else {
            lines.append(String(line).replacing("`", with: "'"))
        }
    }
    return lines.joined(separator: "\n")
}

private func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
}
