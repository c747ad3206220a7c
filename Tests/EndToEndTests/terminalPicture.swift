/// An SVG of a terminal with a command and the text that it prints, in light and dark.
func terminalPicture(of text: String, after command: String) -> String {
    let printed = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let lines = ["$ \(command)"] + printed
    let shown = lines.last == "" ? lines.dropLast() : lines[...]
    let (columnWidth, lineHeight, margin) = (8, 20, 16)
    let width = (shown.map(\.count).max() ?? 0) * columnWidth + 2 * margin
    let height = shown.count * lineHeight + 2 * margin
    let rows = shown.enumerated().map { index, line in
        "<text x=\"\(margin)\" y=\"\(margin + 14 + index * lineHeight)\">\(escaped(line))</text>"
    }
    return """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
        viewBox="0 0 \(width) \(height)" role="img">
        <title>\(escaped(command))</title>
        <style>
        svg { color-scheme: light dark; }
        rect { fill: #fbfaf6; stroke: #d9d3c5; }
        text { font: 13px ui-monospace, Menlo, Consolas, monospace; white-space: pre; }
        text { fill: #26241f; }
        @media (prefers-color-scheme: dark) {
          rect { fill: #17181a; stroke: #3a3a3a; }
          text { fill: #ebe8e0; }
        }
        </style>
        <rect x="0.5" y="0.5" width="\(width - 1)" height="\(height - 1)" rx="8"/>
        \(rows.joined(separator: "\n"))
        </svg>

        """
}

private func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
}
