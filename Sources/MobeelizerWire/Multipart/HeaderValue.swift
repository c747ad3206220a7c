/// The value of a header and its parameters, such as `form-data; name="file"; filename="a.zip"`.
struct HeaderValue {
    /// In lower case.
    let value: String
    /// By name, in lower case.
    private(set) var parameters: [String: String] = [:]

    /// Nil if a parameter has no `=`, a quotation mark is not closed, or a name is repeated. A
    /// trailing semicolon is accepted, because one of the clients sends it.
    init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        value = String(decoding: trimmed(rest.removePart(to: semicolon)), as: UTF8.self)
            .lowercased()
        while rest.popFirst() != nil {
            let part = rest.prefix { $0 != semicolon }
            if trimmed(part).isEmpty {
                rest = rest.dropFirst(part.count)
                continue
            }
            let name = String(decoding: trimmed(rest.removePart(to: equals)), as: UTF8.self)
            guard rest.popFirst() != nil, let value = rest.removeParameter(),
                parameters.updateValue(value, forKey: name.lowercased()) == nil
            else { return nil }
        }
    }
}

private let semicolon = UInt8(ascii: ";")
private let equals = UInt8(ascii: "=")
private let mark = UInt8(ascii: "\"")
private let backslash = UInt8(ascii: "\\")

/// Removes spaces and tabs at both ends.
func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let start = bytes.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    let end = start.lastIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    return end.map { start[...$0] } ?? start[start.endIndex...]
}

extension ArraySlice<UInt8> {
    /// Removes and returns the part before a byte, or everything if the byte does not occur.
    fileprivate mutating func removePart(to byte: UInt8) -> ArraySlice<UInt8> {
        let part = prefix { $0 != byte }
        removeFirst(part.count)
        return part
    }

    /// Removes and returns the value of a parameter, up to the next semicolon.
    fileprivate mutating func removeParameter() -> String? {
        self = drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard first == mark else {
            return String(decoding: trimmed(removePart(to: semicolon)), as: UTF8.self)
        }
        removeFirst()
        guard let value = removeQuoted() else { return nil }
        return trimmed(removePart(to: semicolon)).isEmpty ? value : nil
    }

    /// Reads up to the closing quotation mark. A backslash escapes a quotation mark or a backslash;
    /// otherwise it is literal, as in the Windows paths that some browsers send.
    private mutating func removeQuoted() -> String? {
        var value: [UInt8] = []
        while let byte = popFirst() {
            if byte == mark { return String(decoding: value, as: UTF8.self) }
            let isEscape = byte == backslash && (first == mark || first == backslash)
            value.append(isEscape ? removeFirst() : byte)
        }
        return nil
    }
}
