/// Decodes percent-encoded text byte by byte, so that nothing is dropped or repaired: Foundation
/// drops a byte-order mark, which would make one name of two. Nil for a '%' without two hex digits,
/// or if the result is not UTF-8.
///
/// - Parameter plusIsSpace: As in `application/x-www-form-urlencoded`.
package func percentDecoded(
    _ text: some StringProtocol, plusIsSpace: Bool = false
) -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var rest = text.utf8.makeIterator()
    while let byte = rest.next() {
        switch byte {
        case UInt8(ascii: "%"):
            guard let high = rest.next()?.hexDigitValue,
                let low = rest.next()?.hexDigitValue
            else { return nil }
            bytes.append(high << 4 | low)
        case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
        case _: bytes.append(byte)
        }
    }
    return validText(bytes)
}

/// Encodes all but letters, digits and `-._~`, so that the text is one part of a path, a query or a
/// form.
package func percentEncoded(_ text: String) -> String {
    text.utf8.map { byte in
        let isPlain =
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
            || "-._~".utf8.contains(byte)
        guard !isPlain else { return String(UnicodeScalar(byte)) }
        return (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
    }.joined()
}
