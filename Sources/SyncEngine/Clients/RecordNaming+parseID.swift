private let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")

/// An id of ten letters and digits from a number, as Parse makes them.
package func idOfDigits(_ number: UInt64) -> String {
    var rest = number
    var text = ""
    for _ in 0..<10 {
        text.append(digits[Int(rest % 62)])
        rest /= 62
    }
    return text
}

extension RecordNaming {
    /// The id of ten letters and digits that a text always has in this environment. Nobody can
    /// compute it elsewhere. Nil for an empty text, and for one of more than 255 characters.
    package func parseID(of text: String, in kind: String) -> String? {
        guard let guid = guid(of: text, in: kind) else { return nil }
        // Without the digits that are the same in every guid.
        let digits = guid.split(separator: "-")
        return UInt64(digits[0] + digits[1] + digits[4].suffix(4), radix: 16)
            .map { idOfDigits($0) }
    }
}
