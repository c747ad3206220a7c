/// Deeper JSON is refused: the deepest message has five levels.
package let maxJSONDepth = 32

/// Reads JSON (RFC 8259, UTF-8, no byte-order mark) so that nothing in it is rounded, repaired or
/// dropped: a number is exact or `unrepresentable`, and a name that comes twice is refused, where
/// Foundation's decoder takes the nearest binary number and the first of the names.
///
/// A string with half a surrogate pair, which no `String` can hold, is `unrepresentable` too: only
/// the change that has it is then refused, not the whole batch. Takes time and memory in proportion
/// to the bytes. Fails with `DecodingError.dataCorrupted` and an empty path.
package func parseJSON(_ bytes: [UInt8]) throws -> JSONValue {
    guard validText(bytes) != nil else {
        throw DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: [], debugDescription: "the text is not UTF-8, encode it so"))
    }
    var parser = JSONParser(bytes: bytes)
    return try parser.document()
}

private struct JSONParser {
    let bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() throws -> JSONValue {
        let value = try value(depth: 0)
        skipSpace()
        guard next == nil else { throw mistake("send one value, and nothing after it") }
        return value
    }

    private mutating func value(depth: Int) throws -> JSONValue {
        skipSpace()
        guard let next else { throw mistake("a value belongs here") }
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return try string().map(JSONValue.string) ?? .unrepresentable
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        case _: throw mistake("a value belongs here")
        }
    }

    private mutating func object(depth: Int) throws -> JSONValue {
        var members: [String: JSONValue] = [:]
        try list(to: UInt8(ascii: "}"), depth: depth) { parser in
            // Growing costs more than reading. A small object reserves no more than it needs,
            // because a body may be full of them.
            if members.count == 3 { members.reserveCapacity(12) }
            guard parser.next == UInt8(ascii: "\"") else {
                throw parser.mistake("a name in double quotes belongs here")
            }
            let start = parser.position
            guard let name = try parser.string() else {
                throw parser.mistake("half a surrogate pair is no name", at: start)
            }
            parser.skipSpace()
            guard parser.take(UInt8(ascii: ":")) else { throw parser.mistake("a ':' belongs here") }
            let value = try parser.value(depth: depth)
            guard members.updateValue(value, forKey: name) == nil else {
                throw parser.mistake("the name '\(name)' comes twice, send it once", at: start)
            }
        }
        return .object(members)
    }

    private mutating func array(depth: Int) throws -> JSONValue {
        var elements: [JSONValue] = []
        try list(to: UInt8(ascii: "]"), depth: depth) { parser in
            elements.append(try parser.value(depth: depth))
        }
        return .array(elements)
    }

    /// The text between an opening bracket, which is next, and its closing bracket.
    private mutating func list(
        to end: UInt8, depth: Int, item: (inout JSONParser) throws -> Void
    ) throws {
        guard depth <= maxJSONDepth else {
            throw mistake("nest at most \(maxJSONDepth) deep")
        }
        position += 1
        skipSpace()
        if take(end) { return }
        repeat {
            skipSpace()
            try item(&self)
            skipSpace()
        } while take(UInt8(ascii: ","))
        guard take(end) else {
            throw mistake("a ',' or '\(Character(Unicode.Scalar(end)))' belongs here")
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws -> JSONValue {
        let start = position
        for index in 0..<word.utf8CodeUnitCount {
            guard take(word.utf8Start[index]) else {
                throw mistake("a value belongs here", at: start)
            }
        }
        return value
    }
}

// MARK: - Numbers

extension JSONParser {
    private mutating func number() throws -> JSONValue {
        var number = JSONNumber()
        number.isNegative = take(UInt8(ascii: "-"))
        number.whole = try digits()
        guard number.whole.count == 1 || number.whole.first != UInt8(ascii: "0") else {
            throw mistake("a number does not start with 0", at: position - number.whole.count)
        }
        if take(UInt8(ascii: ".")) { number.fraction = try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            let isNegative = take(UInt8(ascii: "-"))
            if !isNegative { _ = take(UInt8(ascii: "+")) }
            number.exponent =
                try (isNegative ? "-" : "") + String(decoding: digits(), as: UTF8.self)
        }
        return number.value
    }

    private mutating func digits() throws -> ArraySlice<UInt8> {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            position += 1
        }
        guard position > start else { throw mistake("a digit belongs here") }
        return bytes[start..<position]
    }
}

// MARK: - Strings

extension JSONParser {
    /// Nil if it holds half a surrogate pair. Most strings have no escapes.
    private mutating func string() throws -> String? {
        let start = position
        position += 1
        skipPlainText()
        guard next == UInt8(ascii: "\"") else { return try escapedString(from: start) }
        position += 1
        return String(decoding: bytes[start + 1..<position - 1], as: UTF8.self)
    }

    /// The same for a string with an escape, after the part without escapes.
    private mutating func escapedString(from start: Int) throws -> String? {
        var text = Array(bytes[start + 1..<position])
        var isWhole = true
        while let byte = next {
            let runStart = position
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return isWhole ? String(decoding: text, as: UTF8.self) : nil
            case UInt8(ascii: "\\"):
                if let scalar = try escape() {
                    append(scalar, to: &text)
                } else {
                    isWhole = false
                }
            case 0..<0x20: throw mistake("write a control character as an escape, such as '\\n'")
            case _:
                skipPlainText()
                text.append(contentsOf: bytes[runStart..<position])
            }
        }
        throw mistake("the string that starts here has no end", at: start)
    }

    private mutating func skipPlainText() {
        position = bytes.withUnsafeBufferPointer { [position] bytes in
            firstToEscape(in: bytes, from: position) ?? bytes.count
        }
    }

    /// Nil when it is half of a surrogate pair.
    private mutating func escape() throws -> Unicode.Scalar? {
        let start = position
        position += 1
        guard let letter = next else { throw mistake("the string has no end") }
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return .init(letter)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            let unit = try codeUnit()
            guard UTF16.isLeadSurrogate(unit) else { return .init(unit) }
            return try trailingScalar(of: unit)
        case _: throw mistake("there is no such escape, write '\\\\' for a backslash", at: start)
        }
    }

    /// The scalar that a leading surrogate begins; nil, and nothing is taken, when no trailing one
    /// follows.
    private mutating func trailingScalar(of lead: UInt16) throws -> Unicode.Scalar? {
        let start = position
        if take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
            let trail = try codeUnit()
            if UTF16.isTrailSurrogate(trail) {
                return String(decoding: [lead, trail], as: UTF16.self).unicodeScalars.first
            }
        }
        position = start
        return nil
    }

    private mutating func codeUnit() throws -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = next?.hexDigitValue else {
                throw mistake("four hex digits belong after '\\u'")
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }
}

/// Most escapes are of ASCII characters.
private func append(_ scalar: Unicode.Scalar, to utf8: inout [UInt8]) {
    if scalar.isASCII {
        utf8.append(UInt8(scalar.value))
    } else {
        utf8.append(contentsOf: UTF8.encode(scalar).unsafelyUnwrapped)
    }
}

// MARK: - Bytes

extension JSONParser {
    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = next, byte.isSpace { position += 1 }
    }

    /// Lines and columns start at 1; columns count Unicode scalars.
    private func mistake(_ help: String, at place: Int? = nil) -> DecodingError {
        let before = bytes[..<(place ?? position)]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let column = before[lineStart...].count { !UTF8.isContinuation($0) } + 1
        return .dataCorrupted(
            DecodingError.Context(
                codingPath: [], debugDescription: "line \(line), column \(column): \(help)"))
    }
}

extension UInt8 {
    fileprivate var isSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
