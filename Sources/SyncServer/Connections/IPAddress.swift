import Foundation
import NIOCore

/// An IPv4 or IPv6 address. An IPv4 address and its IPv4-mapped IPv6 address are the same.
package struct IPAddress: Hashable, Sendable {
    fileprivate let high: UInt64
    fileprivate let low: UInt64

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    private init(fourBytes: UInt32) {
        self.init(high: 0, low: Self.mappedPrefix | UInt64(fourBytes))
    }

    /// Nil unless the text is an address: `192.0.2.1`, `2001:db8::1`.
    package init?(_ text: some StringProtocol) {
        guard let address = try? SocketAddress(ipAddress: String(text), port: 0) else { return nil }
        self.init(address)
    }

    /// Nil for a Unix domain socket.
    init?(_ address: SocketAddress) {
        switch address {
        case .v4(let address):
            self.init(fourBytes: UInt32(bigEndian: address.address.sin_addr.s_addr))
        case .v6(let address):
            let halves = withUnsafeBytes(of: address.address.sin6_addr) { bytes in
                (
                    bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self),
                    bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
                )
            }
            self.init(high: UInt64(bigEndian: halves.0), low: UInt64(bigEndian: halves.1))
        case .unixDomainSocket: return nil
        }
    }

    private static let mappedPrefix: UInt64 = 0xFFFF_0000_0000

    fileprivate var isV4: Bool { high == 0 && low >> 32 == Self.mappedPrefix >> 32 }

    /// The address as limits count it. A host has a whole /64 network of IPv6 to choose from, so
    /// these addresses count as one.
    package var client: IPAddress { isV4 ? self : IPAddress(high: high, low: 0) }
}

extension IPAddress: CustomStringConvertible {
    /// `192.0.2.1`, or the eight groups of an IPv6 address.
    package var description: String {
        isV4
            ? (0..<4).map { "\(UInt8(truncatingIfNeeded: low >> (24 - 8 * $0)))" }
                .joined(separator: ".")
            : (0..<8).map { group in
                let half = group < 4 ? high : low
                let bits = UInt16(truncatingIfNeeded: half >> (48 - 16 * UInt64(group % 4)))
                return String(bits, radix: 16)
            }.joined(separator: ":")
    }
}

/// All addresses with the same first bits.
struct IPNetwork: Hashable, Sendable {
    private let address: IPAddress
    /// Counted in the 128 bits of IPv6.
    private let prefixBits: Int

    /// Nil unless the text is an address, or a network as in `10.0.0.0/8`.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(first) else { return nil }
        let mostBits = address.isV4 ? 32 : 128
        var bits = mostBits
        if parts.count == 2 {
            guard let given = Int(parts[1]), (0...mostBits).contains(given) else { return nil }
            bits = given
        }
        self.address = address
        prefixBits = 128 - mostBits + bits
    }

    func contains(_ other: IPAddress) -> Bool {
        let (high, low) = (address.high ^ other.high, address.low ^ other.low)
        if prefixBits <= 64 { return high >> UInt64(64 - prefixBits) == 0 }
        return high == 0 && low >> UInt64(128 - prefixBits) == 0
    }
}
