extension FieldValue {
    /// Parses the text form that a definition's default and the original wire use.
    ///
    /// Nil if the text is not of that type. A `FILE` has no text form.
    package init?(text: String, of type: FieldTypeName) {
        switch type {
        case .text: self = .text(text)
        case .integer:
            guard let number = Int64(strict: text) else { return nil }
            self = .integer(number)
        case .decimal:
            guard let number = DecimalNumber(text) else { return nil }
            self = .decimal(number)
        case .boolean:
            guard text == "true" || text == "false" else { return nil }
            self = .boolean(text == "true")
        case .date:
            guard let milliseconds = Int64(strict: text) else { return nil }
            self = .date(milliseconds: milliseconds)
        case .belongsTo:
            guard isGuid(text) else { return nil }
            self = .reference(guid: text)
        case .file: return nil
        }
    }

    /// The canonical text, which `init(text:of:)` parses back. Equal values have equal bytes and
    /// unequal values do not. Nil for a `FILE`.
    package var canonicalText: String? {
        switch self {
        case .text(let text): text
        case .integer(let number): String(number)
        case .decimal(let number): number.description
        case .boolean(let flag): String(flag)
        case .date(let milliseconds): String(milliseconds)
        case .reference(let guid): guid
        case .file: nil
        }
    }
}

extension FieldValue {
    /// Parses a value as people write it. Accepts the forms of `init(text:of:)` and, for a `DATE`,
    /// those of `WrittenInstant`; a day means its first millisecond.
    package init?(written text: String, of type: FieldTypeName) {
        switch type {
        case .date:
            guard let instant = WrittenInstant(text) else { return nil }
            self = .date(milliseconds: instant.firstMilliseconds)
        case .text, .integer, .decimal, .boolean, .belongsTo, .file: self.init(text: text, of: type)
        }
    }

    /// The readable text, which `init(written:of:)` parses back. For a file it is the name, which
    /// cannot be parsed back.
    package var writtenText: String {
        switch self {
        case .text(let text): text
        case .integer(let number): String(number)
        case .decimal(let number): number.description
        case .boolean(let flag): String(flag)
        case .date(let milliseconds): shortest(readableInstant(milliseconds: milliseconds))
        case .reference(let guid): guid
        case .file(let file): file.filename
        }
    }
}

/// Midnight is written as a day without a time.
private func shortest(_ instant: String) -> String {
    let midnight = "T00:00:00Z"
    return instant.hasSuffix(midnight) ? String(instant.dropLast(midnight.count)) : instant
}

extension Int64 {
    /// Accepts decimal digits with an optional minus sign only; Swift's own initializer also takes
    /// `+1`.
    package init?(strict text: String) {
        guard !text.hasPrefix("+") else { return nil }
        self.init(text)
    }
}

/// Whether a text is a UUID in the usual form: hex digits of either case in groups of 8-4-4-4-12.
///
/// A guid is stored as its client wrote it: some original clients write capitals, and match their
/// records by the exact text.
package func isGuid(_ text: String) -> Bool {
    guard text.utf8.count == 36 else { return false }
    var text = text
    return text.withUTF8 { bytes in
        bytes.indices.allSatisfy { index in
            switch index {
            case 8, 13, 18, 23: bytes[index] == UInt8(ascii: "-")
            default: isHexDigit(bytes[index])
            }
        }
    }
}

private func isHexDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
        UInt8(ascii: "A")...UInt8(ascii: "F"):
        true
    default: false
    }
}
