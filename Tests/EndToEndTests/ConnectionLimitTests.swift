import Foundation
import SyncProtocol
import Testing

/// One address cannot take all connections.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ConnectionLimitTests {
    private func server(_ arguments: String...) async throws -> RunningServer {
        try await RunningServer(
            site: Site(prepared: "Conflicts"), processes: 1,
            arguments: arguments + RunningServer.patient)
    }

    /// Begins a request, and returns when the server waits for its body.
    private func begin(
        at server: RunningServer, headers: String = ""
    ) async throws -> RawConnection {
        let connection = try RawConnection(port: server.port)
        connection.send(
            "POST /v1/test/session HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\(headers)"
                + "Content-Length: 99\r\n\r\n")
        let answer = await connection.receive(until: "\r\n\r\n")
        #expect(answer.contains("100 Continue"), "\(answer)")
        return connection
    }

    @Test func addressHasSoManyConnections() async throws {
        let server = try await server("--max-connections-per-address", "2")
        var open: [RawConnection] = []
        for _ in 0..<2 { open.append(try await begin(at: server)) }
        let third = try RawConnection(port: server.port)
        let answer = await third.receiveAll()
        #expect(answer.hasPrefix("HTTP/1.1 503 "), "\(answer)")
        #expect(answer.contains(#""code":"tooManyConnections""#), "\(answer)")
        #expect(answer.contains("Retry-After: 1\r\n"), "\(answer)")
        open.removeFirst().close()
        let status = try await asked(
            { try await RawConnection(port: server.port).statusOfHealth() }, until: { $0 != 503 })
        #expect(status == 200)
    }

    /// By default a quarter of all, so that others find a place.
    @Test func addressHasQuarterByDefault() async throws {
        let server = try await server("--max-connections", "8")
        var open: [RawConnection] = []
        for _ in 0..<2 { open.append(try await begin(at: server)) }
        #expect(try await RawConnection(port: server.port).statusOfHealth() == 503)
        withExtendedLifetime(open) {}
    }

    private static let forwarded = [
        "X-Forwarded-For: 192.0.2.1\r\n", "X-Forwarded-For: 192.0.2.9, 192.0.2.1\r\n",
        "X-Forwarded-For: 192.0.2.1, 10.1.2.3\r\n",
        "X-Forwarded-For: 192.0.2.9\r\nX-Forwarded-For: 192.0.2.1\r\n",
        "Forwarded: for=192.0.2.1;proto=https\r\n",
        "Forwarded: for=192.0.2.9, For=\"192.0.2.1:4711\"\r\n",
        "Forwarded: for=192.0.2.1\r\nX-Forwarded-For: 192.0.2.1\r\n",
    ]

    @Test func behindTrustedProxyHeaderTellsAddress() async throws {
        let server = try await server(
            "--trusted-proxies", "127.0.0.1 10.0.0.0/8", "--max-connections-per-address", "1")
        let first = try await begin(at: server, headers: "X-Forwarded-For: 192.0.2.1\r\n")
        for header in Self.forwarded {
            let status = try await RawConnection(port: server.port).statusOfHealth(header)
            #expect(status == 503, "\(header)")
        }
        let others = ["X-Forwarded-For: 192.0.2.2\r\n", "X-Forwarded-For: 2001:db8::1\r\n", ""]
        for header in others {
            let status = try await RawConnection(port: server.port).statusOfHealth(header)
            #expect(status == 200, "\(header)")
        }
        withExtendedLifetime(first) {}
    }

    /// Anybody can send the header.
    @Test func withoutTrustedProxyHeaderIsIgnored() async throws {
        let server = try await server("--max-connections-per-address", "1")
        let first = try await begin(at: server, headers: "X-Forwarded-For: 192.0.2.1\r\n")
        let status = try await RawConnection(port: server.port)
            .statusOfHealth("X-Forwarded-For: 192.0.2.2\r\n")
        #expect(status == 503)
        withExtendedLifetime(first) {}
    }
}

extension RawConnection {
    fileprivate func statusOfHealth(_ header: String = "") async throws -> Int {
        send("GET /health HTTP/1.1\r\nHost: x\r\n\(header)Connection: close\r\n\r\n")
        let answer = await receiveAll()
        guard let status = answer.firstMatch(of: /HTTP\/1\.1 (\d+)/).flatMap({ Int($0.1) }) else {
            throw Unexpected("no answer: \(answer)")
        }
        return status
    }
}
