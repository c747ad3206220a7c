extension FieldValue {
    /// Reads a value written as text, as a definition's default and the original wire have it.
    ///
    /// Nil when the text is not of that type. A `FILE` has no such form: it is never read.
    package init?(text: String, of type: FieldTypeName) {
        switch type {
        case .text: self = .text(text)
        case .integer:
            guard let number = Int64(strict: text) else { return nil }
            self = .integer(number)
        case .decimal:
            guard let number = ExactDecimal(text) else { return nil }
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

    /// The one text of a value, from which `init(text:of:)` makes it again: equal values have the
    /// same bytes here, others do not. A `FILE` has none.
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
    /// Reads a value as people write it: as `init(text:of:)` does, and a `DATE` as `WrittenInstant`
    /// does, of a day its start.
    package init?(written text: String, of type: FieldTypeName) {
        switch type {
        case .date:
            guard let instant = WrittenInstant(text) else { return nil }
            self = .date(milliseconds: instant.firstMilliseconds)
        case .text, .integer, .decimal, .boolean, .belongsTo, .file: self.init(text: text, of: type)
        }
    }

    /// What people read, from which `init(written:of:)` makes the value again; of a file its name,
    /// from which nothing can be made.
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

/// The start of a day is that day.
private func shortest(_ instant: String) -> String {
    let midnight = "T00:00:00Z"
    return instant.hasSuffix(midnight) ? String(instant.dropLast(midnight.count)) : instant
}

extension Int64 {
    /// Decimal digits with an optional minus sign, and nothing else (Swift's own also takes `+1`).
    package init?(strict text: String) {
        guard !text.hasPrefix("+") else { return nil }
        self.init(text)
    }
}

/// Whether a text is a UUID in its usual form: hex digits of either case in groups of 8-4-4-4-12.
///
/// A guid is kept as its client wrote it: some of the original clients write capitals, and find
/// their records again only by those.
package func isGuid(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 36 else { return false }
    return bytes.indices.allSatisfy { index in
        switch (index, bytes[index]) {
        case (8, UInt8(ascii: "-")), (13, UInt8(ascii: "-")), (18, UInt8(ascii: "-")),
            (23, UInt8(ascii: "-")):
            true
        case (8, _), (13, _), (18, _), (23, _): false
        case (_, UInt8(ascii: "0")...UInt8(ascii: "9")), (_, UInt8(ascii: "a")...UInt8(ascii: "f")),
            (_, UInt8(ascii: "A")...UInt8(ascii: "F")):
            true
        case (_, _): false
        }
    }
}
