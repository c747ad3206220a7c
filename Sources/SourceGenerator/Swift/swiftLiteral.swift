/// A string literal of exactly these scalars. A long one spans several lines, indented by `indent`
/// spaces.
func swiftLiteral(_ text: String, indent: Int) -> String {
    let pieces = text.unicodeScalars.map(escaped)
    let whole = pieces.joined()
    guard whole.count > maxColumns else { return "\"\(whole)\"" }
    let margin = "\n" + String(repeating: " ", count: indent)
    var breaker = LineBreaker(
        columns: maxColumns, breakingAfter: " ", separator: "\\\(margin)")
    for piece in pieces { breaker.append(piece) }
    return "\"\"\"\(margin)\(withVisibleEnd(breaker.finish()))\(margin)\"\"\""
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
    let margin = "\n" + String(repeating: " ", count: indent)
    let hashes = String(repeating: "#", count: longestRun(of: UInt8(ascii: "#"), in: json) + 1)
    var breaker = LineBreaker(
        columns: maxJSONColumns, breakingAfter: ",", separator: "\\\(hashes)\(margin)")
    appendCompactJSON(json, to: &breaker)
    return "\(hashes)\"\"\"\(margin)\(breaker.finish())\(margin)\"\"\"\(hashes)"
}

/// Removes white space between tokens, and escapes invisible characters in strings as ASCII.
private func appendCompactJSON(_ json: String, to breaker: inout LineBreaker) {
    var isText = false
    var isEscaped = false
    for scalar in json.unicodeScalars {
        if !isText, isJSONWhiteSpace(scalar) { continue }
        if scalar == "\"", !isEscaped { isText.toggle() }
        isEscaped = scalar == "\\" && !isEscaped
        if scalar == " " || isVisible(scalar) {
            breaker.append(scalar)
        } else if UTF16.width(scalar) == 1 {
            breaker.append(jsonEscape(UInt16(scalar.value)))
        } else {
            breaker.append(
                jsonEscape(UTF16.leadSurrogate(scalar)) + jsonEscape(UTF16.trailSurrogate(scalar)))
        }
    }
}

private func isJSONWhiteSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\n" || scalar == "\r" || scalar == "\t"
}

private func jsonEscape(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
}

private func longestRun(of byte: UInt8, in text: String) -> Int {
    var longest = 0
    var run = 0
    for next in text.utf8 {
        run = next == byte ? run + 1 : 0
        longest = max(longest, run)
    }
    return longest
}

private let maxColumns = 60
private let maxJSONColumns = 76
private let maxUngroupedDigits = 6

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
    if scalar.isASCII { return ("!"..."~").contains(scalar) }
    return !unseen.contains(scalar.properties.generalCategory)
}

private let unseen: Set<Unicode.GeneralCategory> = [
    .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate,
    .privateUse, .unassigned, .nonspacingMark, .enclosingMark, .spacingMark,
]
