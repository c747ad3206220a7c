import Foundation
import JSON
import SyncProtocol
import Testing

/// Designers at one draft, a draft that is a file, and simulations, over HTTP with the real
/// process.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DesigningTests {
    private static let draft = "/admin/v1/drafts/notes/events"

    /// The data of the next event with a name.
    private func next(_ name: String, of stream: LiveConnection) async throws -> String {
        while let event = try await stream.event() {
            let found = event.text.split(separator: "\n\n").map { LiveEvent(String($0)) }
                .last { $0.name == name }
            if let data = found?.data { return data }
        }
        throw Unexpected("the stream ended without '\(name)'")
    }

    @Test func designersAreToldOfEachOtherAndOfWrites() async throws {
        let server = try await RunningServer(definition: "Conflicts", processes: 1)
        let ann = try await server.operatorSession("ann", "designer")
        let token = try await server.adminToken("viewer", as: ann).secret
        let bearer = try #require(token.headers["Authorization"]?.dropFirst(7))
        let stream = try await LiveConnection(server, Self.draft, token: String(bearer))
        #expect(try await next("designers", of: stream) == #"{"names":["token 1 ci of ann"]}"#)
        let other = try await LiveConnection(server, Self.draft, token: String(bearer))
        #expect(try await next("draft", of: other) == #"{"author":"","revision":0}"#)

        let written = try await server.admin("PUT", "drafts/notes", #"{"xml":"<a/>"}"#, as: ann)
        #expect(written.status == 200)
        #expect(try await next("draft", of: stream) == #"{"author":"ann","revision":1}"#)
        other.close()
        stream.close()
    }

    // MARK: Several processes

    private func stream(
        _ server: RunningServer, _ process: Int, as caller: AdminCredentials
    ) async throws -> LiveConnection {
        let token = try await server.adminToken("viewer", as: caller).secret
        let bearer = try #require(token.headers["Authorization"]?.dropFirst(7))
        return try await LiveConnection(
            server, Self.draft, token: String(bearer), port: server.ports[process])
    }

    /// Waits until a stream tells that these design the draft.
    private func waits(for names: [String], _ stream: LiveConnection) async throws {
        let expected = JSONValue.object(["names": .array(names.map { .string($0) })]).text
        while try await next("designers", of: stream) != expected {}
    }

    @Test(.withManyProcesses)
    func designersAreToldOfThoseInOtherProcesses() async throws {
        let server = try await RunningServer(definition: "Conflicts", processes: 2)
        let ann = try await server.operatorSession("ann", "designer")
        let ben = try await server.operatorSession("ben", "designer")
        let (first, second) = ("token 1 ci of ann", "token 2 ci of ben")
        let one = try await stream(server, 0, as: ann)
        try await waits(for: [first], one)
        let two = try await stream(server, 1, as: ben)
        for stream in [one, two] { try await waits(for: [first, second], stream) }

        let written = try await server.admin("PUT", "drafts/notes", #"{"xml":"<a/>"}"#, as: ann)
        #expect(written.status == 200, "\(written.text)")
        for stream in [one, two] {
            while try await next("draft", of: stream) != #"{"author":"ann","revision":1}"# {}
        }
        two.close()
        try await waits(for: [first], one)

        // Nobody tells of those whose process was killed: they are forgotten.
        let three = try await stream(server, 1, as: ben)
        try await waits(for: [first, "token 3 ci of ben"], one)
        try await server.replaceProcess(1)
        try await waits(for: [first], one)
        three.close()
        one.close()
    }

    // MARK: Files

    @Test func fileIsDraftThatIsNotOverwritten() async throws {
        let site = try await Site(prepared: "Conflicts")
        let server = try await RunningServer(
            site: site, processes: 1, arguments: ["--edit-file"])
        let ann = try await server.operatorSession("ann", "designer")
        let list = try await server.admin("GET", "drafts", as: ann)
        #expect(list.text.contains(#""name":"conflicts""#))
        #expect(list.text.contains("application.xml"))

        let path = "drafts/conflicts"
        let shown = try await server.admin("GET", path, as: ann)
        let text = try definition("Conflicts")
        #expect(try shown.member("xml") == .string(text))
        let tag = try #require(shown.header("ETag"))
        let new = text.replacing("One to five", with: "From 1 to 5")
        let body = JSONValue.object(["xml": .string(new)]).text
        #expect(try await server.admin("PUT", path, body, as: ann).status == 412)
        let written = try await server.admin("PUT", path, body, as: ann.with("If-Match", tag))
        #expect(written.status == 200, "\(written.text)")
        #expect(try String(contentsOfFile: site.definition, encoding: .utf8) == new)

        try "<other/>".write(toFile: site.definition, atomically: true, encoding: .utf8)
        let stale = try await server.admin(
            "PUT", path, body, as: ann.with("If-Match", try #require(written.header("ETag"))))
        #expect(stale.status == 412)
        #expect(try stale.error().code == "draftStale")
        #expect(try String(contentsOfFile: site.definition, encoding: .utf8) == "<other/>")
        let removal = try await server.admin("DELETE", path, as: ann)
        #expect(try removal.error().code == "draftIsFile")
    }

    @Test func onlyNamedFileIsEdited() async throws {
        let site = try await Site(prepared: "Conflicts")
        let finished = try await site.waggle("serve", "--edit-file", "--port", "0")
        #expect(finished.exitCode == 2)
        #expect(finished.errors.contains("there is no file that designers could change"))
    }

    // MARK: Simulations

    private func request(
        _ definition: String, devices: Int64 = 3, steps: Int64 = 40, histories: Int64 = 2
    ) -> String {
        JSONValue.object([
            "xml": .string(definition), "devices": .integer(devices), "steps": .integer(steps),
            "histories": .integer(histories), "seed": 1,
        ]).text
    }

    @Test func simulationTellsProgressAndResult() async throws {
        let server = try await RunningServer(definition: "Conflicts", processes: 1)
        let ann = try await server.operatorSession("ann", "designer")
        let answer = try await server.admin(
            "POST", "simulations", request(try definition("Conflicts")), as: ann)
        #expect(answer.status == 200)
        let lines = answer.text.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.first?.contains(#""histories":1,"kind":"progress","of":2"#) == true)
        #expect(
            lines.last?.contains("no violation in 2 histories of 40 steps by 3 devices") == true)
    }

    @Test func simulationsAreBounded() async throws {
        let server = try await RunningServer(definition: "Conflicts", processes: 1)
        let ann = try await server.operatorSession("ann", "designer")
        let viewer = try await server.operatorSession("vera", "viewer")
        let text = try definition("Conflicts")
        for body in [
            request(text, devices: 21), request(text, steps: 0), request(text, histories: 1001),
        ] {
            let answer = try await server.admin("POST", "simulations", body, as: ann)
            #expect(try answer.error().code == "parameterIllegal")
        }
        let empty = request(#"<application application="a" vendor="v"/>"#)
        let nothing = try await server.admin("POST", "simulations", empty, as: ann)
        #expect(nothing.status == 422, "\(nothing.text)")
        let refused = try await server.admin("POST", "simulations", request(text), as: viewer)
        #expect(refused.status == 403)
    }

    /// One runs at a time; it ends with its connection, and the next may begin.
    @Test func simulationEndsWithConnection() async throws {
        let server = try await RunningServer(definition: "Conflicts", processes: 1)
        let ann = try await server.operatorSession("ann", "designer")
        let token = try await server.adminToken("designer", as: ann).secret
        let text = try definition("Conflicts")
        let long = request(text, devices: 20, steps: 2000, histories: 1000)
        let connection = try RawConnection(port: server.port)
        connection.send(
            """
            POST /admin/v1/simulations HTTP/1.1\r
            Host: localhost\r
            Authorization: \(token.headers["Authorization"] ?? "")\r
            Content-Type: application/json\r
            Content-Length: \(long.utf8.count)\r
            \r
            \(long)
            """)
        #expect(await connection.receive(until: "\r\n\r\n").contains("200 OK"))
        let second = try await server.admin("POST", "simulations", request(text), as: ann)
        #expect(second.status == 409)
        #expect(try second.error().code == "simulationRunning")
        connection.close()
        // The first history alone would take longer.
        _ = try await asked(
            { try await server.admin("POST", "simulations", request(text), as: ann) },
            until: { $0.status == 200 })
    }
}
