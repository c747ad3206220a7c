/// Replaces comments and the contents of strings and regular expressions by spaces.
///
/// Newlines and code in interpolations stay, so line numbers and braces are reliable. Each replaced
/// byte becomes one space.
func codeOnly(_ text: String) -> String {
    var reader = Reader(text)
    reader.readCode()
    return String(decoding: reader.code, as: UTF8.self)
}

private struct Reader {
    private let source: [UInt8]
    private var index = 0
    private(set) var code: [UInt8] = []

    init(_ text: String) {
        source = Array(text.utf8)
        code.reserveCapacity(source.count)
    }

    /// Reads to the end or, in an interpolation, to its closing parenthesis.
    mutating func readCode(inInterpolation: Bool = false) {
        var depth = 0
        while let byte = peek() {
            if looksAt("//") {
                skipLine()
            } else if looksAt("/*") {
                skipBlockComment()
            } else if let hashes = hashesBefore(UInt8(ascii: "\"")) {
                readString(hashes: hashes)
            } else if let hashes = hashesBefore(UInt8(ascii: "/")), startsExpression(hashes) {
                skipExpression(hashes: hashes)
            } else {
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") { depth -= 1 }
                if inInterpolation && depth < 0 { return }
                keep()
            }
        }
    }

    private mutating func readString(hashes: Int) {
        keep(hashes)
        let quotes = looksAt("\"\"\"") ? 3 : 1
        keep(quotes)
        let end = String(repeating: "\"", count: quotes) + String(repeating: "#", count: hashes)
        let escape = "\\" + String(repeating: "#", count: hashes)
        while let byte = peek() {
            if looksAt(end) { return keep(end.utf8.count) }
            if quotes == 1 && byte == UInt8(ascii: "\n") { return }
            if looksAt(escape + "(") {
                skip(escape.utf8.count)
                keep()
                readCode(inInterpolation: true)
                keep()
            } else {
                skip(looksAt(escape) ? escape.utf8.count + 1 : 1)
            }
        }
    }

    private mutating func skipLine() {
        while let byte = peek(), byte != UInt8(ascii: "\n") { skip() }
    }

    private mutating func skipBlockComment() {
        var depth = 0
        repeat {
            if looksAt("/*") { depth += 1 }
            if looksAt("*/") { depth -= 1 }
            skip(looksAt("/*") || looksAt("*/") ? 2 : 1)
        } while depth > 0 && peek() != nil
    }

    private mutating func skipExpression(hashes: Int) {
        let end = "/" + String(repeating: "#", count: hashes)
        skip(hashes + 1)
        while peek() != nil, !looksAt(end) { skip(looksAt("\\") ? 2 : 1) }
        skip(end.utf8.count)
    }

    /// A bare `/` starts a regular expression only where a value can stand and not before a space,
    /// and must end on the same line.
    private func startsExpression(_ hashes: Int) -> Bool {
        guard hashes == 0 else { return true }
        let before = code.last { $0 != UInt8(ascii: " ") } ?? UInt8(ascii: "(")
        let rest = source[(index + 1)...].prefix { $0 != UInt8(ascii: "\n") }
        return "(,=:[{!?&|;\n".utf8.contains(before) && rest.first != UInt8(ascii: " ")
            && rest.contains(UInt8(ascii: "/"))
    }

    /// The number of `#` before the given byte here; nil if something else follows.
    private func hashesBefore(_ byte: UInt8) -> Int? {
        var end = index
        while end < source.count, source[end] == UInt8(ascii: "#") { end += 1 }
        return end < source.count && source[end] == byte ? end - index : nil
    }

    private func peek() -> UInt8? { index < source.count ? source[index] : nil }

    private func looksAt(_ text: String) -> Bool {
        source[index...].starts(with: text.utf8)
    }

    private mutating func keep(_ count: Int = 1) {
        code += source[index..<min(index + count, source.count)]
        index = min(index + count, source.count)
    }

    private mutating func skip(_ count: Int = 1) {
        for byte in source[index..<min(index + count, source.count)] {
            code.append(byte == UInt8(ascii: "\n") ? byte : UInt8(ascii: " "))
        }
        index = min(index + count, source.count)
    }
}
