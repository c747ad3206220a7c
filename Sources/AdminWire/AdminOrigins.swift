/// The addresses under which browsers reach the administration.
///
/// A request for another host is refused: a page of somebody else could otherwise have its own name
/// resolved to this server, and send requests to it as if they were to that page's host.
package struct AdminOrigins: Hashable, Sendable {
    /// In lower case, with a port if the URL has one.
    private let secure: Set<String>

    /// For loopback names only.
    package static let loopback = AdminOrigins(secure: [])

    private init(secure: Set<String>) { self.secure = secure }

    /// Reads origins that are separated by spaces, such as `https://admin.example`. Nil if one is
    /// not the origin of an HTTPS URL: passwords are sent to it.
    package init?(_ text: String) {
        let origins = text.split(separator: " ").map { $0.lowercased() }
        let scheme = "https://"
        let hosts = origins.compactMap { origin -> String? in
            guard origin.hasPrefix(scheme) else { return nil }
            let host = String(origin.dropFirst(scheme.count))
            let isHost =
                !host.isEmpty
                && host.utf8.allSatisfy { byte in
                    byte > 0x20 && byte < 0x7F && !"/?#@\\".utf8.contains(byte)
                }
            return isHost ? host : nil
        }
        guard hosts.count == origins.count else { return nil }
        secure = Set(hosts)
    }

    /// Whether the administration answers requests for a host, with or without a port.
    func accept(host: String) -> Bool {
        isSecure(host: host) || Self.isLoopback(host: host)
    }

    /// Whether browsers reach the host by HTTPS.
    package func isSecure(host: String) -> Bool { secure.contains(host.lowercased()) }

    /// Whether a host names this machine, with or without a port.
    package static func isLoopback(host: String) -> Bool {
        let host = host.lowercased()
        let name =
            host.hasPrefix("[")
            ? String(host.prefix { $0 != "]" }) + "]"
            : String(host.prefix { $0 != ":" })
        return ["localhost", "127.0.0.1", "[::1]"].contains(name)
    }
}
