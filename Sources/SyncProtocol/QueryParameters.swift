package import ChangeRules

/// The parameters of a URL, each at most once.
package struct QueryParameters {
    private var values: [String: String] = [:]

    /// `query` is what stands after the question mark, percent-encoded; a parameter that is not
    /// `known` is refused, since a misspelt one would otherwise be ignored.
    package init(_ query: String, known: [String]) throws(QueryFault) {
        for piece in query.split(separator: "&") {
            let parts = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let name = decoded(parts[0]), let value = decoded(parts[1])
            else { throw .brokenParameter(String(piece)) }
            guard known.contains(name) else { throw .unknownParameter(name, known: known) }
            guard values.updateValue(value, forKey: name) == nil else {
                throw .repeatedParameter(name)
            }
        }
    }

    package subscript(name: String) -> String? { values[name] }
}

/// As forms are encoded, where a '+' is a space. Nil where a '%' stands without two hex digits, and
/// for what is then not UTF-8.
private func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Substring(text).utf8
    while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "%") else {
            bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            continue
        }
        guard let high = rest.popFirst().flatMap(hexDigit),
            let low = rest.popFirst().flatMap(hexDigit)
        else { return nil }
        bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
}

private func hexDigit(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
}
