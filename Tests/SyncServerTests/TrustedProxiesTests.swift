import HTTPTypes
import SyncServer
import Testing

@Suite("The address of a client behind trusted proxies") struct TrustedProxiesTests {
    private static let table: [(forwarded: String?, forwardedFor: String?, client: String)] = [
        (nil, nil, "10.0.0.1"),
        (nil, "192.0.2.1", "192.0.2.1"),
        (nil, " 192.0.2.9 ,192.0.2.1", "192.0.2.1"),
        (nil, "192.0.2.9, 10.0.0.2, 10.0.0.3", "192.0.2.9"),
        (nil, "10.0.0.2", "10.0.0.2"),
        (nil, "192.0.2.1:4711", "192.0.2.1"),
        (nil, "2001:db8::1", "2001:db8::1"),
        (nil, "[2001:db8::1]:4711", "2001:db8::1"),
        (nil, "::ffff:192.0.2.1", "192.0.2.1"),
        (nil, "192.0.2.1, unknown", "10.0.0.1"),
        (nil, "192.0.2.1, unknown, 10.0.0.2", "10.0.0.2"),
        (nil, "", "10.0.0.1"),
        ("for=192.0.2.1", nil, "192.0.2.1"),
        ("proto=https; For=\"192.0.2.1\";by=10.0.0.1", nil, "192.0.2.1"),
        ("for=192.0.2.9, for=192.0.2.1", nil, "192.0.2.1"),
        (#"for="[2001:db8::1]:4711""#, nil, "2001:db8::1"),
        ("for=192.0.2.1, for=_hidden", nil, "10.0.0.1"),
        ("for=192.0.2.1, proto=https", nil, "10.0.0.1"),
        ("for=192.0.2.1", "192.0.2.1", "192.0.2.1"),
        // A client may have invented the one that the proxy does not know.
        ("for=192.0.2.9", "192.0.2.1", "10.0.0.1"),
    ]

    @Test func isTheLastThatIsNoTrustedProxy() throws {
        let proxies = try #require(TrustedProxies("10.0.0.0/8 ::1"))
        let peer = try #require(IPAddress("10.0.0.1"))
        let names = try ["Forwarded", "X-Forwarded-For"].map { try #require(HTTPField.Name($0)) }
        for (forwarded, forwardedFor, client) in Self.table {
            var headers = HTTPFields()
            headers[names[0]] = forwarded
            headers[names[1]] = forwardedFor
            let found = proxies.client(of: headers, from: peer)
            #expect(found == IPAddress(client), "\(forwarded ?? "") \(forwardedFor ?? "")")
        }
    }

    @Test func othersAreNotBelieved() throws {
        let proxies = try #require(TrustedProxies("10.0.0.0/8"))
        var headers = HTTPFields()
        headers[try #require(HTTPField.Name("X-Forwarded-For"))] = "192.0.2.1"
        let peer = try #require(IPAddress("11.0.0.1"))
        #expect(proxies.client(of: headers, from: peer) == peer)
        #expect(TrustedProxies.none.client(of: headers, from: peer) == peer)
    }

    @Test(arguments: [
        ("", true), ("10.0.0.1", true), ("10.0.0.0/8 2001:db8::/32 ::1", true), ("::/0", true),
        ("10.0.0.0/33", false), ("10.0.0", false), ("proxy.example", false), ("10.0.0.1/", false),
        ("10.0.0.1,10.0.0.2", false), ("::/129", false),
    ])
    func isListOfAddressesAndNetworks(text: String, isOne: Bool) {
        #expect((TrustedProxies(text) != nil) == isOne)
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8::f:1", "2001:db8:0:0:0:0:f:1"), ("::", "0:0:0:0:0:0:0:0"),
    ])
    func addressIsWrittenInOneWay(text: String, written: String) {
        #expect(IPAddress(text)?.description == written)
    }

    /// A host has a /64 network of IPv6.
    @Test func networkOfIPv6IsOneClient() throws {
        let (one, two) = (IPAddress("2001:db8:0:1::1"), IPAddress("2001:db8:0:1:ffff::2"))
        #expect(one?.client == two?.client && one != two)
        #expect(one?.client != IPAddress("2001:db8:0:2::1")?.client)
        #expect(IPAddress("192.0.2.1")?.client != IPAddress("192.0.2.2")?.client)
    }
}
