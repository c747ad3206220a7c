/// An encoding of documents.
package enum TextEncoding: String, CaseIterable, Sendable {
    case utf8, utf16LittleEndian, utf16BigEndian, latin1

    /// The name in an XML declaration.
    package var name: String {
        switch self {
        case .utf8: "UTF-8"
        case .utf16LittleEndian, .utf16BigEndian: "UTF-16"
        case .latin1: "ISO-8859-1"
        }
    }

    /// Whether the encoding contains the character.
    package func has(_ scalar: Unicode.Scalar) -> Bool {
        switch self {
        case .utf8, .utf16LittleEndian, .utf16BigEndian: true
        case .latin1: scalar.value < 0x100
        }
    }

    /// Encodes a text that has only characters of the encoding. Latin-1 has no byte-order mark.
    package func bytes(of text: String, withMark: Bool) -> [UInt8] {
        switch self {
        case .utf8: (withMark ? [0xEF, 0xBB, 0xBF] : []) + text.utf8
        case .utf16LittleEndian:
            (withMark ? [0xFF, 0xFE] : [])
                + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        case .utf16BigEndian:
            (withMark ? [0xFE, 0xFF] : [])
                + text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        case .latin1: text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        }
    }

    /// Decodes bytes without a byte-order mark; invalid bytes are replaced.
    package func text(of bytes: [UInt8]) -> String {
        let pairs = stride(from: 0, to: bytes.count - 1, by: 2)
        let units: [UInt16] =
            switch self {
            case .utf16LittleEndian: pairs.map { UInt16(bytes[$0 + 1]) << 8 | UInt16(bytes[$0]) }
            case .utf16BigEndian: pairs.map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
            case .utf8, .latin1: []
            }
        let text =
            switch self {
            case .utf8: String(decoding: bytes, as: UTF8.self)
            case .utf16LittleEndian, .utf16BigEndian: String(decoding: units, as: UTF16.self)
            case .latin1:
                String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
            }
        let hasMark = text.unicodeScalars.first == "\u{FEFF}"
        return hasMark ? String(text.unicodeScalars.dropFirst()) : text
    }
}
