import Testing

/// Refusals that happen before the routes of a wire are in the format that its clients read.
@Suite(.serialized, .timeLimit(.minutes(5))) struct RefusalFormatTests {
    private enum Format {
        case common, parse, azureServices, azureApps, azureDatasync, original

        /// The begin of a body, up to the text for people.
        func body(_ status: Int, _ code: String, _ parseCode: Int, _ text: String) -> String {
            switch self {
            case .common: #"{"code":"\#(code)","details":{"#
            case .parse: #"{"code":\#(parseCode),"error":"\#(text)"#
            case .azureServices: #"{"code":\#(status),"error":"Error: \#(text)"#
            case .azureApps: #"{"error":"\#(text)"#
            case .azureDatasync: #"{"status":\#(status),"title":"\#(text)"#
            case .original: #"{"arguments":[],"code":"other","message":"\#(text)"#
            }
        }
    }

    private static let requests: [(path: String, header: String, format: Format)] = [
        ("/v1/test/sync", "", .common),
        ("/admin/v1/environments", "", .common),
        ("/console", "", .common),
        ("/health", "", .common),
        ("/nothing", "", .common),
        ("/parse/classes/Note", "", .parse),
        ("/1/classes/Note", "", .parse),
        ("/tables/note", "ZUMO-API-VERSION: 2.0.0\r\n", .azureApps),
        ("/azure/test/tables/note", "ZUMO-API-VERSION: 3.0.0\r\n", .azureDatasync),
        ("/api/note", "X-ZUMO-APPLICATION: key\r\n", .azureServices),
        ("/sync/v2/synchronize", "", .original),
    ]

    private func server(_ arguments: String...) async throws -> RunningServer {
        try await RunningServer(
            site: Site(prepared: "Conflicts"), processes: 1,
            arguments: ["--azure", "--parse"] + RunningServer.patient + arguments)
    }

    private func answer(
        of server: RunningServer, to path: String, _ header: String
    ) async throws -> String {
        let connection = try RawConnection(port: server.port)
        connection.send(
            "GET \(path) HTTP/1.1\r\nHost: x\r\n\(header)Connection: close\r\n\r\n")
        return await connection.receiveAll()
    }

    /// Begins the only request that its address may have, and waits for its body.
    private func serverInUse() async throws -> (RunningServer, RawConnection) {
        let server = try await server("--max-connections-per-address", "1")
        let first = try RawConnection(port: server.port)
        first.send(
            "POST /v1/test/session HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
                + "Content-Length: 99\r\n\r\n")
        #expect(await first.receive(until: "\r\n\r\n").contains("100 Continue"))
        return (server, first)
    }

    @Test func connectionTooMany() async throws {
        let (server, first) = try await serverInUse()
        for (path, header, format) in Self.requests {
            let answer = try await answer(of: server, to: path, header)
            #expect(answer.hasPrefix("HTTP/1.1 503 "), "\(path) \(answer)")
            for header in ["Retry-After: 1\r\n", "Connection: close\r\n"] {
                #expect(answer.contains(header), "\(path) \(answer)")
            }
            let body = format.body(503, "tooManyConnections", 100, "there are 1 connections")
            #expect(answer.contains("\r\n\r\n" + body), "\(path) \(answer)")
        }
        withExtendedLifetime(first) {}
    }

    @Test func connectionTooManyThatSendsNothing() async throws {
        let (server, first) = try await serverInUse()
        let answer = try await RawConnection(port: server.port).receiveAll()
        #expect(answer.contains(#"{"code":"tooManyConnections","details":{"max":"1"}"#))
        withExtendedLifetime(first) {}
    }

    /// Original clients read an error only with status 500.
    @Test func requestThatIsNoValidHTTP() async throws {
        let server = try await server()
        for (path, header, format) in Self.requests {
            let answer = try await answer(of: server, to: path, header + "Host: y\r\n")
            let status = format == .original ? 500 : 400
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(path) \(answer)")
            let body = format.body(status, "badRequest", 107, "the request is not valid HTTP")
            #expect(answer.contains("\r\n\r\n" + body), "\(path) \(answer)")
        }
    }

    /// The page about the wire names the first parts of the addresses whose refusals have another
    /// format than its own.
    @Test func addressesOfWiresAreDocumented() async throws {
        let server = try await server()
        let pages = try DocumentedPage.all()
        let wire = try #require(pages.first { $0.name.hasSuffix("/Wire.md") })
        let start = try #require(wire.text.firstRange(of: "first part does: "))
        let list = try #require(wire.text[start.upperBound...].firstRange(of: "\n\n"))
        let stated = Set(
            wire.text[start.upperBound..<list.lowerBound].matches(of: /`(\/[^`]+)`/)
                .map { String($0.1) })
        #expect(stated.count > 9)
        let paths = pages.flatMap { $0.routes.map(\.path) + $0.pathRows.flatMap(\.paths) }
        let roots = Set(
            paths.compactMap { $0.split(separator: "/").first.map { "/\($0)" } })
        var others: Set<String> = []
        for root in roots.union(stated) {
            let answer = try await answer(of: server, to: root + "/x", "Host: y\r\n")
            if !answer.contains(#"{"code":"badRequest","details":{"#) { others.insert(root) }
        }
        #expect(others == stated)
    }

    @Test func pathThatNobodyServes() async throws {
        let server = try await server()
        for (path, header, format) in [
            ("/v1/test/nothing", "", .common), ("/admin/v1/nothing", "", .common),
            ("/nothing", "", .common), ("/", "", .common), ("/sync/v2/nothing", "", .original),
            ("/azure/test/nothing", "ZUMO-API-VERSION: 3.0.0\r\n", .azureDatasync),
        ] as [(String, String, Format)] {
            let answer = try await answer(of: server, to: path, header)
            let status = format == .original ? 500 : 404
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(path) \(answer)")
            let body = format.body(status, "pathUnknown", 101, "nothing is served at")
            #expect(answer.contains("\r\n\r\n" + body), "\(path) \(answer)")
        }
    }

    @Test func pagesOfAnyOriginReadRefusalsOfParse() async throws {
        let server = try await server()
        let answer = try await answer(of: server, to: "/parse/classes/Note", "Host: y\r\n")
        #expect(answer.contains("Access-Control-Allow-Origin: *\r\n"), "\(answer)")
    }
}
