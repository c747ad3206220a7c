import Foundation
import JSON
import SyncProtocol
import Testing

/// The stream of events of `/admin/v1`, and deployments with risks.
@Suite(.serialized, .timeLimit(.minutes(5))) struct AdminEventTests {
    private func secret(
        _ scope: String, at server: RunningServer
    ) async throws -> (designer: AdminCredentials, token: String, number: Int64) {
        let designer = try await server.operatorSession("dora", "designer")
        let token = try await server.adminToken(scope, as: designer)
        let text = try #require(token.secret.headers["Authorization"]?.dropFirst(7))
        return (designer, String(text), token.number)
    }

    private func next(_ name: String, of stream: LiveConnection) async throws -> String {
        while let event = try await stream.event() {
            // The first text has two events.
            let found = event.text.split(separator: "\n\n").map { LiveEvent(String($0)) }
                .last { $0.name == name }
            if let data = found?.data { return data }
        }
        throw Unexpected("the stream ended without '\(name)'")
    }

    private func deploy(
        _ xml: String, _ members: [String: JSONValue], as caller: AdminCredentials,
        at server: RunningServer
    ) async throws -> Answer {
        let body = JSONValue.object(members.merging(["xml": .string(xml)]) { $1 })
        return try await server.admin(
            "POST", "environments/test/deployments", body.text, as: caller)
    }

    /// The names of the risks that a dry run tells.
    private func risks(of dry: Answer) throws -> [JSONValue] {
        guard case .array(let risks)? = try dry.member("risks") else { throw Unexpected(dry.text) }
        return risks.compactMap { risk in
            guard case .object(let members) = risk else { return nil }
            return members["name"]
        }
    }

    @Test func changesAndDeploymentsAreTold() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let (designer, token, _) = try await secret("viewer", at: server)
        let stream = try await LiveConnection(
            server, "/admin/v1/environments/test/events", token: token)
        #expect(stream.status == 200, "\(stream.head)")
        let start = try #require(try await stream.event())
        #expect(start.text.contains("event: deployment") && start.text.contains("event: change"))
        try await server.client("a").push(
            .create(fresh(), of: "ConflictsEntity", ["title": "Alien"]))
        #expect(try await next("change", of: stream) == #"{"sequence":1}"#)
        let other = try definition("Conflicts").changing(#""maxValue">5<"#, to: #""maxValue">6<"#)
        let dry = try await deploy(other, ["dryRun": .boolean(true)], as: designer, at: server)
        let deployed = try await deploy(
            other, ["accepting": .array(try risks(of: dry))], as: designer, at: server)
        #expect(try deployed.member("deployed") == .boolean(true), "\(deployed.text)")
        #expect(try await next("deployment", of: stream).contains("deployment"))
        stream.close()
    }

    /// A page that nobody looks at does not keep its session.
    @Test func streamsDoNotRenewSessions() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let session = try await server.operatorSession("dora", "designer")
        let cookie = "Cookie: \(try #require(session.headers["Cookie"]))\r\n"
        let used = "SELECT used_at FROM operator_sessions"
        try await server.site.sql("UPDATE operator_sessions SET used_at = used_at - 3600000")
        let before = try await server.site.sql(used)
        for path in ["environments/test/events", "drafts/films/events"] {
            let stream = try await LiveConnection(server, "/admin/v1/\(path)", headers: cookie)
            // The first event, and what is said when the session was looked at again.
            for _ in 1...2 { _ = try await stream.event() }
            stream.close()
        }
        #expect(try await server.site.sql(used) == before)
        #expect(try await server.admin("GET", "session", as: session).status == 200)
        #expect(try await server.site.sql(used) != before)
    }

    /// The browser still has the cookie of the session that was not used for long.
    @Test func endedSessionDoesNotHinderSigningIn() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let session = try await server.operatorSession("dora", "designer")
        try await server.site.sql("UPDATE operator_sessions SET used_at = 0")
        #expect(try await server.admin("GET", "session", as: session).status == 401)
        let answer = try await server.admin(
            "POST", "session", #"{"name":"dora","password":"password of dora"}"#, as: session)
        #expect(answer.status == 201, "\(answer.text)")
    }

    @Test func revokedTokenEndsItsStream() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let (designer, token, number) = try await secret("viewer", at: server)
        let stream = try await LiveConnection(
            server, "/admin/v1/environments/test/events", token: token)
        _ = try await stream.event()
        #expect(try await server.admin("DELETE", "tokens/\(number)", as: designer).status == 204)
        while try await stream.event() != nil {}
        stream.close()
    }

    @Test func stopEndsStreams() async throws {
        let server = try await RunningServer(definition: "Conflicts", processes: 1)
        let (_, token, _) = try await secret("viewer", at: server)
        let stream = try await LiveConnection(
            server, "/admin/v1/environments/test/events", token: token)
        _ = try await stream.event()
        server.send(SIGTERM)
        while try await stream.event() != nil {}
        #expect(await server.exitCode() == 0)
    }

    @Test func dryRunCountsRepeatedValues() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let designer = try await server.operatorSession("dora", "designer")
        for _ in 1...3 {
            try await server.client("a").push(
                .create(fresh(), of: "ConflictsEntity", ["title": "Alien"]))
        }
        let xml = try definition("Conflicts")
            .changing("<application ", to: #"<application xmlns:w="urn:waggle:definition" "#)
            .changing(#"name="title" "#, to: #"name="title" w:unique="true" "#)
        let dry = try await deploy(xml, ["dryRun": .boolean(true)], as: designer, at: server)
        #expect(try dry.member("refusal") == "valuesNotUnique", "\(dry.text)")
        let repeated = JSONValue.object([
            "model": "ConflictsEntity", "field": "title", "records": 2,
        ])
        #expect(try dry.member("repeatedValues") == .array([repeated]))
    }

    @Test func riskyDeploymentHasToBeAccepted() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let designer = try await server.operatorSession("dora", "designer")
        let guid = fresh()
        try await server.client("a").push(
            .create(guid, of: "ConflictsEntity", ["title": "Alien", "score": 2]))
        let xml = try definition("Conflicts").changing(
            #"name="score" type"#, to: #"name="mark" type"#)
        func deploy(_ members: [String: JSONValue]) async throws -> Answer {
            try await self.deploy(xml, members, as: designer, at: server)
        }
        let dry = try await deploy(["dryRun": .boolean(true)])
        #expect(try dry.member("refusal") == .string("deploymentRisky"), "\(dry.text)")
        let names = try risks(of: dry)
        #expect(names.contains("fieldRemoved:ConflictsEntity.score"), "\(names)")
        #expect(dry.text.contains(#""examples":["\#(guid)"]"#), "\(dry.text)")
        #expect(try await deploy([:]).error().code == "deploymentRisky")
        let some = try await deploy(["accepting": .array(Array(names.dropFirst()))])
        #expect(try some.error().code == "deploymentRisky")
        let all = try await deploy(["accepting": .array(names)])
        #expect(try all.member("deployed") == .boolean(true), "\(all.text)")
    }
}
