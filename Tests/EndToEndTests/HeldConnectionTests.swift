import Foundation
import SyncProtocol
import Testing

/// A client that sends or reads slowly could hold its connection for ever, and with it one of all
/// places.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HeldConnectionTests {
    private func server(_ arguments: String...) async throws -> RunningServer {
        try await RunningServer(site: Site(prepared: "Conflicts"), arguments: arguments)
    }

    /// Sends a byte with each request of another client, until the server closes the connection.
    private func dribble(
        _ byte: String, over connection: RawConnection, of server: RunningServer
    ) async throws -> String {
        async let answer = connection.receiveAll()
        _ = try await asked(
            {
                connection.send(byte)
                // The limits of the test hold for this connection too.
                return try? await server.request("GET", "/v1/test/health")
            }, until: { _ in connection.isOver })
        return await answer
    }

    @Test func headThatArrivesByteByByteIsNotAwaited() async throws {
        let server = try await server("--max-idle-seconds", "1")
        let connection = try RawConnection(port: server.port)
        connection.send("GET /health HTTP/1.1\r\nHost: ")
        #expect(try await dribble("x", over: connection, of: server) == "")
    }

    @Test func bodyThatArrivesByteByByteIsNotAwaited() async throws {
        let server = try await server("--max-body-seconds", "1", "--max-body-bytes", "1000000")
        let token = try server.client("a").token
        let connection = try RawConnection(port: server.port)
        connection.send(
            "POST /v1/test/sync HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\n"
                + "Content-Length: 1000000\r\n\r\n")
        let answer = try await dribble(" ", over: connection, of: server)
        #expect(answer.hasPrefix("HTTP/1.1 408 "), "\(answer)")
        #expect(answer.contains(#""code":"bodyTooSlow""#), "\(answer)")
    }

    /// Chunk extensions are no part of the body.
    @Test func noLinesThatCarryNothingAreAwaited() async throws {
        let server = try await server("--max-body-seconds", "1")
        let token = try server.client("a").token
        let connection = try RawConnection(port: server.port)
        connection.send(
            "POST /v1/test/sync HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n1;a=")
        let answer = try await dribble("x", over: connection, of: server)
        #expect(answer.hasPrefix("HTTP/1.1 408 "), "\(answer)")
    }

    /// No route reads these bodies.
    @Test(arguments: [
        ("GET /health", 200), ("GET /v1/test/health", 200), ("POST /v1/test/sync", 401),
        ("GET /nothing", 404), ("PATCH /health", 405), ("DELETE /v1/test/session", 401),
    ])
    func responseBeforeTheEndOfRequestIsTheLast(start: String, status: Int) async throws {
        let server = try await server()
        let connection = try RawConnection(port: server.port)
        connection.send("\(start) HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n")
        let answer = try await dribble("x", over: connection, of: server)
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
        #expect(answer.lowercased().contains("connection: close\r\n"), "\(answer)")
    }

    /// The connection is not reset while the client sends.
    @Test func refusedClientSeesResponseThoughItSendsEverything() async throws {
        let server = try await server()
        let connection = try RawConnection(port: server.port)
        let count = 6 << 20
        connection.send(
            "POST /v1/test/sync HTTP/1.1\r\nHost: x\r\nContent-Length: \(count)\r\n\r\n")
        connection.send(Data(count: count))
        let answer = await connection.receiveAll()
        #expect(answer.hasPrefix("HTTP/1.1 401 "), "\(answer)")
        #expect(answer.hasSuffix("}"), "\(answer)")
    }

    /// Some bytes move in each interval, but too few. It is the server's only connection.
    @Test func responseThatIsReadInDropsIsBrokenOff() async throws {
        let size = 24 << 20
        let site = try await Site.withFiles()
        let before = try await RunningServer(site: site)
        let guid = fresh()
        #expect(try await before.client("a").put(guid, someBytes(size)).status == 201)
        #expect(await before.stop() == 0)
        let server = try await RunningServer(
            site: site, processes: 1,
            arguments: ["--max-body-seconds", "2", "--metrics-port", "0"])
        let a = try server.client("a")
        let connection = try RawConnection(port: server.port, buffering: 16_384)
        connection.send(
            "GET /v1/test/files/\(guid) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                + "Authorization: Bearer \(a.token)\r\n\r\n")
        var taken = await connection.receive(1000).count
        var due = ContinuousClock.now
        _ = try await asked(
            {
                if ContinuousClock.now >= due {
                    taken += await connection.receive(2000).count
                    due = .now.advanced(by: .milliseconds(200))
                }
                return try await server.metrics()
            }, until: { $0.contains("\nwaggle_connections 0\n") })
        taken += await connection.receive(.max).count
        #expect(taken < size, "it was closed before all of it went out")
    }

    @Test func wholeRequestLeavesConnectionOpen() async throws {
        let server = try await server()
        let connection = try RawConnection(port: server.port)
        for _ in 0..<2 {
            connection.send(
                "POST /v1/test/sync HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}")
            let head = await connection.receive(until: "\r\n\r\n")
            #expect(head.hasPrefix("HTTP/1.1 401 ") && !head.contains("close"), "\(head)")
            let length = head.firstMatch(of: /(?i)content-length: (\d+)/).flatMap { Int($0.1) }
            _ = await connection.receive(try #require(length))
        }
    }
}
