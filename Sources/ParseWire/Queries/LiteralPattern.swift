import ChangeRules

/// A regular expression that stands for a text at the start, at the end, or anywhere.
struct LiteralPattern: Hashable, Sendable {
    private(set) var text = ""
    private(set) var isStart = false
    private(set) var isEnd = false

    /// Nil for other patterns. Clients quote a text as `\Qtext\E`, with `\E\\E\Q` for a `\E` in it.
    init?(_ source: String) {
        var rest = source[...]
        if rest.first == "^" {
            isStart = true
            rest.removeFirst()
        }
        while let character = rest.popFirst() {
            switch character {
            case "\\": guard takeEscape(&rest) else { return nil }
            case "$" where rest.isEmpty: isEnd = true
            case "^", "$", ".", "|", "?", "*", "+", "(", ")", "[", "]", "{", "}": return nil
            default: text.append(character)
            }
        }
    }

    /// After a backslash: a quoted text, or a character that stands for itself.
    private mutating func takeEscape(_ rest: inout Substring) -> Bool {
        guard let next = rest.popFirst() else { return false }
        if next == "Q" {
            guard let end = rest.firstRange(of: "\\E") else {
                text += rest
                rest = ""
                return true
            }
            text += rest[..<end.lowerBound]
            rest = rest[end.upperBound...]
            return true
        }
        guard next.isASCII, !next.isLetter, !next.isNumber else { return false }
        text.append(next)
        return true
    }

    func part(ignoringCase ignoresCase: Bool) -> TextPart {
        TextPart(text, isAtStart: isStart, isAtEnd: isEnd, ignoresCase: ignoresCase)
    }

    /// The same as a pattern of the engine.
    var likePattern: String {
        var escaped = ""
        for character in text {
            if "%_\\".contains(character) { escaped.append("\\") }
            escaped.append(character)
        }
        return (isStart ? "" : "%") + escaped + (isEnd ? "" : "%")
    }
}
