import ArchiveKit
import Foundation
import JSON
import SyncProtocol
import Testing

/// Bodies and responses of a process share a budget of memory, of which a user has a part.
@Suite(.serialized, .timeLimit(.minutes(5))) struct MemoryBudgetTests {
    /// It waits long for the connections that a test holds.
    private func server(_ arguments: String...) async throws -> RunningServer {
        let site = try await Site(prepared: "Permissions") { text in
            let field = #"<field name="title" type="TEXT" required="true">"#
            let option = #"<options><option name="maxLength">1000000</option></options>"#
            return try text.changing(field, to: field + option)
        }
        return try await RunningServer(
            site: site, processes: 1, arguments: arguments + ["--max-body-seconds", "600"])
    }

    /// The beginning of a body, whose end does not come.
    private func hold(_ count: Int, by client: Client) throws -> RawConnection {
        let connection = try RawConnection(port: client.server.port)
        connection.send(
            "POST /v1/test/sync HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(client.token)\r\n"
                + "Content-Length: \(count)\r\n\r\n")
        connection.send(Data(repeating: UInt8(ascii: " "), count: count - 1))
        return connection
    }

    /// Asks until the status is another, or is this one.
    private func waitUntil(
        _ expected: Bool, _ status: Int, _ ask: () async throws -> Answer
    ) async throws -> Answer {
        try await asked(ask, until: { ($0.status == status) == expected })
    }

    private let spaces = Data("{}".utf8) + Data(repeating: UInt8(ascii: " "), count: 200_000)

    @Test func userHoldsThirdOfIt() async throws {
        let server = try await server("--max-held-bytes", "\(3 << 20)")
        let (a, b) = (try server.client("a"), try server.client("b"))
        var held = try hold(900_000, by: a)
        let refused = try await waitUntil(true, 503) {
            // Whichever request comes late is refused.
            if held.isOver { held = try hold(900_000, by: a) }
            return try await a.ask(spaces)
        }
        #expect(try refused.error().code == "tooManyBytes", "\(refused.text)")
        #expect(refused.header("Retry-After") == "1")
        // Small requests always fit, and other users have a part of their own.
        #expect(try await a.ask(SyncRequest()).status == 200)
        #expect(try await b.ask(spaces).status == 200)
        held.close()
        #expect(try await waitUntil(false, 503) { try await a.ask(spaces) }.status == 200)
    }

    /// Clients of other products read a refusal in the words of their own servers only.
    @Test(arguments: ForeignWire.allCases)
    func refusedAnswerIsInWordsOfWire(wire: ForeignWire) async throws {
        let server = try await server("--max-held-bytes", "\(3 << 20)", "--azure", "--parse")
        let (a, model) = (try server.client("a"), "PermissionsEntity")
        // There is room for the value, and none for the answer, in which each takes six bytes.
        let title = String(repeating: "\u{1}", count: 50_000)
        try await a.push(.create(fresh(), of: model, ["title": .string(title)]))
        var azure = AzureClient(server)
        azure.headers["X-ZUMO-AUTH"] = a.token
        let parse = try await ParseClient.signedIn("a", to: server)
        let ask = { () async throws -> Answer in
            switch wire {
            case .azure: try await azure.ask("GET", "/tables/\(model)")
            case .parse: try await parse.ask("GET", "/classes/\(model)")
            }
        }
        #expect(try await ask().status == 200)
        var held = try hold(900_000, by: a)
        let refused = try await waitUntil(true, 503) {
            if held.isOver { held = try hold(900_000, by: a) }
            return try await ask()
        }
        #expect(refused.status == 503 && refused.header("Retry-After") == "1")
        #expect(try refused.json().member("error")?.string?.isEmpty == false, "\(refused.text)")
        #expect(try refused.json().member("code") == (wire == .parse ? 100 : nil))
        held.close()
        #expect(try await waitUntil(false, 503, ask).status == 200)
    }

    @Test func nobodyIsSignedInWhileTheFirstBytesArrive() async throws {
        let server = try await server("--max-held-bytes", "\(1 << 20)")
        let connections = try (0..<5).map { _ in try RawConnection(port: server.port) }
        for connection in connections {
            connection.send(
                "POST /v1/nowhere/sync HTTP/1.1\r\nHost: x\r\nContent-Length: 4000000\r\n\r\n")
            connection.send(Data(count: 3_000_000))
            let answer = await connection.receiveAll()
            #expect(answer.hasPrefix("HTTP/1.1 404 ") || answer.hasPrefix("HTTP/1.1 503 "))
        }
        #expect(try await server.client("a").ask(SyncRequest()).status == 200)
    }

    /// `[[],[],…]` needs many times as much memory as text.
    @Test func bodyOfManyValuesIsTooLarge() async throws {
        let server = try await server("--max-held-bytes", "\(3 << 20)")
        let a = try server.client("a")
        let text = "[[]" + String(repeating: ",[]", count: 50_000) + "]"
        let answer = try await a.ask(Data(text.utf8))
        #expect(answer.status == 413, "\(answer.text)")
        #expect(try answer.error().code == "bodyTooLarge")
        #expect(try answer.error().details["maxBytes"] == "\(1 << 20)")
    }

    /// They need no memory for values.
    @Test func bracketsAndCommasOfTextsAreText() async throws {
        let server = try await server("--max-held-bytes", "\(60 << 20)")
        let a = try server.client("a")
        let title = String(repeating: "[],", count: 333_333)
        try await a.push(.create(fresh(), of: "PermissionsEntity", ["title": .string(title)]))
        #expect(try await a.records().map { $0.fields?["title"] } == [.string(title)])
    }

    /// Each line needs more memory than the one before, and the last one more than half of a
    /// user's share.
    @Test func archiveOfGrowingRecordsIsTakenIn() async throws {
        let server = try await server("--max-held-bytes", "\(30 << 20)")
        let client = try OriginalClient("a", of: server)
        let lines = [4, 8, 12].map { megabytes in
            // An object needs 291 bytes, with its text.
            let objects = String(repeating: "{},", count: (megabytes << 20) / 291)
            return #"{"model":"PermissionsEntity","guid":"\#(fresh())","fields":{"title":"t"},"#
                + #""more":[\#(objects)0]}"#
        }
        let records = HandMadeEntry("data", Array(lines.joined(separator: "\n").utf8))
        let archive = HandMadeArchive([records, HandMadeEntry("deletedFiles")])
        let answer = try await client.post(archive: archive.bytes)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(try await server.site.sql("SELECT count(*) FROM records") == "3")
        #expect(try await server.site.refusals().isEmpty)
    }

    @Test func responseThatIsNotReadIsHeld() async throws {
        let server = try await server("--max-held-bytes", "\(54 << 20)")
        let (a, b) = (try server.client("a"), try server.client("b"))
        // Six bytes each in JSON.
        let title = String(repeating: "\u{1}", count: 1_000_000)
        try await a.push(.create(fresh(), of: "PermissionsEntity", ["title": .string(title)]))
        var unread: [RawConnection] = []
        let ask = { try await a.ask(SyncRequest()) }
        for _ in 0..<3 {
            let connection = try RawConnection(port: server.port, buffering: 4096)
            connection.send(try a.wireRequest(SyncRequest()))
            #expect(await connection.receive(12) == Data("HTTP/1.1 200".utf8))
            unread.append(connection)
        }
        let refused = try await ask()
        #expect(refused.status == 503, "\(refused.text.prefix(200))")
        #expect(try refused.error().code == "tooManyBytes")
        #expect(try await b.ask(SyncRequest()).status == 200)
        for connection in unread { connection.close() }
        #expect(try await waitUntil(false, 503, ask).status == 200)
    }

    /// Sends requests, and resets the connection of each while it is answered, some later than
    /// others.
    private func reset(
        _ count: Int, sending request: Data, to server: RunningServer
    ) async throws {
        for number in 0..<count {
            let connection = try RawConnection(port: server.port)
            connection.send(request)
            for _ in 0..<number % 5 { _ = try await server.request("GET", "/health") }
            connection.resetAtEnd()
        }
    }

    /// A client may go before its request takes memory.
    @Test func memoryEndsWithTheConnection() async throws {
        let server = try await server("--max-held-bytes", "\(54 << 20)", "--metrics-port", "0")
        let a = try server.client("a")
        // Six bytes each in JSON.
        let title = String(repeating: "\u{1}", count: 1_000_000)
        try await a.push(.create(fresh(), of: "PermissionsEntity", ["title": .string(title)]))
        try await reset(30, sending: try a.wireRequest(SyncRequest()), to: server)
        let file = "GET /console/modules/record-panel.js HTTP/1.1\r\nHost: x\r\n\r\n"
        try await reset(300, sending: Data(file.utf8), to: server)
        _ = try await asked(
            { try await server.metrics() }, until: { $0.contains("\nwaggle_held_bytes 0\n") })
        #expect(try await a.ask(SyncRequest()).status == 200)
    }

    #if os(Linux)
        /// Bodies made of the values that need most memory: of 8 MiB, and as large as one user's
        /// part allows.
        @Test(arguments: [(objects: 1_190_000, requests: 60), (160_000, 12)])
        func serverUnderAttackStaysSmall(objects: Int, requests: Int) async throws {
            let server = try await server()
            let clients = [try server.client("a"), try server.client("b")]
            let text = String(repeating: #"{"":0},"#, count: objects)
            let body = Data(#"{"changes":[\#(text)0]}"#.utf8)
            let connections = try (0..<requests).map { number in
                let client = clients[number % 2]
                let connection = try RawConnection(port: server.port)
                connection.send(
                    "POST /v1/test/sync HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                        + "Authorization: Bearer \(client.token)\r\n"
                        + "Content-Length: \(body.count)\r\n\r\n")
                return connection
            }
            await withTaskGroup(of: Void.self) { group in
                for connection in connections {
                    group.addTask { await offloaded { connection.send(body) } }
                }
            }
            for connection in connections {
                let answer = await connection.receiveAll()
                let status = answer.dropFirst("HTTP/1.1 ".count).prefix(3)
                #expect(["400", "413", "503"].contains(status), "\(answer.prefix(500))")
            }
            #expect(try server.peakMegabytes() < 512)
        }

        /// Records of 5 MB, of which few fit into a batch.
        @Test func searchesForLargeRecordsStaySmall() async throws {
            let server = try await server()
            let a = try server.client("a")
            for _ in 0..<40 {
                try await a.push(.create(fresh(), of: "PermissionsEntity", ["title": "t"]))
            }
            let fields =
                server.site.isOfFile
                ? "json_object('title', replace(hex(zeroblob(450000)), '0', char(1)))"
                : "json_build_object('title', repeat(chr(1), 900000))::text"
            try await server.site.sql("UPDATE records SET fields = \(fields)")
            let connections = try (0..<8).map { _ in
                let connection = try RawConnection(port: server.port)
                connection.send(
                    "GET /v1/test/records/PermissionsEntity HTTP/1.1\r\nHost: x\r\n"
                        + "Authorization: Bearer \(a.token)\r\nConnection: close\r\n\r\n")
                return connection
            }
            for connection in connections {
                let answer = await connection.receiveAll()
                let status = answer.dropFirst("HTTP/1.1 ".count).prefix(3)
                #expect(["200", "503"].contains(status), "\(answer.prefix(500))")
            }
            #expect(try server.peakMegabytes() < 512)
        }
    #endif
}

#if os(Linux)
    extension RunningServer {
        fileprivate func peakMegabytes() throws -> Int {
            let status = try String(
                contentsOfFile: "/proc/\(processIdentifier)/status", encoding: .utf8)
            let peak = status.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.1) }
            return try #require(peak) / 1024
        }
    }
#endif
