/// A string literal of exactly these scalars. A long one goes over several lines, which are
/// indented by `indent` spaces.
func swiftLiteral(_ text: String, indent: Int) -> String {
    let pieces = text.unicodeScalars.map(escaped)
    let whole = pieces.joined()
    guard whole.count > maxColumns else { return "\"\(whole)\"" }
    let margin = "\n" + String(repeating: " ", count: indent)
    let lines = lines(of: pieces).joined(separator: "\\\(margin)")
    return "\"\"\"\(margin)\(lines)\(margin)\"\"\""
}

private let maxColumns = 60

/// Never breaks inside an escape.
private func lines(of pieces: [String]) -> [String] {
    var lines = [""]
    for piece in pieces {
        let longer = lines[lines.count - 1] + piece
        if longer.count <= maxColumns {
            lines[lines.count - 1] = longer
        } else {
            lines.append(piece)
        }
    }
    return lines
}

/// Escapes what would end the literal, and what nobody could see in it.
private func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\\": "\\\\"
    case "\"": "\\\""
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    case " ": " "
    case _ where isVisible(scalar): String(scalar)
    case _: "\\u{\(String(scalar.value, radix: 16))}"
    }
}

private func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    !unseen.contains(scalar.properties.generalCategory)
}

private let unseen: Set<Unicode.GeneralCategory> = [
    .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate,
    .privateUse, .unassigned, .nonspacingMark, .enclosingMark, .spacingMark,
]
