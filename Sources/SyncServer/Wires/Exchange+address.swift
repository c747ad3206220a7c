import HTTPTypes
import HummingbirdCore

extension Exchange {
    /// The address of this server, such as `https://sync.example`, as the request and the proxies
    /// on its way tell. A client can invent it: only links in its own answer may have it.
    package var address: String {
        "\(request.headers.isForwardedSecurely ? "https" : "http")://"
            + (request.head.authority ?? "localhost")
    }
}

extension HTTPFields {
    /// Whether the client has sent the request by HTTPS to the first proxy, as `X-Forwarded-Proto`
    /// or `Forwarded` (RFC 7239) says.
    fileprivate var isForwardedSecurely: Bool {
        for name in ["X-Forwarded-Proto", "Forwarded"] {
            guard let field = HTTPField.Name(name).flatMap({ self[$0] }) else { continue }
            let first = field.prefix { $0 != "," }.split(separator: ";").map { part in
                part.lowercased().filter { $0 != " " && $0 != "\t" && $0 != "\"" }
            }
            if first.contains("https") || first.contains("proto=https") { return true }
        }
        return false
    }
}
