/// The text escaped for HTML and XML, including attributes. Characters that neither allows, such as
/// control characters, become U+FFFD.
func escapedMarkup(_ text: String) -> String {
    text.unicodeScalars.map(escaped).joined()
}

private func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    case "\"": "&quot;"
    case "'": "&#39;"
    case "\t", "\n", "\r": "&#\(scalar.value);"
    case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
    case _: String(scalar)
    }
}
