import Foundation
import JSON
import SyncProtocol
import Testing

@Suite("A server with one thread reads, carries out and answers requests on it")
struct SingleThreadTests {
    private let arguments = ["--threads", "1", "--live-beat-seconds", "3600"]

    private func server() async throws -> RunningServer {
        try await RunningServer(
            site: try await Site(prepared: "Conflicts"), arguments: arguments)
    }

    @Test func clientsPushAtTheSameTime() async throws {
        let server = try await server()
        let outcomes = try await withThrowingTaskGroup(of: [OutcomeMessage].self) { group in
            for _ in 0..<8 {
                let client = try server.client("a")
                group.addTask {
                    var outcomes: [OutcomeMessage] = []
                    for _ in 0..<10 {
                        outcomes.append(
                            try await client.push(
                                .create(fresh(), of: "ConflictsEntity", ["title": "0"])))
                    }
                    return outcomes
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(outcomes.count == 80 && outcomes.allSatisfy { $0.outcome == .accepted })
        #expect(try await server.client("b").records().count == 80)
    }

    @Test func responseIsSentBeforeTheClose() async throws {
        let server = try await server()
        let client = try server.client("a")
        let request = SyncRequest(changes: [
            .create(fresh(), of: "ConflictsEntity", ["title": "0"])
        ])
        let connection = try RawConnection(port: server.port)
        connection.send(try client.wireRequest(request))
        let response = await connection.receiveAll()
        let parts = response.split(separator: "\r\n\r\n", maxSplits: 1)
        try #require(parts.count == 2, "\(response)")
        let answer = try JSONDecoder().decode(SyncResponse.self, from: Data(parts[1].utf8))
        #expect(answer.outcomes.map(\.outcome) == [.accepted])
    }

    /// A response of many parts, which is larger than the buffers of a connection.
    @Test func fileIsSentWhole() async throws {
        let server = try await RunningServer(site: .withFiles(), arguments: arguments)
        let client = try server.client("a")
        let (file, bytes) = (fresh(), someBytes(8 << 20))
        #expect(try await client.put(file, bytes).status == 201)
        try await client.attach(file)
        let answer = try await client.get(file)
        #expect(answer.status == 200 && answer.body == bytes)
    }

    @Test func streamSendsNotificationsAtOnce() async throws {
        let server = try await RunningServer(
            site: try await Site(prepared: "FieldService"), arguments: arguments)
        let tina = try server.client("tina")
        let stream = try await LiveConnection(tina)
        #expect(try await stream.event()?.id != nil)
        try await tina.notify(#"{"id": "1", "notification": {}}"#)
        #expect(try await stream.notification()?.message().id == "1")
    }
}
