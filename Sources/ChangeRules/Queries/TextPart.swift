import DefinitionModel

/// A text that stands at the start of another text, at its end, or anywhere in it.
package struct TextPart: Hashable, Sendable {
    package let text: String
    package let isAtStart: Bool
    package let isAtEnd: Bool
    package let ignoresCase: Bool
    /// As it is looked for.
    private let sought: String
    private let search: TextSearch

    package init(
        _ text: String, isAtStart: Bool = false, isAtEnd: Bool = false, ignoresCase: Bool = false
    ) {
        self.text = text
        self.isAtStart = isAtStart
        self.isAtEnd = isAtEnd
        self.ignoresCase = ignoresCase
        sought = ignoresCase ? text.lowercased() : text
        search = TextSearch(for: Array(sought.unicodeScalars))
    }

    /// Takes time in proportion to the length of the text.
    func stands(in text: String) -> Bool {
        let whole = ignoresCase ? text.lowercased() : text
        return switch (isAtStart, isAtEnd) {
        case (true, true): whole.hasSameBytes(as: sought)
        case (true, false): whole.utf8.starts(with: sought.utf8)
        case (false, true): whole.utf8.reversed().starts(with: sought.utf8.reversed())
        case (false, false): search.firstIndex(in: Array(whole.unicodeScalars)) != nil
        }
    }
}
