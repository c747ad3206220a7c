import HTTPTypes
import Testing

@testable import SyncServer

@Suite("The requests of a proxy count for its clients")
struct ConnectionPeerTests {
    private let counts = ConnectionCounts(maxOfOne: 2)

    private func proxy() throws -> ConnectionPeer {
        ConnectionPeer(
            IPAddress("10.0.0.1"), proxies: try #require(TrustedProxies("10.0.0.0/8")),
            counts: counts, budget: MemoryBudget(maxBytes: 1000))
    }

    private func begin(_ client: String, _ peer: ConnectionPeer) throws -> Bool {
        let name = try #require(HTTPField.Name("X-Forwarded-For"))
        return peer.beginRequest(HTTPFields([HTTPField(name: name, value: client)]), isNext: false)
    }

    /// The number of connections that the client may still open.
    private func room(for client: String) throws -> Int {
        let address = try #require(IPAddress(client)).client
        let room = (0..<3).prefix { _ in counts.enter(address) }.count
        for _ in 0..<room { counts.leave(address) }
        return room
    }

    @Test func requestThatIsOneTooManyIsNotCounted() throws {
        let peer = try proxy()
        let begun = try (0..<3).map { _ in try begin("192.0.2.1", peer) }
        #expect(begun == [true, true, false])
        #expect(try room(for: "192.0.2.1") == 0)
        for _ in 0..<3 { peer.endRequest() }
        #expect(try room(for: "192.0.2.1") == 2)
    }

    /// None of them gets a response any more.
    @Test func noneCountsWhenTheConnectionHasClosed() throws {
        let peer = try proxy()
        for client in ["192.0.2.1", "192.0.2.2", "192.0.2.1", "192.0.2.1"] {
            _ = try begin(client, peer)
        }
        peer.endRequests()
        #expect(try room(for: "192.0.2.1") == 2)
        #expect(try room(for: "192.0.2.2") == 2)
        // A response that was due ends nothing more.
        peer.endRequest()
        #expect(try room(for: "192.0.2.1") == 2)
    }
}
