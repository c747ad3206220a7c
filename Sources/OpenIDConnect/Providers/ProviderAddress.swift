/// An address of HTTPS, or of HTTP on the same machine, without userinfo and fragment.
struct ProviderAddress: Hashable {
    let isSecure: Bool
    let query: String?

    /// Nil for any other text.
    init?(_ text: String) {
        let pattern =
            #/
            (https?):// ([A-Za-z0-9.\-]+ | \[[0-9A-Fa-f:.]+\]) (?: : [0-9]{1,5})?
            (?: / [!"$->@-\[\]-~]*)? (?: \? ([!"$-\[\]-~]*))?
            /#
        guard text.utf8.count <= Self.maxBytes, let match = text.wholeMatch(of: pattern) else {
            return nil
        }
        isSecure = match.1 == "https"
        query = match.3.map(String.init)
        guard isSecure || ["localhost", "127.0.0.1", "[::1]"].contains(match.2.lowercased())
        else { return nil }
    }

    private static let maxBytes = 2048
}
