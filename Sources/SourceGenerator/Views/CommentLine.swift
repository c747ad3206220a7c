import Mustache

/// A line of a comment, without its delimiter.
struct CommentLine {
    let line: String
    let isFirst: Bool
    let isLast: Bool
}

extension CommentLine: MustacheParent {
    func child(named member: String) -> Any? {
        switch member {
        case "line": line
        case "isFirst": isFirst
        case "isLast": isLast
        case _: nil
        }
    }
}

/// The description as lines of a comment; empty if there is none.
func commentLines(of text: String?, in dialect: Dialect) -> [CommentLine] {
    let lines = (text ?? "").split(whereSeparator: \.isNewline)
        .map { dialect.comment(inComment(String($0))) }
        .filter { !$0.isEmpty }
    return lines.enumerated().map { index, line in
        CommentLine(line: line, isFirst: index == 0, isLast: index == lines.count - 1)
    }
}

/// Escapes a text for a line of a comment: nothing in it ends the line, is invisible, or changes
/// the text's direction.
func inComment(_ text: String) -> String {
    let words = text.split(whereSeparator: \.isWhitespace).map { word in
        String(String.UnicodeScalarView(word.unicodeScalars.filter(\.isSeen)))
    }
    return words.filter { !$0.isEmpty }.joined(separator: " ")
}

extension Unicode.Scalar {
    fileprivate var isSeen: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        case _: true
        }
    }
}
