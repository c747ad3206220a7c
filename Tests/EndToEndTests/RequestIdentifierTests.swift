import Foundation
import SyncProtocol
import Testing

/// Each request has an id, in its response and in every line about it.
@Suite(.serialized, .timeLimit(.minutes(5))) struct RequestIdentifierTests {
    private static let name = "X-Request-Id"

    /// The lines of the log with an id.
    private func lines(_ id: String, in server: RunningServer) throws -> [Substring] {
        try server.log().split(separator: "\n").filter { $0.contains(#""request":"\#(id)""#) }
    }

    @Test(arguments: ["abc", "4f2c.9/+=:_-", String(repeating: "a", count: 128)])
    func validIdOfClientIsKept(id: String) async throws {
        let server = try await RunningServer(definition: "Conflicts", processes: 1)
        for path in ["/health", "/v1/test/health", "/v1/test/conflicts", "/nowhere"] {
            let answer = try await server.request("GET", path, headers: [Self.name: id])
            #expect(answer.header(Self.name) == id, "\(path)")
        }
        #expect(await server.stop() == 0)
        #expect(try lines(id, in: server).count == 4)
    }

    /// Refused before its route, and without its query in the log.
    @Test func refusedRequestKeepsItsId() async throws {
        let server = try await RunningServer(definition: "Conflicts", processes: 1)
        let connection = try RawConnection(port: server.port)
        connection.send(
            "GET /v1/test/health?a=1 HTTP/1.1\r\nHost: x\r\nHost: y\r\n\(Self.name): abc\r\n\r\n")
        let answer = await connection.receiveAll()
        #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
        #expect(answer.contains("\(Self.name): abc\r\n"), "\(answer)")
        #expect(await server.stop() == 0)
        let lines = try lines("abc", in: server)
        #expect(lines.count == 1)
        #expect(lines.allSatisfy { $0.contains(#""path":"/v1/test/health""#) }, "\(lines)")
    }

    @Test(arguments: ["", "a b", "é", #"a","level":"error"#, String(repeating: "a", count: 129)])
    func anotherIdIsReplaced(id: String) async throws {
        let server = try await RunningServer(definition: "Conflicts", processes: 1)
        for path in ["/health", "/v1/test/health"] {
            let answer = try await server.request("GET", path, headers: [Self.name: id])
            let fresh = try #require(answer.header(Self.name))
            #expect(fresh != id && fresh.wholeMatch(of: /[0-9a-f]{16}/) != nil, "\(fresh)")
        }
    }

    @Test func everyRequestHasIdOfItsOwn() async throws {
        let server = try await RunningServer(definition: "Conflicts", processes: 1)
        var ids: [String] = []
        for path in ["/health", "/v1/test/health", "/v1/test/health", "/health"] {
            ids.append(try #require(try await server.request("GET", path).header(Self.name)))
        }
        #expect(Set(ids).count == 4)
        #expect(await server.stop() == 0)
        for id in ids { #expect(try lines(id, in: server).count == 1) }
        let others = try server.log().split(separator: "\n").filter {
            $0.contains(#""message":"request""#) && !$0.contains(#""request":""#)
        }
        #expect(others == [])
    }

    @Test func traceIsInLog() async throws {
        let server = try await RunningServer(definition: "Conflicts", processes: 1)
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
        for (number, header) in [
            "00-\(trace)-00f067aa0ba902b7-01", "00-\(trace)-0000000000000000-01",
            "00-\(trace.uppercased())-00f067aa0ba902b7-01", "ff-\(trace)-00f067aa0ba902b7-01", "x",
        ].enumerated() {
            let headers = ["traceparent": header, Self.name: "r\(number)"]
            _ = try await server.request("GET", "/v1/test/health", headers: headers)
        }
        #expect(await server.stop() == 0)
        for number in 0..<5 {
            let line = try #require(try lines("r\(number)", in: server).first)
            #expect(line.contains(#""trace":"\#(trace)""#) == (number == 0), "\(line)")
        }
    }
}
