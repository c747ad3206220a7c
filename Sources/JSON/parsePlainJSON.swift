/// Reads a JSON value as `parseJSON` does. It does not copy the text of a whole number of at most
/// 18 digits or of a string without escapes, which most stored values are.
package func parsePlainJSON(_ text: UnsafeBufferPointer<UInt8>) throws -> JSONValue {
    if let number = plainInteger(text) { return .integer(number) }
    if let string = plainString(text) { return .string(string) }
    return try parseJSON(Array(text))
}

/// Returns nil for anything but digits behind a sign, without zeros in front.
private func plainInteger(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    let isNegative = text.first == UInt8(ascii: "-")
    let start = isNegative ? 1 : 0
    guard (start + 1...start + 18).contains(text.count),
        text[start] != UInt8(ascii: "0") || text.count == 1
    else { return nil }
    var number: Int64 = 0
    for byte in text[start...] {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        number = number * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    return isNegative ? -number : number
}

/// Returns nil for anything but a string without escapes and control characters.
private func plainString(_ text: UnsafeBufferPointer<UInt8>) -> String? {
    let quote = UInt8(ascii: "\"")
    guard text.count >= 2, text[0] == quote, text[text.count - 1] == quote else { return nil }
    let content = UnsafeBufferPointer(rebasing: text[1..<text.count - 1])
    for byte in content where byte < 0x20 || byte == quote || byte == UInt8(ascii: "\\") {
        return nil
    }
    return validText(content)
}
