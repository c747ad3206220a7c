import Foundation
import JSON
import SyncProtocol
import Testing

/// Expensive requests of one user do not hold up those of another one.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FairShareTests {
    private static let model = "ConflictsEntity"

    /// Titles match a pattern that takes 667 steps for each of their letters.
    private func server() async throws -> RunningServer {
        let site = try await Site(prepared: "Conflicts") { text in
            let field = #"<field name="title" type="TEXT" required="true""#
            return try text.changing(
                #"conflictMode="MANUAL""#,
                to: #"conflictMode="MANUAL" xmlns:w="urn:waggle:definition""#
            ).changing(
                field + ">",
                to: field + #" w:pattern="((a?){332})*"><options>"#
                    + #"<option name="maxLength">10000</option></options>"#)
        }
        return try await RunningServer(
            site: site, processes: 1, arguments: ["--azure", "--parse"])
    }

    private func creation(letters: Int) -> ChangeMessage {
        .create(
            fresh(), of: Self.model, ["title": .string(String(repeating: "a", count: letters))])
    }

    /// How another user's request fared while expensive ones were carried out.
    private struct Overtaking {
        let answer: String
        /// The number of expensive requests with an answer when this one had its own.
        let answered: Int
    }

    /// Sends expensive requests, each on a connection of its own, then those of another user, each
    /// after the answer to the one before it. One thread does all of it: a busy test process would
    /// otherwise send the others, or look at the connections, when everything is answered.
    private func overtake(
        _ expensive: [Data], with others: [Data], on server: RunningServer
    ) async throws -> (overtakings: [Overtaking], statuses: [String]) {
        let port = server.port
        let (connections, overtakings) = try await offloaded {
            Result {
                let connections = try expensive.map { request in
                    let connection = try RawConnection(port: port)
                    connection.send(request)
                    return connection
                }
                let overtakings = try others.map { request in
                    let connection = try RawConnection(port: port)
                    connection.send(request)
                    let answer = String(decoding: connection.receiveBlocking(.max), as: UTF8.self)
                    return Overtaking(
                        answer: answer, answered: connections.filter(\.hasAnswer).count)
                }
                return (connections, overtakings)
            }
        }.get()
        var statuses: [String] = []
        for connection in connections {
            statuses.append(status(of: await connection.receiveAll()))
        }
        return (overtakings, statuses)
    }

    private func status(of answer: String) -> String {
        String(answer.dropFirst("HTTP/1.1 ".count).prefix(3))
    }

    private func push(letters: Int, by client: Client) throws -> Data {
        try client.wireRequest(SyncRequest(limit: 1, changes: [creation(letters: letters)]))
    }

    enum PushWire: CaseIterable {
        case native, azure, parse
    }

    /// Creates two records with costly titles, or one where clients do not push several.
    private func costlyPush(on wire: PushWire, by client: Client) throws -> Data {
        let row = JSONValue.object(["title": .string(String(repeating: "a", count: 10_000))])
        switch wire {
        case .native:
            return try client.wireRequest(
                SyncRequest(
                    limit: 1, changes: [creation(letters: 10_000), creation(letters: 10_000)]))
        case .azure: return client.foreignRequest("/azure/test/tables/\(Self.model)", row)
        case .parse:
            let one = JSONValue.object([
                "method": "POST", "path": .string("/parse/classes/\(Self.model)"), "body": row,
            ])
            return client.foreignRequest(
                "/parse/batch", .object(["requests": .array([one, one])]))
        }
    }

    @Test(arguments: PushWire.allCases)
    func costlyPatternsHoldUpNobodyElse(wire: PushWire) async throws {
        let server = try await server()
        let (a, b) = (try server.client("a"), try server.client("b"))
        let requests = try (0..<(wire == .azure ? 8 : 4)).map { _ in
            try costlyPush(on: wire, by: a)
        }
        // The second one is matched on the same threads.
        let pushes = try [3, 2000].map { try push(letters: $0, by: b) }
        let (overtakings, statuses) = try await overtake(requests, with: pushes, on: server)
        for overtaking in overtakings {
            #expect(overtaking.answer.contains(#""accepted""#))
            #expect(overtaking.answered <= (wire == .azure ? 1 : 0))
        }
        #expect(Set(statuses) == [wire == .azure ? "201" : "200"])
    }

    enum LongRead: CaseIterable {
        case pull, history
    }

    /// At most two of the reads run at the same time. Each asks for another number, so that no
    /// answer is in a cache.
    @Test(arguments: LongRead.allCases)
    func readsOfManyConnectionsHoldUpNobodyElse(read: LongRead) async throws {
        let server = try await server()
        let (a, b) = (try server.client("a"), try server.client("b"))
        let first = creation(letters: 3)
        _ = try await a.sync([first], limit: 1)
        for turn in 0..<2 {
            let changes = (0..<1000).map { number in
                read == .pull
                    ? creation(letters: 3)
                    : .update(
                        first.guid, of: Self.model,
                        from: number == 0 ? Int64(1 + 1000 * turn) : nil,
                        ["title": .string(number % 2 == 0 ? "a" : "aa")])
            }
            _ = try await a.sync(changes, limit: 1)
            _ = try await a.sync(limit: 1, acknowledged: changes.map(\.id))
        }
        let requests = try (0..<200).map { number in
            switch read {
            case .pull: try a.wireRequest(SyncRequest(limit: 500 - number))
            case .history:
                a.readRequest("records/\(Self.model)/\(first.guid)/history?limit=\(500 - number)")
            }
        }
        let pull = try b.wireRequest(SyncRequest(limit: 1))
        let (overtakings, statuses) = try await overtake(requests, with: [pull], on: server)
        #expect(overtakings.map { status(of: $0.answer) } == ["200"])
        #expect(overtakings[0].answered < 50)
        #expect(Set(statuses) == ["200"])
    }

    @Test func tooCostlyPushesAreRefusedByName() async throws {
        let a = try await server().client("a")
        let changes = (0..<4).map { _ in creation(letters: 9000) }
        let answer = try await a.ask(SyncRequest(limit: 1, changes: changes))
        #expect(answer.status == 413)
        #expect(try answer.error().code == "tooMuchToMatch")
        let outcomes = try await a.sync(Array(changes.prefix(2)), limit: 1).outcomes
        #expect(outcomes.map(\.outcome) == [.accepted, .accepted])
    }

    @Test func refusedBodiesHoldUpNobodyElse() async throws {
        let server = try await server()
        let (a, b) = (try server.client("a"), try server.client("b"))
        let objects = String(repeating: #"{"":0},"#, count: 30_000)
        let body = Data(#"{"changes":[\#(objects)0]}"#.utf8)
        let head = """
            POST /v1/test/sync HTTP/1.1\r
            Host: x\r
            Authorization: Bearer \(a.token)\r
            Connection: close\r
            Content-Length: \(body.count)\r
            \r

            """
        let requests = (0..<4).map { _ in Data(head.utf8) + body }
        let (overtakings, statuses) = try await overtake(
            requests, with: [push(letters: 3, by: b)], on: server)
        #expect(overtakings[0].answer.contains(#""accepted""#))
        #expect(overtakings[0].answered < requests.count)
        #expect(statuses == ["400", "400", "400", "400"])
    }

    /// At most two of the searches run at the same time.
    @Test func searchesHoldUpNobodyElse() async throws {
        let server = try await server()
        let (a, b) = (try server.client("a"), try server.client("b"))
        for _ in 0..<2 {
            let changes = (0..<1000).map { _ in creation(letters: 3) }
            _ = try await a.sync(changes, limit: 1)
            _ = try await a.sync(limit: 1, acknowledged: changes.map(\.id))
        }
        let search = a.readRequest("records/\(Self.model)?sort=title,-score&count=true")
        let other = b.readRequest("records/\(Self.model)?limit=1")
        let (overtakings, statuses) = try await overtake(
            [Data](repeating: search, count: 200), with: [other], on: server)
        #expect(status(of: overtakings[0].answer) == "200")
        #expect(overtakings[0].answered < 50)
        #expect(Set(statuses) == ["200"])
    }
}

extension Client {
    /// A request to read, as text, with `Connection: close`.
    fileprivate func readRequest(_ path: String) -> Data {
        Data(
            """
            GET /v1/\(environment)/\(path) HTTP/1.1\r
            Host: x\r
            Authorization: Bearer \(token)\r
            Connection: close\r
            \r

            """.utf8)
    }

    /// A request with the headers of the clients of Azure Mobile and Parse.
    fileprivate func foreignRequest(_ path: String, _ json: JSONValue) -> Data {
        let body = Data(json.text.utf8)
        let head = """
            POST \(path) HTTP/1.1\r
            Host: x\r
            X-ZUMO-AUTH: \(token)\r
            ZUMO-API-VERSION: 2.0.1\r
            X-Parse-Application-Id: test\r
            X-Parse-Session-Token: r:\(token)\r
            Content-Type: application/json\r
            Connection: close\r
            Content-Length: \(body.count)\r
            \r

            """
        return Data(head.utf8) + body
    }
}
