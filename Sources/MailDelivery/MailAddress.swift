/// A mail address that is safe in commands and headers of SMTP: visible ASCII without spaces,
/// brackets, quotes and separators, at most 254 bytes.
package struct MailAddress: Hashable, Sendable {
    package let text: String

    /// Nil for any other text, such as an address in a script other than Latin.
    package init?(_ text: String) {
        let pattern = /[A-Za-z0-9!#$%&'*+\/=?^_`{|}~.\-]+@(?:[A-Za-z0-9.\-]+|\[[0-9A-Fa-f:.]+\])/
        guard text.utf8.count <= 254, text.wholeMatch(of: pattern) != nil,
            text.first != "-", text.first != "."
        else { return nil }
        self.text = text
    }

    /// The part after the at sign.
    var domain: Substring { text[text.index(after: text.lastIndex(of: "@") ?? text.startIndex)...] }
}
