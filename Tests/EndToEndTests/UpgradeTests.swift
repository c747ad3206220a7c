import Foundation
import Testing

@Suite("Protocol upgrades are declined")
struct UpgradeTests {
    @Test(arguments: [
        "GET /health HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\n"
            + "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n",
        "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
    ])
    func connectionEndsWithAnswer(request: String) async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let connection = try RawConnection(port: server.port)
        connection.send(request)
        let answer = await connection.receiveAll().lowercased()
        #expect(answer.hasPrefix("http/1.1 \(request.hasPrefix("GET") ? 200 : 4)"), "\(answer)")
        #expect(answer.contains("connection: close\r\n"))
    }

    /// Answers to earlier requests are sent first, on the same connection.
    @Test func earlierRequestsAreAnsweredFirst() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let connection = try RawConnection(port: server.port)
        connection.send(
            "GET /health HTTP/1.1\r\nHost: x\r\n\r\nGET /nothing HTTP/1.1\r\nHost: x\r\n"
                + "Connection: Upgrade\r\nUpgrade: x\r\n\r\n")
        let answers = await connection.receiveAll().lowercased()
        let heads = answers.ranges(of: "http/1.1 ").map { answers[$0.upperBound...].prefix(3) }
        #expect(heads == ["200", "404"])
        #expect(answers.ranges(of: "connection: close\r\n").count == 1)
    }

    /// Live streams stay open.
    @Test func bytesAfterUpgradeAreNotBuffered() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let client = try server.client("a")
        let connection = try RawConnection(port: server.port)
        connection.send(
            """
            GET /v1/test/live HTTP/1.1\r
            Host: x\r
            Authorization: Bearer \(client.token)\r
            Connection: Upgrade\r
            Upgrade: x\r
            \r

            """)
        #expect(await connection.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
        let most = 256 << 20
        #expect(connection.sendUntilNobodyReads(atMost: most) < most)
    }
}
