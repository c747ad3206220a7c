import JSON
import SyncProtocol
import Testing

/// A number that Waggle never writes is an error of the requests that read its row. The server goes
/// on, and names the column in its log.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DamagedRowTests {
    private let model = "ConflictsEntity"

    /// A server with one record, which two users have edited at the same time.
    private func served() async throws -> (server: RunningServer, guid: String) {
        let server = try await RunningServer(definition: "Conflicts")
        let guid = fresh()
        let (a, b) = (try server.client("a"), try server.client("b"))
        try await a.push(.create(guid, of: model, ["title": "Solaris"]))
        for (client, title) in [(a, "Stalker"), (b, "Mirror")] {
            try await client.push(.update(guid, of: model, from: 1, ["title": .string(title)]))
        }
        _ = try await server.askToSignIn("b", password: "wrong", device: "other")
        return (server, guid)
    }

    private func answers(of server: RunningServer, _ guid: String) async throws -> [Answer] {
        let a = try server.client("a")
        let changes: [ChangeMessage] = [
            .update(guid, of: model, from: 1, ["title": "Nostalghia"]),
            .update(guid, of: model, from: 2, ["score": 4]), .delete(guid, of: model, from: 1),
            .create(fresh(), of: model, ["title": "Alien"]),
        ]
        var answers = [try await a.ask(SyncRequest())]
        for change in changes { answers.append(try await a.ask(SyncRequest(changes: [change]))) }
        answers.append(
            try await server.request(
                "GET", "/v1/test/records/\(model)/\(guid)/history",
                headers: ["Authorization": "Bearer \(a.token)"]))
        answers.append(try await server.askToSignIn("b", device: "other"))
        return answers
    }

    @Test(arguments: [
        "environments.sequence", "environments.horizon", "environments.last_stamp",
        "records.revision", "records.created", "records.created_at", "records.changed_at",
        "records.moved", "history.revision", "history.at", "history.sequence",
        "conflicts.revision", "sessions.expires_at", "failed_sign_ins.count",
        "failed_sign_ins.last_at", "outcomes.expires_at", "versions.deployed_at",
    ])
    func noNumberEndsServer(column: String) async throws {
        let names = column.split(separator: ".")
        let (server, guid) = try await served()
        for value in ["9223372036854775807", "-9223372036854775808", "-1", "0"] {
            try await server.site.sql("UPDATE \(names[0]) SET \(names[1]) = \(value)")
            for answer in try await answers(of: server, guid) where answer.status != 200 {
                #expect([201, 401, 404, 429, 503].contains(answer.status), "\(answer.text)")
                if answer.status == 503 {
                    #expect(try answer.error().code == "databaseUnusable")
                }
            }
        }
        let exitCode = await server.stop()
        let log = try server.log()
        #expect(exitCode == 0, "\(log)")
    }

    @Test func damagedRowFailsItsRequestsOnly() async throws {
        let (server, guid) = try await served()
        let a = try server.client("a")
        let cursor = try await a.everythingSeen()
        try await server.site.sql("UPDATE records SET revision = -5 WHERE guid = '\(guid)'")
        for request in [
            SyncRequest(),
            SyncRequest(changes: [.update(guid, of: model, from: 1, ["title": "Alien"])]),
        ] {
            let answer = try await a.ask(request)
            #expect(answer.status == 503 && !answer.text.contains("-5"), "\(answer.text)")
            #expect(try answer.error().code == "databaseUnusable")
        }
        if server.site.isOfFile {
            #expect(try server.log().contains("a row has -5 in the column 'revision'"))
        }
        let created = ChangeMessage.create(fresh(), of: model, ["title": "Alien"])
        let outcome = try await a.push(created, seen: cursor).outcome
        #expect(outcome == .accepted)
    }
}
