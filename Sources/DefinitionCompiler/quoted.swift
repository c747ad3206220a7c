/// Text of a document for a message: quoted, shortened if long, without control characters.
func quoted(_ text: String) -> String { "'\(plain(text))'" }

/// Like `quoted`, without the quotes.
func plain(_ text: String) -> String {
    let shown = text.unicodeScalars.prefix(mostScalarsShown)
    let rest = shown.endIndex == text.unicodeScalars.endIndex ? "" : "…"
    return String(String.UnicodeScalarView(shown.map(visible))) + rest
}

private let mostScalarsShown = 80

/// The scalar, or a visible replacement for an invisible one.
func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
    default: scalar
    }
}

/// Such as "'a'", "'a' or 'b'", "'a', 'b' or 'c'".
func alternatives(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.map(quoted).joined() }
    return names.dropLast().map(quoted).joined(separator: ", ") + " or " + quoted(last)
}

/// Such as "'a'", "'a' and 'b'", "'a', 'b' and 'c'". A long list is shortened, with the number of
/// further names.
func quotedList(_ names: [String], _ conjunction: String = "and") -> String {
    guard names.count > 1 else { return names.map(quoted).joined() }
    let isCut = names.count > mostNamesShown
    let shown = names.prefix(isCut ? mostNamesShown - 1 : names.count - 1).map(quoted)
    let rest = isCut ? "\(names.count - shown.count) others" : names.suffix(1).map(quoted).joined()
    return "\(shown.joined(separator: ", ")) \(conjunction) \(rest)"
}

private let mostNamesShown = 5
