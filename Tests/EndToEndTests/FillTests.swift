import Foundation
import JSON
import SyncProtocol
import Testing

/// Deployments that bring values to stored records, beside a running server.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FillTests {
    private static let model = "ConflictsEntity"

    private func films(_ count: Int, by client: Client) async throws -> [String] {
        let guids = (0..<count).map { _ in fresh() }
        for start in stride(from: 0, to: count, by: 100) {
            _ = try await client.sync(
                guids[start..<min(count, start + 100)].map {
                    .create($0, of: Self.model, ["title": .string($0)])
                })
        }
        return guids
    }

    /// No value is at risk any more, and clients of before go on creating.
    @Test func requiredFieldIsFilledWhileServerServes() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let (a, b) = (try server.client("a"), try server.client("b"))
        let guids = try await films(450, by: a)
        let cursor = try await b.sync(limit: 1000).cursor
        let next = try server.site.writing(try filmsWithStatus(), to: "next.xml")
        let refused = try await server.site.waggle("deploy", next)
        #expect(refused.exitCode == 1)
        #expect(refused.errors.contains("fieldAdded:\(Self.model).status"))
        let deployed = try await server.site.waggle(
            "deploy", next, "--fill", "\(Self.model).status=open")
        #expect(deployed.exitCode == 0, "\(deployed.errors)")
        #expect(deployed.errors.contains("records with new values: 450\n"), "\(deployed.errors)")
        #expect(!deployed.errors.contains("still lack"))

        let records = try await b.records()
        #expect(Set(records.map(\.guid)) == Set(guids))
        #expect(records.allSatisfy { $0.fields?["status"] == "open" && $0.revision == 2 })
        let history = try await b.history(of: guids[0], in: Self.model)
        #expect(history.first?.login.hasPrefix("deployment ") == true)
        #expect(history.first?.before == ["status": .null])
        let pulled = try await b.sync(cursor: cursor)
        #expect(!pulled.resync, "\(pulled.records.count) records, more: \(pulled.more)")
        let edit = try await a.push(.update(guids[1], of: Self.model, from: 1, ["title": "x"]))
        #expect(edit.outcome == .accepted, "it was made before the deployment")

        let old = try server.client("a").of(version: fingerprint(of: definition("Conflicts")))
        let guid = fresh()
        let created = try await old.push(.create(guid, of: Self.model, ["title": "new"]))
        #expect(created.outcome == .accepted)
        #expect(try await b.record(guid).fields?["status"] == "open")
        #expect(try await old.record(guid).fields?.keys.contains("status") == false)
    }

    /// Records of the time before have their values again.
    @Test func fieldThatComesBackIsFilledWhereItLacksValues() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let (a, site) = (try server.client("a"), server.site)
        let guids = try await films(2, by: a)
        let next = try site.writing(try filmsWithStatus(), to: "next.xml")
        let first = try await site.deployAcceptingAll(next, "--fill", "\(Self.model).status=open")
        #expect(first.exitCode == 0, "\(first.errors)")
        #expect(try await site.deployAcceptingAll(site.definition).exitCode == 0)
        let late = try await films(1, by: a)
        let refused = try await site.waggle("deploy", next)
        #expect(refused.exitCode == 1 && refused.errors.contains("1 stored record:"))
        #expect(refused.errors.contains(late[0]), "\(refused.errors)")
        let filled = try await site.waggle("deploy", next, "--fill", "\(Self.model).status=late")
        #expect(filled.errors.contains("records with new values: 1\n"), "\(filled.errors)")
        for (guid, status) in [(guids[0], "open"), (guids[1], "open"), (late[0], "late")] {
            #expect(try await a.record(guid).fields?["status"] == .string(status))
        }
    }

    @Test func valuesAreCheckedBeforeAnythingIsWritten() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        _ = try await films(1, by: server.client("a"))
        let site = server.site
        let next = try site.writing(try filmsWithStatus(), to: "next.xml")
        for (option, words) in [
            (["--fill", "\(Self.model).state=x"], "has no field 'state'"),
            (["--fill", "\(Self.model).score=9"], "'\(Self.model).score'"),
            (["--fill-from", "\(Self.model).status=score"], "of another type"),
            (["--fill-default", "\(Self.model).status"], "has no default"),
        ] {
            let refused = try await Tool.run(
                ["deploy", next, "--database", site.database] + option, in: site.folder)
            #expect(refused.exitCode == 1 && refused.errors.contains(words), "\(refused.errors)")
        }
        let usage = try await site.waggle("deploy", next, "--fill", "status")
        #expect(usage.exitCode == 2)
        #expect(try await site.sql("SELECT count(*) FROM versions") == "1")
    }

    /// The server does it. A deployment of the same definition can bring values, too.
    @Test func deploymentOverHTTPBringsValuesAndShowsProgress() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let designer = try await server.operatorSession("dora", "designer")
        let guids = try await films(3, by: server.client("a"))
        let xml = JSONValue.string(try filmsWithStatus()).text
        func deploy(_ rule: String, dry: Bool = false) async throws -> Answer {
            try await server.admin(
                "POST", "environments/test/deployments",
                "{\"xml\":\(xml),\"dryRun\":\(dry),\"fill\":[{\"model\":\"\(Self.model)\","
                    + "\"field\":\"status\",\(rule)}]}", as: designer)
        }
        let faulty = try await deploy("\"value\":3", dry: true)
        #expect(faulty.status == 422, "\(faulty.text)")
        #expect(try faulty.error().code == "fillsFaulty")
        #expect(try await deploy("\"from\":\"x\",\"default\":true").status == 422)
        let dry = try await deploy("\"from\":\"title\"", dry: true)
        #expect(try dry.member("risks") == .array([]), "\(dry.text)")
        #expect(
            try dry.member("fills")
                == .array([
                    .object(["model": .string(Self.model), "field": "status", "records": 3])
                ]))
        #expect(try await deploy("\"from\":\"title\"").status == 200)
        let done = try await server.doneFill(as: designer)
        #expect(done["filled"] == 3 && done["unfilled"] == 0)
        let film = try await server.client("b").record(guids[0])
        #expect(film.fields?["status"] == .string(guids[0]))
        #expect(try await deploy("\"from\":\"title\"").member("deployed") == .boolean(false))
    }

    /// An environment with a film that a deployment has filled.
    private func fill(_ next: String, in environment: String, of site: Site) async throws {
        if environment != "test" {
            _ = try await site.waggle("deploy", site.definition, "--environment", environment)
            _ = try await site.waggle(
                "user", "add", "a", "--group", "users", "--password-stdin", "--environment",
                environment, input: "password\n")
        }
        let imported = try await site.waggle(
            "import", "-", "--environment", environment, "--model", Self.model, "--owner", "a",
            input: "{\"title\":\"film\"}\n")
        try #require(imported.exitCode == 0, "\(imported.errors)")
        let deployed = try await site.deployAcceptingAll(
            next, "--fill", "\(Self.model).status=open", "--environment", environment)
        try #require(deployed.exitCode == 0, "\(deployed.errors)")
    }

    /// A fill that fails, as on damaged data, holds up no other one.
    @Test func damagedEnvironmentHoldsUpNoOther() async throws {
        let site = try await Site(prepared: "Conflicts")
        let next = try site.writing(try filmsWithStatus(), to: "next.xml")
        for environment in ["test", "other"] { try await fill(next, in: environment, of: site) }
        let begun = """
            {"done":false,"filled":0,"position":0,"rules":[{"field":"status",\
            "model":"\(Self.model)","value":"open"}],"unfilled":0}
            """
        try await site.sql("UPDATE versions SET fill = '\(begun)' WHERE fill IS NOT NULL")
        try await site.sql(
            """
            UPDATE records SET fields = '{' WHERE environment =
                (SELECT id FROM environments WHERE name = 'test')
            """)
        let server = try await RunningServer(site: site.serving(next), processes: 1)
        let done = "SELECT count(*) FROM versions WHERE fill LIKE '%\"done\":true%'"
        while try await site.sql(done) != "1" { try #require(server.isRunning) }
        let lines = try server.log().split(separator: "\n").filter {
            $0.contains("cannot fill in the values")
        }
        #expect(lines.count == 1 && lines[0].contains("test"), "\(lines)")
    }

    @Test func originalClientCreatesWithValueOfRule() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let old = try OriginalClient("a", of: server)
        let next = try server.site.writing(try filmsWithStatus(), to: "next.xml")
        let deployed = try await server.site.deployAcceptingAll(
            next, "--fill", "\(Self.model).status=open")
        #expect(deployed.exitCode == 0, "\(deployed.errors)")
        let guid = fresh()
        try await old.synchronize([
            OriginalLine(guid, of: Self.model, ["title": "Alien", "score": "3"])
        ])
        #expect(try await server.client("b").record(guid).fields?["status"] == "open")
    }
}

extension RunningServer {
    /// The values of the last deployment, once they are in all records.
    fileprivate func doneFill(as caller: AdminCredentials) async throws -> [String: JSONValue] {
        while true {
            let list = try await admin("GET", "environments/test/deployments?limit=1", as: caller)
            guard case .array(let entries) = try list.member("entries"),
                case .object(let entry)? = entries.first, case .object(let fill)? = entry["fill"]
            else { throw Unexpected(list.text) }
            if fill["done"] == .boolean(true) { return fill }
        }
    }
}
