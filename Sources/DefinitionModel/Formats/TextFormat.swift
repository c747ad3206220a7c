package import JSON

/// The format of the texts of a `TEXT` field, beside plain text.
package struct TextFormat: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A JSON object or array, nested at most `maxDepth` deep, whose numbers are held exactly.
        case json
        /// Bytes in base64 (RFC 4648), padded, without line breaks.
        case base64
        /// A `GeoPosition`.
        case geo
    }

    package let kind: Kind
    /// The limit in bytes: of the canonical text of JSON, and of the decoded base64. It is at most
    /// the greatest one of the kind.
    package let maxBytes: Int

    package init(_ kind: Kind, maxBytes: Int = defaultMaxBytes) {
        self.kind = kind
        self.maxBytes = min(maxBytes, kind.greatestMaxBytes)
    }

    package static let defaultMaxBytes = 65_536
    /// Lower than the depth of a message, so that every message can hold such a value.
    package static let maxDepth = 24

    /// The UTF-16 code units of the longest text with `maxBytes`.
    package var maxLength: Int {
        switch kind {
        case .json, .geo: maxBytes
        case .base64: (maxBytes + 2) / 3 * 4
        }
    }

    /// The one text in which a value is stored: of JSON without spaces, members in the order of
    /// their bytes. Nil if the text does not have the format.
    package func canonicalText(of text: String) -> String? {
        switch kind {
        case .json: JSONValue(formatted: text)?.text
        case .base64: base64Bytes(text) == nil ? nil : text
        case .geo: GeoPosition(text)?.description
        }
    }

    /// - Parameter value: The value of which `text` is the canonical text, if it is known.
    func violations(of text: String, parsed value: JSONValue?) -> [LimitViolation] {
        let bytes: Int? =
            switch (kind, value) {
            case (.json, let value?): value.isFormatted ? text.utf8.count : nil
            case (.json, nil), (.geo, _): canonicalText(of: text)?.utf8.count
            case (.base64, _): base64Bytes(text)
            }
        guard let bytes else { return [.wrongFormat(kind)] }
        return bytes > maxBytes ? [.tooManyBytes(max: maxBytes)] : []
    }
}

extension TextFormat.Kind {
    /// The greatest `maxBytes`; a text has at most 1,000,000 code units. A position always has
    /// fewer.
    package var greatestMaxBytes: Int {
        switch self {
        case .json: 1_000_000
        case .base64: 750_000
        case .geo: 100
        }
    }

    /// The text of the least value.
    package var leastText: String {
        switch self {
        case .json: "{}"
        case .base64: ""
        case .geo: "0,0"
        }
    }
}

extension JSONValue {
    /// The value of a text with the format `json`; nil for any other text.
    package init?(formatted text: String) {
        guard let value = try? parseJSON(Array(text.utf8)), value.isFormatted else { return nil }
        self = value
    }

    /// Whether it is a value of a field with the format `json`.
    package var isFormatted: Bool {
        switch self {
        case .object, .array: isExact && isNested(atMost: TextFormat.maxDepth)
        case .null, .boolean, .integer, .decimal, .string, .unrepresentable: false
        }
    }
}

extension FieldType {
    /// The format of a text; nil for plain texts and for other types.
    package var format: TextFormat? {
        switch self {
        case .text(let limits): limits.format
        case .integer, .decimal, .boolean, .date, .belongsTo, .file: nil
        }
    }

    /// The value in the form in which it is stored; see `TextFormat`. A value without the format
    /// is returned unchanged.
    package func canonical(_ value: FieldValue) -> FieldValue {
        guard let format, case .text(let text) = value else { return value }
        return .text(format.canonicalText(of: text) ?? text)
    }
}

/// The number of bytes that a text in base64 stands for; nil for another text. Bits that stand for
/// nothing must be 0, so that equal bytes have equal texts.
private func base64Bytes(_ text: String) -> Int? {
    let bytes = Array(text.utf8)
    let padding = bytes.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
    let digits = bytes.dropLast(padding)
    guard bytes.count % 4 == 0, digits.allSatisfy({ base64Digit($0) != nil }) else { return nil }
    if padding > 0 {
        guard let last = digits.last.flatMap(base64Digit), last % (padding == 1 ? 4 : 16) == 0
        else { return nil }
    }
    return bytes.count / 4 * 3 - padding
}

private func base64Digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    case _: nil
    }
}
