/// The URL of a webhook: `http` or `https`, parsed and normalised.
///
/// Parsing is strict, and requests use a URL that is rebuilt from the parsed parts. The HTTP client
/// therefore sees the same host that was compared with the allowed prefixes. Userinfo, backslashes,
/// fragments, percent-encoding in the host, and `..` segments, encoded or not, are invalid.
package struct WebhookURL: Hashable, Sendable {
    package let scheme: String
    /// In lower case.
    package let host: String
    package let port: Int
    /// Percent-encoded, as in the URL.
    package let segments: [String]
    /// The part after the question mark; nil if there is none.
    package let query: String?

    /// Nil if the text is not a valid URL of a webhook.
    package init?(_ text: String) {
        guard text.utf8.allSatisfy(isPlain), isEncodedWell(text),
            let match = text.wholeMatch(of: /(?i:(https?)):\/\/([^\/?]+)(\/[^?]*)?(?:\?(.*))?/),
            let location = HostAndPort(match.2, defaultPort: match.1.count == 5 ? 443 : 80)
        else { return nil }
        let segments = match.3.map {
            $0.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        }
        guard !(segments ?? []).contains(where: isRisky) else { return nil }
        scheme = match.1.lowercased()
        host = location.host
        port = location.port
        self.segments = (segments ?? []).map(String.init)
        query = match.4.map(String.init)
    }

    package var text: String {
        origin + "/" + segments.joined(separator: "/") + (query.map { "?\($0)" } ?? "")
    }

    /// Scheme, host and port. Path and query may be secret.
    package var origin: String { "\(scheme)://\(host):\(port)" }
}

/// A prefix that the URL of a webhook must have.
package struct WebhookURLPrefix: Hashable, Sendable {
    private let start: WebhookURL
    /// A trailing `/` makes no difference.
    private let segments: ArraySlice<String>

    /// Nil if the text is not an `http` or `https` URL, or has a query.
    package init?(_ text: String) {
        guard let start = WebhookURL(text), start.query == nil else { return nil }
        self.start = start
        segments = start.segments.last == "" ? start.segments.dropLast() : start.segments[...]
    }

    /// Whether scheme, host, port and every whole segment of the prefix match.
    package func covers(_ address: WebhookURL) -> Bool {
        address.scheme == start.scheme && address.host == start.host && address.port == start.port
            && address.segments.starts(with: segments)
    }
}

private struct HostAndPort {
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

/// Whether the byte may occur in a URL.
private func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
    default: Array("-._~:/?[]@!$&'()*+,;=%".utf8).contains(byte)
    }
}

/// Whether each `%` is followed by two hex digits.
private func isEncodedWell(_ text: String) -> Bool {
    text.wholeMatch(of: /(?:[^%]|%[0-9A-Fa-f]{2})*/) != nil
}

/// Whether the segment goes up, or may be interpreted as more than one segment.
private func isRisky(_ segment: Substring) -> Bool {
    let decoded = segment.lowercased().replacing("%2e", with: ".")
    return decoded == "." || decoded == ".." || decoded.contains("%2f")
        || decoded.contains("%5c")
}
