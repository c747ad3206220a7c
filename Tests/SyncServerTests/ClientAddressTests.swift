import NIOCore
import Testing

@testable import SyncServer

@Suite struct ClientAddressTests {
    @Test(arguments: [
        ("203.0.113.9", "203.0.113.9"), ("::ffff:203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"), ("::1", "0:0:0:0::/64"),
    ])
    func networksOfIPv6AreOneAddress(text: String, address: String) throws {
        #expect(clientAddress(of: try SocketAddress(ipAddress: text, port: 1)) == address)
    }

    @Test func aPeerWithoutAnAddressHasNone() throws {
        #expect(clientAddress(of: nil) == "")
        #expect(clientAddress(of: try SocketAddress(unixDomainSocketPath: "/a")) == "")
    }
}
