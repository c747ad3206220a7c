import Foundation
import JSON
import SyncProtocol
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct StopTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func stoppingServerFinishesItsRequests(signal: Int32) async throws {
        let server = try await RunningServer(
            site: Site(prepared: "Conflicts"), arguments: RunningServer.patient)
        let (idle, asking) = (
            try RawConnection(port: server.port), try RawConnection(port: server.port)
        )
        let body = try JSONEncoder().encode(
            SessionRequest(
                login: "a", password: PreparedDatabase.password(of: "a"),
                deviceCategory: "mobile", deviceIdentifier: "in-flight"))
        asking.send(
            """
            POST /v1/test/session HTTP/1.1\r
            Host: x\r
            Expect: 100-continue\r
            Content-Length: \(body.count)\r
            \r

            """)
        // The server has begun with this request.
        #expect(await asking.receive(until: "\r\n\r\n").contains("100 Continue"))
        server.send(signal)
        // The server is about to end.
        #expect(await idle.receiveAll() == "")
        asking.send(body)
        let answer = await asking.receiveAll()
        #expect(answer.contains("201 Created") && answer.contains(#""login":"a""#), "\(answer)")
        #expect(await server.exitCode() == 0)
        #expect(try server.log().hasSuffix("stopped\n"))
        #expect(try await server.sessionsOf(device: "in-flight") == "1")
    }

    /// Those of its records that are there stay, and the client sends all of them again.
    @Test func largeArchiveDoesNotHoldUpTheStop() async throws {
        let (status, count) = try await attempted { try await stopDuring(30_000) }
        #expect(status.contains("503"))
        #expect((1..<30_000).contains(count), "\(count)")
    }

    /// The answer to an archive of so many records, and how many of them are stored, if the server
    /// is to stop meanwhile; nil if it had been answered by then.
    private func stopDuring(_ records: Int) async throws -> (status: String, stored: Int)? {
        let server = try await RunningServer(definition: "Conflicts", processes: 1)
        let (client, native) = (try OriginalClient("a", of: server), try server.client("a"))
        let lines = (0..<records).map { number in
            OriginalLine(
                fresh(), of: "ConflictsEntity", ["title": .string("Film \(number)"), "score": "1"])
        }
        let body = OriginalClient.body(of: try client.archive(lines))
        let headers = client.headers.merging(OriginalClient.contentType) { $1 }
        let connection = try RawConnection(port: server.port)
        connection.send(
            "POST /sync/v2/synchronize HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.count)\r\n"
                + headers.map { "\($0.key): \($0.value)\r\n" }.joined() + "\r\n")
        connection.send(body)
        while try await native.sync(limit: 1).records.isEmpty { await Task.yield() }
        server.send(SIGTERM)
        let status = await connection.receive(until: "\r\n")
        #expect(await server.exitCode() == 0)
        let count = try await server.site.sql("SELECT count(*) FROM records")
        let stored = try #require(Int(count))
        return status.contains("200") && stored == records ? nil : (status, stored)
    }

    @Test(.withAFile) func whenItHasStoppedEverythingIsInTheOneFile() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        try await server.client("a").push(
            .create(fresh(), of: "ConflictsEntity", ["title": "Alien"]))
        #expect(await server.stop() == 0)
        let copy = try Site(definition: definition("Conflicts"))
        try server.site.folder.bytes(of: "app.sqlite")
            .write(to: URL(fileURLWithPath: copy.database))
        #expect(try await copy.sql("SELECT count(*) FROM records") == "1")
    }

    @Test func sessionsAndCursorsOutliveRestart() async throws {
        let site = try await Site(prepared: "Conflicts")
        var server = try await RunningServer(site: site)
        try await server.client("a").push(
            .create(fresh(), of: "ConflictsEntity", ["title": "Alien"]))
        let before = try await server.client("b").sync()
        #expect(before.records.count == 1)
        #expect(await server.stop() == 0)

        server = try await RunningServer(site: site)
        let after = try await server.client("b").sync(cursor: before.cursor)
        #expect(after.records == [] && !after.resync && after.cursor == before.cursor)
    }
}

extension RunningServer {
    fileprivate func sessionsOf(device: String) async throws -> String {
        try await site.sql(
            "SELECT count(*) FROM sessions WHERE device_identifier = '\(device)'")
    }
}
