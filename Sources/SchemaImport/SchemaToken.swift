/// A word or sign of a GraphQL schema. Comments, commas and descriptions are none.
enum SchemaToken: Hashable {
    case name(String)
    /// One of `{ } ( ) [ ] : ! = | & @ $`.
    case sign(Character)
    /// A text, without its quotes.
    case text(String)
    /// A number, as it is written.
    case number(String)

    /// Nil for a token that is no name.
    var name: String? {
        guard case .name(let name) = self else { return nil }
        return name
    }

    /// Nil for a text that does not end, and for a sign that there is not.
    static func all(in source: String) -> [SchemaToken]? {
        var tokens: [SchemaToken] = []
        var rest = Substring(source)
        while let first = rest.first {
            switch first {
            case "#": rest = rest.drop { !$0.isNewline }
            case "\"":
                guard let text = text(from: &rest) else { return nil }
                tokens.append(.text(text))
            case "{", "}", "(", ")", "[", "]", ":", "!", "=", "|", "&", "@", "$":
                tokens.append(.sign(first))
                rest = rest.dropFirst()
            case _ where first.isWhitespace || first == "," || first == "\u{FEFF}":
                rest = rest.dropFirst()
            case _ where isOfName(first):
                let word = rest.prefix(while: isOfName)
                tokens.append(first.isNumber ? .number(String(word)) : .name(String(word)))
                rest = rest.dropFirst(word.count)
            case "-", ".": rest = rest.dropFirst()
            case _: return nil
            }
        }
        return tokens
    }

    private static func isOfName(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber) || character == "_"
    }

    private static func text(from rest: inout Substring) -> String? {
        let mark = rest.hasPrefix("\"\"\"") ? "\"\"\"" : "\""
        rest = rest.dropFirst(mark.count)
        var text = ""
        while !rest.hasPrefix(mark) {
            guard let next = rest.popFirst(), mark.count == 3 || !next.isNewline else {
                return nil
            }
            if next == "\\", let escaped = rest.popFirst() {
                text.append(escaped)
            } else {
                text.append(next)
            }
        }
        rest = rest.dropFirst(mark.count)
        return text
    }
}
