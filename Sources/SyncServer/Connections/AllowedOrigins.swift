/// The origins (RFC 6454) whose pages may read responses in a browser.
package enum AllowedOrigins: Hashable, Sendable {
    case none
    case every
    /// Each as a browser sends it.
    case some(Set<String>)

    /// Nil unless the text is `*`, or a list of origins such as `https://app.example:8443`, or
    /// `ionic://localhost` of an app whose pages are its own files, separated by spaces. An empty
    /// text allows none.
    package init?(_ text: String) {
        let words = text.split(separator: " ").map { $0.lowercased() }
        if words.isEmpty {
            self = .none
        } else if words == ["*"] {
            self = .every
        } else if words.allSatisfy(Self.isOrigin) {
            self = .some(Set(words.map(Self.withoutStandardPort)))
        } else {
            return nil
        }
    }

    /// Whether a page of this origin may read responses. `null`, the origin of files and of
    /// sandboxed frames, is nobody's in particular.
    func allows(_ origin: String) -> Bool {
        switch self {
        case .none: false
        case .every: true
        case .some(let origins): origins.contains(origin)
        }
    }

    private static func isOrigin(_ text: String) -> Bool {
        text.wholeMatch(of: /[a-z][a-z0-9+.\-]*:\/\/([a-z0-9.\-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?/)
            != nil
    }

    /// A browser leaves out the port that the scheme implies.
    private static func withoutStandardPort(_ origin: String) -> String {
        for (scheme, port) in [("https://", ":443"), ("http://", ":80")]
        where origin.hasPrefix(scheme) && origin.hasSuffix(port) {
            return String(origin.dropLast(port.count))
        }
        return origin
    }
}
