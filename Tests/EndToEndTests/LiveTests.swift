import Foundation
import SyncProtocol
import Testing

/// The live stream over real HTTP.
@Suite(.serialized, .timeLimit(.minutes(5))) struct LiveTests {
    private func server(
        processes: Int = Backend.servers, _ arguments: String...
    ) async throws -> RunningServer {
        try await RunningServer(
            site: try await Site(prepared: "FieldService"), processes: processes,
            arguments: arguments)
    }

    /// Immediately, not with the next heartbeat.
    @Test func everySubscriberGetsItsNotifications() async throws {
        let server = try await server("--live-beat-seconds", "3600")
        let dora = try server.client("dora", on: "office")
        let table: [(Client, heard: [String])] = [
            (try server.client("tina"), ["all", "technicians", "mobile", "tina", "end"]),
            (try server.client("tom"), ["all", "technicians", "mobile", "end"]),
            (try server.client("carl", on: "office"), ["all", "customers", "end"]),
            (try server.client("carl"), ["all", "customers", "mobile", "end"]),
        ]
        var streams: [LiveConnection] = []
        for (client, _) in table {
            let stream = try await LiveConnection(client)
            #expect(stream.status == 200 && stream.head.contains("text/event-stream"))
            // The stream sends its position before any event.
            #expect(try await stream.event()?.id != nil)
            streams.append(stream)
        }
        for (id, audience) in [
            ("all", ""), ("technicians", #""group": "technicians","#),
            ("customers", #""group": "customers", "users": null,"#),
            ("mobile", #""deviceCategory": "mobile","#),
            ("tina", #""users": ["tina", "nobody"],"#), ("none", #""users": [],"#), ("end", ""),
        ] {
            try await dora.notify(
                #"{"id": "\#(id)", \#(audience) "notification": {"n": 1.50, "t": "a\nb"}}"#)
        }
        for (stream, (_, heard)) in zip(streams, table) {
            for id in heard {
                let event = try #require(try await stream.notification())
                #expect(event.name == "notification")
                #expect(event.data?.contains(#""notification":{"n":1.5,"t":"a\nb"}"#) == true)
                let message = try event.message()
                #expect(message.id == id && message.sender == "dora")
            }
        }
    }

    @Test func reconnectingClientMissesNothing() async throws {
        let server = try await server()
        let tina = try server.client("tina")
        var stream = try await LiveConnection(tina)
        let start = try #require(try await stream.event()?.id)
        stream.close()
        for id in ["1", "2"] { try await tina.notify(#"{"id": "\#(id)", "notification": {}}"#) }
        stream = try await LiveConnection(tina, after: start)
        let first = try #require(try await stream.notification())
        #expect(try first.message().id == "1")
        stream.close()
        stream = try await LiveConnection(tina, after: first.id)
        #expect(try await stream.notification()?.message().id == "2")
        // Without `Last-Event-ID` it starts now.
        let fresh = try await LiveConnection(tina)
        _ = try await fresh.event()
        try await tina.notify(#"{"id": "3", "notification": {}}"#)
        #expect(try await fresh.notification()?.message().id == "3")
    }

    @Test func stopEndsStreamsAtOnce() async throws {
        let server = try await server("--live-beat-seconds", "3600")
        let tina = try server.client("tina")
        let stream = try await LiveConnection(tina)
        _ = try await stream.event()
        server.send(SIGTERM)
        #expect(try await stream.event()?.text == nil)
        #expect(await server.exitCode() == 0)
        #expect(try server.log().hasSuffix("stopped\n"))
    }

    /// About 20 MB are waiting, more than the socket buffers hold.
    @Test func clientThatDoesNotReadDoesNotDelayStop() async throws {
        let server = try await server()
        let tina = try server.client("tina")
        let first = try await LiveConnection(tina)
        let start = try #require(try await first.event()?.id)
        let body = #"{"t":"\#(String(repeating: "x", count: 4000))"}"#
        try await server.site.sql(
            """
            WITH RECURSIVE numbers (n) AS
                (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 5000)
            INSERT INTO notifications (environment, number, name, sender, at, logins, body)
            SELECT 1, n, n, 'tina', 0, NULL, '\(body)' FROM numbers;
            UPDATE environments SET last_notification = 5000;
            """)
        let stalled = try RawConnection(port: server.port, buffering: 2048)
        stalled.send(
            """
            GET /v1/test/live HTTP/1.1\r
            Host: x\r
            Authorization: Bearer \(tina.token)\r
            Last-Event-ID: \(start)\r
            \r

            """)
        #expect(await stalled.receive(until: "\r\n\r\n").contains("200 OK"))
        let clock = ContinuousClock.now
        #expect(await server.stop() == 0)
        // The time that a stop may take at most.
        #expect(clock.duration(to: .now) < .seconds(30))
        withExtendedLifetime((first, stalled)) {}
    }

    /// Checked with every heartbeat, without events too.
    @Test(arguments: ["session", "user", "group", "password"])
    func callerWhoseRightsEndIsDisconnected(change: String) async throws {
        let server = try await server("--live-beat-seconds", "1")
        let tina = try server.client("tina")
        let stream = try await LiveConnection(tina)
        _ = try await stream.event()
        switch change {
        case "session": #expect(try await tina.call("DELETE", "session").status == 204)
        case "user": #expect(try await server.site.waggle("user", "remove", "tina").exitCode == 0)
        case "group":
            try await server.site.sql(
                "UPDATE users SET group_name = 'nobodies' WHERE login = 'tina'")
        case _: try await server.site.sql("DELETE FROM sessions WHERE login = 'tina'")
        }
        #expect(try await stream.notification() == nil)
        let again = try await LiveConnection(tina)
        #expect(again.status == (change == "group" ? 403 : 401))
    }

    /// A moved user gets the notifications of the new group, and no more of the old one.
    @Test func moveToAnotherGroupHoldsAtOnce() async throws {
        let server = try await server()
        let tina = try server.client("tina")
        let stream = try await LiveConnection(tina)
        _ = try await stream.event()
        #expect(
            try await server.site.waggle("user", "set-group", "tina", "customers").exitCode == 0)
        for group in ["technicians", "customers"] {
            try await tina.notify(#"{"id": "\#(group)", "group": "\#(group)", "notification": {}}"#)
        }
        #expect(try await stream.notification()?.message().id == "customers")
    }

    @Test func signsOfLifeComeWithoutAnybodysDoing() async throws {
        let server = try await server("--live-beat-seconds", "1")
        let stream = try await LiveConnection(try server.client("tina"))
        let start = try #require(try await stream.event()?.id)
        for _ in 0..<2 {
            let beat = try #require(try await stream.event())
            #expect(beat.text == ":\nid: \(start)\n\n")
        }
    }

    @Test func onlySoManyListen() async throws {
        let server = try await server(
            processes: 1, "--max-live-streams", "2", "--live-beat-seconds", "3600")
        let (tina, tom) = (try server.client("tina"), try server.client("tom"))
        let first = try await LiveConnection(tina)
        let second = try await LiveConnection(tina)
        #expect(first.status == 200 && second.status == 200)
        let third = try await tom.call("GET", "live")
        #expect(third.status == 503 && third.header("Retry-After") == "30")
        #expect(try third.error().code == "tooManyStreams")
        // A closed stream makes room for another one.
        first.close()
        var answer = try await LiveConnection(tom)
        while answer.status == 503 { answer = try await LiveConnection(tom) }
        #expect(answer.status == 200)
        withExtendedLifetime(second) {}
    }

    @Test func userHasOnlyEight() async throws {
        let server = try await server(processes: 1)
        let tina = try server.client("tina")
        var streams: [LiveConnection] = []
        for _ in 0..<8 { streams.append(try await LiveConnection(tina)) }
        #expect(streams.allSatisfy { $0.status == 200 })
        let answer = try await tina.call("GET", "live")
        #expect(answer.status == 429)
        #expect(try answer.error().code == "tooManyStreams")
        #expect(try await LiveConnection(try server.client("tom")).status == 200)
    }

    /// An unread body would keep the stream, and thus the server, from ending.
    @Test(arguments: ["Transfer-Encoding: chunked", "Content-Length: 5"])
    func bodyIsRefused(header: String) async throws {
        let server = try await server()
        let tina = try server.client("tina")
        let connection = try RawConnection(port: server.port)
        connection.send(
            "GET /v1/test/live HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(tina.token)\r\n"
                + header + "\r\n\r\n")
        for _ in 0..<5 { connection.send(header.hasPrefix("T") ? "1\r\na\r\n" : "a") }
        #expect(await connection.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 400 "))
        #expect(await connection.receive(until: "}").contains("\"code\":\"bodyUnexpected\""))
        connection.close()
        #expect(await server.stop() == 0)
    }

    @Test(arguments: [
        ("live?x=1", 400, "parameterUnknown"), ("live", 400, "cursorUnreadable"),
    ])
    func badRequestsAreRefusedWithTheirCode(path: String, status: Int, code: String) async throws {
        let server = try await server()
        let tina = try server.client("tina")
        let answer = try await server.request(
            "GET", "/v1/test/\(path)",
            headers: ["Authorization": "Bearer \(tina.token)", "Last-Event-ID": "1"])
        #expect(answer.status == status)
        #expect(try answer.error().code == code)
    }
}
