package import ChangeRules

/// The parameters of a URL. Each occurs at most once.
package struct QueryParameters {
    private var values: [String: String] = [:]

    /// `query` is the part of the URL after the question mark, percent-encoded. A parameter that is
    /// not in `known` is an error: a misspelt parameter would otherwise be ignored.
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

/// Decodes `application/x-www-form-urlencoded` text, in which '+' is a space. Nil for a '%' without
/// two hex digits, or if the result is not UTF-8.
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
