import DefinitionModel
import ForeignValues
import Foundation
import JSON

/// A word of a question.
enum QuestionToken: Hashable, Sendable {
    case open, close, comma, minus
    /// A name, an operator or a function.
    case word(String)
    /// As written, without a sign.
    case number(String)
    case value(FieldValue)
    case end
}

/// Reads the words of a question from left to right.
struct QuestionLexer {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func next() throws(QuestionFault) -> QuestionToken {
        while let byte = peek(), byte == UInt8(ascii: " ") || byte == 0x09 { index += 1 }
        guard let byte = peek() else { return .end }
        if let guid = guid() { return .value(.text(guid)) }
        switch byte {
        case UInt8(ascii: "("): return symbol(.open)
        case UInt8(ascii: ")"): return symbol(.close)
        case UInt8(ascii: ","): return symbol(.comma)
        case UInt8(ascii: "-"): return symbol(.minus)
        case UInt8(ascii: "'"): return .value(.text(try quoted()))
        case _ where isDigit(byte): return try number()
        case _ where isLetter(byte): return try word()
        case _: throw QuestionFault("the filter has an unexpected sign at byte \(index + 1)")
        }
    }

    private func peek(_ offset: Int = 0) -> UInt8? {
        index + offset < bytes.count ? bytes[index + offset] : nil
    }

    private mutating func symbol(_ token: QuestionToken) -> QuestionToken {
        index += 1
        return token
    }

    private mutating func take(while isPart: (UInt8) -> Bool) -> String {
        let start = index
        while let byte = peek(), isPart(byte) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// A guid without quotes, as the third generation writes it.
    private mutating func guid() -> String? {
        let count = 36
        guard peek(8) == UInt8(ascii: "-"), index + count <= bytes.count else { return nil }
        let text = String(decoding: bytes[index..<index + count], as: UTF8.self)
        guard isGuid(text) else { return nil }
        index += count
        return text
    }

    /// A text in quotes, in which two quotes are one.
    private mutating func quoted() throws(QuestionFault) -> String {
        index += 1
        var text: [UInt8] = []
        while let byte = peek() {
            index += 1
            guard byte == UInt8(ascii: "'") else {
                text.append(byte)
                continue
            }
            guard peek() == byte else { return String(decoding: text, as: UTF8.self) }
            text.append(byte)
            index += 1
        }
        throw QuestionFault("a text of the filter is not closed with a quote")
    }

    private mutating func word() throws(QuestionFault) -> QuestionToken {
        let word = take { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: ".") }
        guard peek() == UInt8(ascii: "'") else { return .word(word) }
        let text = try quoted()
        switch word.lowercased() {
        case "datetime", "datetimeoffset":
            guard let time = milliseconds(ofWritten: text) else {
                throw QuestionFault("'\(text)' is not a time")
            }
            return .value(.date(milliseconds: time))
        case "guid":
            guard isGuid(text) else { throw QuestionFault("'\(text)' is not a guid") }
            return .value(.text(text))
        case "x", "binary":
            guard let octets = octets(ofHex: text) else {
                throw QuestionFault("'\(text)' is not made of pairs of hexadecimal digits")
            }
            // As clients write bytes in rows.
            return .value(.text(Data(octets).base64EncodedString()))
        case _: throw QuestionFault("values of the form \(word)'…' are not served")
        }
    }

    /// A number with an optional suffix of its type, or a bare time or time of day.
    private mutating func number() throws(QuestionFault) -> QuestionToken {
        let start = index
        var digits = take(while: isDigit)
        if digits.count == 4, peek() == UInt8(ascii: "-") {
            index = start
            let text = take { isDigit($0) || "-:.+TZ".utf8.contains($0) }
            guard let time = milliseconds(ofWritten: text) else {
                throw QuestionFault("'\(text)' is not a time")
            }
            return .value(.date(milliseconds: time))
        }
        if peek() == UInt8(ascii: ":") {
            index = start
            let text = take { isDigit($0) || ":.".utf8.contains($0) }
            guard let time = timeOfDay(ofWritten: text) else {
                throw QuestionFault("'\(text)' is not a time of day")
            }
            return .value(.text(time))
        }
        if peek() == UInt8(ascii: ".") {
            index += 1
            digits += "." + take(while: isDigit)
        }
        if let byte = peek(), byte | 0x20 == UInt8(ascii: "e") {
            index += 1
            let sign = peek() == UInt8(ascii: "-") || peek() == UInt8(ascii: "+")
            if sign { index += 1 }
            let isNegative = sign && bytes[index - 1] == UInt8(ascii: "-")
            digits += (isNegative ? "e-" : "e") + take(while: isDigit)
        }
        if let byte = peek(), "lmfd".utf8.contains(byte | 0x20) { index += 1 }
        if let byte = peek(), isLetter(byte) || isDigit(byte) {
            throw QuestionFault("'\(digits)' is followed by a letter")
        }
        return .number(digits)
    }
}

extension FieldValue {
    /// A number as JSON has it; nil if the text is none, or has too many digits.
    init?(number text: String) {
        guard let json = try? parseJSON(Array(text.utf8)) else { return nil }
        switch json {
        case .integer(let number): self = .integer(number)
        case .decimal(let text):
            guard let number = DecimalNumber(text) else { return nil }
            self = .decimal(number)
        case .null, .boolean, .string, .array, .object, .unrepresentable: return nil
        }
    }
}

/// Nil unless the text is made of pairs of hexadecimal digits.
private func octets(ofHex text: String) -> [UInt8]? {
    let digits = text.compactMap(\.hexDigitValue)
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map {
        UInt8(16 * digits[$0] + digits[$0 + 1])
    }
}

private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

private func isLetter(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
}
