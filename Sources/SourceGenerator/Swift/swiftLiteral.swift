/// A string literal of exactly these scalars. A long one spans several lines, indented by `indent`
/// spaces.
func swiftLiteral(_ text: String, indent: Int) -> String {
    let pieces = text.unicodeScalars.map(escaped)
    let whole = pieces.joined()
    guard whole.count > maxColumns else { return "\"\(whole)\"" }
    let margin = "\n" + String(repeating: " ", count: indent)
    let lines = lines(of: pieces).joined(separator: "\\\(margin)")
    return "\"\"\"\(margin)\(withVisibleEnd(lines))\(margin)\"\"\""
}

/// The same on one line of any length.
func swiftLine(_ text: String) -> String {
    "\"\(text.unicodeScalars.map(escaped).joined())\""
}

/// An integer literal with separators: `1_000_000`.
func swiftLiteral(_ number: Int64) -> String {
    let digits = String(number.magnitude)
    guard digits.count > maxUngroupedDigits else { return "\(number)" }
    let first = digits.count % 3
    let groups =
        [digits.prefix(first)]
        + stride(from: first, to: digits.count, by: 3).map {
            digits.dropFirst($0).prefix(3)
        }
    return (number < 0 ? "-" : "") + groups.filter { !$0.isEmpty }.joined(separator: "_")
}

/// A literal of equivalent JSON without insignificant white space. Its lines are indented by
/// `indent` spaces.
func swiftLiteral(ofJSON json: String, indent: Int) -> String {
    let pieces = compactJSON(json)
    let margin = "\n" + String(repeating: " ", count: indent)
    let hashes = String(repeating: "#", count: longestRun(of: "#", in: json) + 1)
    let lines = lines(of: pieces, columns: maxJSONColumns, breakingAfter: ",")
        .joined(separator: "\\\(hashes)\(margin)")
    return "\(hashes)\"\"\"\(margin)\(lines)\(margin)\"\"\"\(hashes)"
}

/// Removes white space between tokens, and escapes invisible characters in strings as ASCII.
private func compactJSON(_ json: String) -> [String] {
    var isText = false
    var isEscaped = false
    return json.unicodeScalars.compactMap { scalar in
        if !isText, scalar.properties.isWhitespace { return nil }
        if scalar == "\"", !isEscaped { isText.toggle() }
        isEscaped = scalar == "\\" && !isEscaped
        guard scalar != " ", !isVisible(scalar) else { return String(scalar) }
        return UTF16.width(scalar) == 1
            ? jsonEscape(UInt16(scalar.value))
            : jsonEscape(UTF16.leadSurrogate(scalar)) + jsonEscape(UTF16.trailSurrogate(scalar))
    }
}

private func jsonEscape(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
}

private func longestRun(of character: Character, in text: String) -> Int {
    var longest = 0
    var run = 0
    for next in text {
        run = next == character ? run + 1 : 0
        longest = max(longest, run)
    }
    return longest
}

private let maxColumns = 60
private let maxJSONColumns = 76
private let maxUngroupedDigits = 6

/// Breaks after one of `ends` if possible, and never inside an escape.
private func lines(
    of pieces: [String], columns: Int = maxColumns, breakingAfter end: String = " "
) -> [String] {
    var lines: [String] = []
    var rest = pieces[...]
    while !rest.isEmpty {
        let fitting = prefix(of: rest, columns: columns)
        let words = fitting.lastIndex(of: end).map { rest[...$0] } ?? fitting
        let line = fitting.endIndex == rest.endIndex ? fitting : words
        lines.append(line.joined())
        rest = rest[line.endIndex...]
    }
    return lines
}

/// At least one piece, which guarantees progress.
private func prefix(of pieces: ArraySlice<String>, columns: Int) -> ArraySlice<String> {
    var room = columns
    let end = pieces.firstIndex { piece in
        room -= piece.count
        return room < 0
    }
    return pieces[..<max(end ?? pieces.endIndex, pieces.startIndex + 1)]
}

/// Many editors remove a space at the end of a line.
private func withVisibleEnd(_ line: String) -> String {
    line.last == " " ? line.dropLast() + "\\u{20}" : line
}

/// Escapes what would end the literal, and invisible scalars.
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
