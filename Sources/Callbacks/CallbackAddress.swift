/// Where a callback goes: a URL of `http` or `https`, taken apart and in one spelling.
///
/// It is read strictly, and what is called is written from its parts again: whoever connects can
/// see no other host in it than whoever allowed it. So there may be no userinfo, no backslash, no
/// fragment, no encoded letter in the host, and no segment that goes up, not even an encoded one.
package struct CallbackAddress: Hashable, Sendable {
    package let scheme: String
    /// In small letters.
    package let host: String
    package let port: Int
    /// As they are written.
    package let segments: [String]
    /// What follows the question mark; nil where there is none.
    package let query: String?

    /// Nil for whatever is not such a URL.
    package init?(_ text: String) {
        guard text.utf8.allSatisfy(isPlain), isEncodedWell(text),
            let match = text.wholeMatch(of: /(?i:(https?)):\/\/([^\/?]+)(\/[^?]*)?(?:\?(.*))?/),
            let place = Place(match.2, defaultPort: match.1.count == 5 ? 443 : 80)
        else { return nil }
        let segments = match.3.map {
            $0.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        }
        guard !(segments ?? []).contains(where: isRisky) else { return nil }
        scheme = match.1.lowercased()
        host = place.host
        port = place.port
        self.segments = (segments ?? []).map(String.init)
        query = match.4.map(String.init)
    }

    /// The URL.
    package var text: String {
        origin + "/" + segments.joined(separator: "/") + (query.map { "?\($0)" } ?? "")
    }

    /// Without what may be secret.
    package var origin: String { "\(scheme)://\(host):\(port)" }
}

/// The beginning that a callback's address must have.
package struct CallbackPrefix: Hashable, Sendable {
    private let start: CallbackAddress
    /// A `/` at the end says no more than none.
    private let segments: ArraySlice<String>

    /// Nil for whatever is no URL of `http` or `https`, and for one with a query.
    package init?(_ text: String) {
        guard let start = CallbackAddress(text), start.query == nil else { return nil }
        self.start = start
        segments = start.segments.last == "" ? start.segments.dropLast() : start.segments[...]
    }

    /// Scheme, host and port are the same, and so is each whole segment of the path.
    package func covers(_ address: CallbackAddress) -> Bool {
        address.scheme == start.scheme && address.host == start.host && address.port == start.port
            && address.segments.starts(with: segments)
    }
}

/// Host and port.
private struct Place {
    let host: String
    let port: Int

    init?(_ text: Substring, defaultPort: Int) {
        let pattern = /(\w(?:[\w.\-]*\w)?|\[[0-9A-Fa-f:.]+\])(?::([0-9]{1,5}))?/
        guard let match = text.wholeMatch(of: pattern) else { return nil }
        let port = match.2.map { Int($0) ?? 0 } ?? defaultPort
        guard (1...65535).contains(port) else { return nil }
        host = match.1.lowercased()
        self.port = port
    }
}

/// What a URL may be written with.
private func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
    default: Array("-._~:/?[]@!$&'()*+,;=%".utf8).contains(byte)
    }
}

/// Whether each `%` has its two digits.
private func isEncodedWell(_ text: String) -> Bool {
    text.wholeMatch(of: /(?:[^%]|%[0-9A-Fa-f]{2})*/) != nil
}

/// Goes up, or may be read as more than one segment.
private func isRisky(_ segment: Substring) -> Bool {
    let decoded = segment.lowercased().replacing("%2e", with: ".")
    return decoded == "." || decoded == ".." || decoded.contains("%2f")
        || decoded.contains("%5c")
}
