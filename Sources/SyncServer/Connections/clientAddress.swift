import NIOCore

/// Returns the address of a peer, as far as limits count it: an IPv4 address, or the first 64 bits
/// of an IPv6 address, because a host can usually take any address with these bits. Returns an
/// empty text for a peer without an address.
func clientAddress(of peer: SocketAddress?) -> String {
    guard let text = peer?.ipAddress else { return "" }
    guard text.contains(":") else { return text }
    // IPv4 on a socket that accepts both.
    if text.hasPrefix("::ffff:"), text.contains(".") { return String(text.dropFirst(7)) }
    return ipv6Groups(of: text).prefix(4).joined(separator: ":") + "::/64"
}

/// The eight groups of an IPv6 address. `::` stands for groups of zeros.
private func ipv6Groups(of text: String) -> [Substring] {
    guard let gap = text.firstRange(of: "::") else { return text.split(separator: ":") }
    let head = text[..<gap.lowerBound].split(separator: ":")
    let tail = text[gap.upperBound...].split(separator: ":")
    // An IPv4 address at the end stands for two groups.
    let count = head.count + tail.count + (text.contains(".") ? 1 : 0)
    return head + Array(repeating: "0", count: max(0, 8 - count)) + tail
}
