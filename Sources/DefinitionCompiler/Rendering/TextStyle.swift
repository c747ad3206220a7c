/// Whether text for a terminal is coloured. Coloured text is the plain text with escape sequences.
package enum TextStyle: Hashable, Sendable, CaseIterable {
    case plain
    case coloured

    func paint(_ text: String, as part: StyledPart) -> String {
        switch self {
        case .plain: text
        case .coloured: text.isEmpty ? text : "\u{1B}[\(part.code)m\(text)\u{1B}[0m"
        }
    }
}

/// The role of a part of a text, which decides its colour.
enum StyledPart {
    /// The part that is read first: a message or a title.
    case heading
    /// The severity's name and the carets.
    case severity(Severity)
    case id(Severity)
    case gutter
    case help
    case code

    /// Uses those of the eight standard colours that are readable on both black and white.
    fileprivate var code: String {
        switch self {
        case .heading: "1"
        case .severity(let severity): "1;\(severity.colour)"
        case .id(let severity): severity.colour
        case .gutter: "34"
        case .help: "1;32"
        case .code: "36"
        }
    }
}

extension Severity {
    fileprivate var colour: String {
        switch self {
        case .error: "31"
        case .warning: "35"
        case .note: "36"
        }
    }
}
