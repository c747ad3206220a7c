import DefinitionModel

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
    listed(names.map(quoted), by: "or")
}

/// Such as "'a'", "'a' and 'b'", "'a', 'b' and 'c'". A long list is shortened, with the number of
/// further names.
func quotedList(_ names: [String], _ conjunction: String = "and") -> String {
    guard names.count > mostNamesShown else { return listed(names.map(quoted), by: conjunction) }
    let shown = names.prefix(mostNamesShown - 1).map(quoted)
    return listed(shown + ["\(names.count - shown.count) others"], by: conjunction)
}

private let mostNamesShown = 5
