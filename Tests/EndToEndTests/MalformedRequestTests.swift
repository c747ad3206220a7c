import Testing

/// Two servers behind each other may understand such a request differently, so one could smuggle a
/// second request past the first.
@Suite(.serialized, .timeLimit(.minutes(5))) struct MalformedRequestTests {
    private static let table: [(name: String, head: String, body: String)] = [
        ("no Host", "HTTP/1.1\r\n", ""),
        ("two Hosts", "HTTP/1.1\r\nHost: x\r\nHost: y\r\n", ""),
        ("two equal Hosts", "HTTP/1.1\r\nHost: x\r\nhost: x\r\n", ""),
        ("two Hosts in 1.0", "HTTP/1.0\r\nHost: x\r\nHost: y\r\n", ""),
        ("chunks in 1.0", "HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
        (
            "identity before chunked",
            "HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: identity, chunked\r\n", "0\r\n\r\n"
        ),
        (
            "gzip before chunked",
            "HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"
        ),
        (
            "chunked twice",
            "HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
                + "Transfer-Encoding: chunked\r\n", "0\r\n\r\n"
        ),
        (
            "chunked before identity",
            "HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, identity\r\n", "0\r\n\r\n"
        ),
        ("gzip alone", "HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n", ""),
        (
            "a length beside chunks",
            "HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n",
            "0\r\n\r\n"
        ),
        (
            "chunks beside a length",
            "HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n",
            "0\r\n\r\n"
        ),
        (
            "two lengths", "HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 5\r\n",
            "12345"
        ),
        (
            "other lengths", "HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n",
            "12345"
        ),
        ("a length list", "HTTP/1.1\r\nHost: x\r\nContent-Length: 5, 5\r\n", "12345"),
    ]

    @Test func ambiguousRequestIsRefusedAndEndsConnection() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        for (name, head, body) in Self.table {
            let connection = try RawConnection(port: server.port)
            connection.send(
                "POST /health \(head)\r\n\(body)GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
            let answers = await connection.receiveAll()
            #expect(answers.hasPrefix("HTTP/1.1 400 "), "\(name): \(answers)")
            #expect(answers.lowercased().contains("connection: close\r\n"), "\(name)")
            #expect(answers.ranges(of: "HTTP/1.1 ").count == 1, "\(name): \(answers)")
        }
    }

    @Test func pathIsASCII() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let connection = try RawConnection(port: server.port)
        connection.send("GET /hëalth HTTP/1.1\r\nHost: x\r\n\r\n")
        let answer = await connection.receiveAll()
        #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
    }

    @Test func earlierRequestsAreAnsweredFirst() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let connection = try RawConnection(port: server.port)
        connection.send(
            "GET /nothing HTTP/1.1\r\nHost: x\r\n\r\nGET /health HTTP/1.1\r\n\r\n")
        let answers = await connection.receiveAll()
        let heads = answers.ranges(of: "HTTP/1.1 ").map { answers[$0.upperBound...].prefix(3) }
        #expect(heads == ["404", "400"], "\(answers)")
        #expect(answers.contains(#""code":"badRequest""#))
    }

    /// HTTP/1.0 needs no Host, and the connection ends with the response.
    @Test(arguments: ["/health", "/nothing"])
    func requestInTheFirstVersionIsAnswered(path: String) async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let connection = try RawConnection(port: server.port)
        connection.send("GET \(path) HTTP/1.0\r\n\r\n")
        let answer = await connection.receiveAll()
        #expect(answer.hasPrefix("HTTP/1.1 \(path == "/health" ? 200 : 404) "), "\(answer)")
    }

    /// A client of a kept connection, such as a proxy, would read a body as the next response.
    @Test func responseToHeadHasNoBody() async throws {
        let server = try await RunningServer(
            definition: "Conflicts", arguments: "--azure", "--parse")
        for path in ["/tables/conflictsentity", "/parse/classes/x", "/v1/test/sync", "/nothing"] {
            let connection = try RawConnection(port: server.port)
            connection.send(
                "HEAD \(path) HTTP/1.1\r\nHost: x\r\n\r\n"
                    + "GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            let answers = await connection.receiveAll()
            #expect(answers.hasPrefix("HTTP/1.1 4"), "\(path): \(answers)")
            #expect(answers.contains("\r\n\r\nHTTP/1.1 200 "), "\(path): \(answers)")
        }
    }

    @Test func pipelinedRequestsAreAnsweredInTheirOrder() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let connection = try RawConnection(port: server.port)
        let paths = ["/health", "/nothing", "/health", "/health", "/v1/test/health", "/none"]
        connection.send(
            paths.map { "GET \($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined()
                + "GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        let answers = await connection.receiveAll()
        let heads = answers.ranges(of: "HTTP/1.1 ").map { answers[$0.upperBound...].prefix(3) }
        #expect(heads == ["200", "404", "200", "200", "200", "404", "200"], "\(answers)")
    }
}
