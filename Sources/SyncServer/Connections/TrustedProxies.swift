package import HTTPTypes

/// The proxies whose headers tell the address of a client.
package struct TrustedProxies: Hashable, Sendable {
    private let networks: [IPNetwork]

    package static let none = TrustedProxies(networks: [])

    private init(networks: [IPNetwork]) { self.networks = networks }

    /// Nil unless the text is a list of addresses and networks, separated by spaces.
    package init?(_ text: String) {
        let words = text.split(separator: " ")
        let networks = words.compactMap { IPNetwork($0) }
        guard networks.count == words.count else { return nil }
        self.networks = networks
    }

    func contains(_ address: IPAddress) -> Bool { networks.contains { $0.contains(address) } }

    /// The address of the client that sent a request over a connection from `peer`: the last one in
    /// the headers that is not a trusted proxy, because anything before it may be invented.
    ///
    /// A proxy knows one of the two headers, and may pass the other one on as a client sent it. If
    /// they differ, the request is the proxy's own.
    package func client(of headers: HTTPFields, from peer: IPAddress) -> IPAddress {
        guard contains(peer) else { return peer }
        let ways = [forwarded(headers), forwardedFor(headers)].filter { !$0.isEmpty }
        let clients = Set(ways.map { last(of: $0, from: peer) })
        return clients.count == 1 ? clients.first ?? peer : peer
    }

    private func last(of way: [Substring], from peer: IPAddress) -> IPAddress {
        var last = peer
        for text in way.reversed() {
            guard let address = parsedAddress(in: text) else { return last }
            last = address
            guard contains(address) else { return last }
        }
        return last
    }
}

/// The values of `X-Forwarded-For`, from the client to the last proxy.
private func forwardedFor(_ headers: HTTPFields) -> [Substring] {
    guard let name = HTTPField.Name("X-Forwarded-For") else { return [] }
    return headers[values: name].flatMap { $0.split(separator: ",") }
}

/// The `for` parameters of `Forwarded` (RFC 7239), from the client to the last proxy. An element
/// without one is an empty text.
private func forwarded(_ headers: HTTPFields) -> [Substring] {
    guard let name = HTTPField.Name("Forwarded") else { return [] }
    return headers[values: name].flatMap { $0.split(separator: ",") }.map { element in
        let pairs = element.split(separator: ";").map { $0.trimmed }
        let own = pairs.first { $0.prefix(4).lowercased() == "for=" }
        return own?.dropFirst(4) ?? ""
    }
}

/// An address, possibly with a port, in brackets and in quotes: `"[2001:db8::1]:4711"`.
private func parsedAddress(in text: Substring) -> IPAddress? {
    let bare = text.trimmed.filter { $0 != "\"" }
    if bare.first == "[" { return IPAddress(bare.dropFirst().prefix { $0 != "]" }) }
    if let address = IPAddress(bare) { return address }
    return IPAddress(bare.prefix { $0 != ":" })
}

extension Substring {
    fileprivate var trimmed: Substring {
        let start = drop { $0 == " " || $0 == "\t" }
        let end = start.lastIndex { $0 != " " && $0 != "\t" }
        return end.map { start[...$0] } ?? ""
    }
}
