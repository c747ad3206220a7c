import Foundation
import SyncProtocol
import Testing

@Suite("The server answers Expect: 100-continue")
struct ContinueTests {
    private func head(_ client: Client, _ body: Data, expecting: String) -> String {
        """
        POST /v1/test/sync HTTP/1.1\r
        Host: x\r
        Authorization: Bearer \(client.token)\r
        Content-Length: \(body.count)\r
        Expect: \(expecting)\r
        \r

        """
    }

    @Test func continueIsSentBeforeResponse() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let client = try server.client("a")
        let body = try JSONEncoder().encode(SyncRequest())
        let connection = try RawConnection(port: server.port)
        for _ in 0..<2 {
            connection.send(head(client, body, expecting: "100-Continue"))
            #expect(
                await connection.receive(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            connection.send(body)
            let answer = await connection.receive(until: "\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
            let length = answer.firstMatch(of: /(?i)content-length: (\d+)/).flatMap { Int($0.1) }
            _ = await connection.receive(try #require(length))
        }
    }

    @Test func otherRequestsGetNoContinue() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let client = try server.client("a")
        let body = try JSONEncoder().encode(SyncRequest())
        let connection = try RawConnection(port: server.port)
        connection.send(Data(head(client, body, expecting: "something").utf8) + body)
        #expect(await connection.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
    }
}
