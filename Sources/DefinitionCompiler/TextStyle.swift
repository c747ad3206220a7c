/// Whether a text for people is coloured. But for its escape sequences, a coloured text is the
/// plain one.
package enum TextStyle: Hashable, Sendable, CaseIterable {
    case plain
    case coloured

    func paint(_ text: String, as part: TextPart) -> String {
        switch self {
        case .plain: text
        case .coloured: text.isEmpty ? text : "\u{1B}[\(part.code)m\(text)\u{1B}[0m"
        }
    }
}

/// What a stretch of a text for people is.
enum TextPart {
    /// What is read first: a message, a title.
    case heading
    /// The word that says how much a diagnostic weighs, and the carets.
    case severity(Severity)
    case id(Severity)
    case gutter
    case help
    case code

    /// Of the eight colours that every terminal has, those that can be read on black and on white.
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
