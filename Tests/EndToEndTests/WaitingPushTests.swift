import Foundation
import JSON
import SyncProtocol
import Testing

/// Another process holds the lock of the database, so pushes wait for their turn.
@Suite(.serialized, .timeLimit(.minutes(5))) struct WaitingPushTests {
    private static let model = "ConflictsEntity"

    /// Begins a push and returns when the server has begun with it. `finish` sends the rest.
    private func begun(
        _ changes: [ChangeMessage], by client: Client
    ) async throws -> (connection: RawConnection, finish: @Sendable () -> Void) {
        let body = try JSONEncoder().encode(SyncRequest(limit: 1, changes: changes))
        let connection = try RawConnection(port: client.server.port)
        connection.send(
            """
            POST /v1/test/sync HTTP/1.1\r
            Host: x\r
            Authorization: Bearer \(client.token)\r
            Expect: 100-continue\r
            Connection: close\r
            Content-Length: \(body.count)\r
            \r

            """)
        let answer = await connection.receive(until: "\r\n\r\n")
        #expect(answer.contains("100 Continue"))
        return (connection, { connection.send(body) })
    }

    private func creations(_ count: Int) -> [ChangeMessage] {
        (0..<count).map { _ in .create(fresh(), of: Self.model, ["title": "waiting"]) }
    }

    /// One push leads, and waits for the lock. Those behind it are refused at once.
    @Test(.withAFile) func stoppingServerRefusesWhatWaits() async throws {
        let batches = (0..<4).map { _ in creations(2) }
        let (site, answers) = try await attempted {
            let site = try await Site(prepared: "Conflicts")
            let answers = try await answersOfStopping(site, to: batches)
            return answers.contains(where: Self.foundLock) ? nil : (site, answers)
        }
        for answer in answers {
            #expect(answer.hasPrefix("HTTP/1.1 503 "), "\(answer)")
            #expect(answer.contains(#""code":"stopping""#), "\(answer)")
            #expect(answer.lowercased().contains("retry-after: 1\r\n"), "\(answer)")
        }

        // The same again takes effect once.
        let next = try await RunningServer(site: site)
        for (number, batch) in batches.enumerated() {
            let client = try next.client(number.isMultiple(of: 2) ? "a" : "b")
            let outcomes = try await client.sync(batch, limit: 1).outcomes
            #expect(outcomes.map(\.outcome) == [.accepted, .accepted])
        }
        #expect(try await next.client("a").records().count == 8)
    }

    /// Whether the lock was held for longer than a push waits for it.
    private static func foundLock(_ answer: String) -> Bool {
        answer.contains(#""code":"busy""#)
    }

    /// The first three answers to four pushes that wait when the server is to stop.
    private func answersOfStopping(
        _ site: Site, to batches: [[ChangeMessage]]
    ) async throws -> [String] {
        let server = try await RunningServer(site: site)
        let (a, b) = (try server.client("a"), try server.client("b"))
        let lock = try await HeldLock(of: site.database)
        var pushes: [(connection: RawConnection, finish: @Sendable () -> Void)] = []
        for (number, batch) in batches.enumerated() {
            pushes.append(try await begun(batch, by: number.isMultiple(of: 2) ? a : b))
        }
        for push in pushes { push.finish() }
        server.send(SIGTERM)
        let answers = try await refusals(3, of: pushes.map(\.connection))
        try await lock.release()
        #expect(await server.exitCode() == 0)
        return answers
    }

    /// The push has waited for the lock until the server stops.
    @Test(.withAFile) func stoppingServerDecidesNoMore() async throws {
        let answer = try await attempted {
            let answer = try await answerAfterStop()
            return Self.foundLock(answer) ? nil : answer
        }
        #expect(answer.hasPrefix("HTTP/1.1 503 "), "\(answer)")
        #expect(answer.contains(#""code":"stopping""#), "\(answer)")
    }

    private func answerAfterStop() async throws -> String {
        let site = try await Site(prepared: "Conflicts")
        let server = try await RunningServer(site: site)
        let idle = try RawConnection(port: server.port)
        let lock = try await HeldLock(of: site.database)
        let (connection, finish) = try await begun(creations(3), by: try server.client("a"))
        finish()
        server.send(SIGTERM)
        #expect(await idle.receiveAll() == "")
        try await lock.release()
        let answer = await connection.receiveAll()
        #expect(await server.exitCode() == 0)
        #expect(try await site.sql("SELECT count(*) FROM records") == "0")
        return answer
    }

    /// Returns the first answers, in whatever order they come.
    private func refusals(_ count: Int, of connections: [RawConnection]) async throws -> [String] {
        try await withThrowingTaskGroup { group in
            for connection in connections {
                group.addTask { await connection.receiveAll() }
            }
            var answers: [String] = []
            while answers.count < count, let answer = try await group.next() {
                answers.append(answer)
            }
            for connection in connections { connection.close() }
            return answers
        }
    }

    /// Each event loop answers `GET /health` itself, so afterwards each has seen the end of the
    /// connection.
    @Test(.withAFile) func nothingIsDecidedForClientThatHasGone() async throws {
        let site = try await Site(prepared: "Conflicts")
        let server = try await RunningServer(site: site)
        let (a, b) = (try server.client("a"), try server.client("b"))
        let lock = try await HeldLock(of: site.database)
        let (connection, finish) = try await begun(creations(3), by: a)
        finish()
        connection.close()
        for _ in 0..<4 * ProcessInfo.processInfo.activeProcessorCount {
            let health = try RawConnection(port: server.port)
            health.send("GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            #expect(await health.receiveAll().hasPrefix("HTTP/1.1 200 "))
        }
        try await lock.release()
        #expect(try await b.push(creations(1)[0]).outcome == .accepted)
        #expect(try await b.records().count == 1)
    }
}
