import Foundation
import JSON
import SyncProtocol
import TestKit
import Testing

/// `waggle deploy` prints what changes, and what it breaks has to be accepted by name.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DeployCheckTests {
    /// A film with two stars, stored by a client.
    private func siteWithFilm() async throws -> Site {
        let site = try await Site(prepared: "Conflicts")
        let server = try await RunningServer(site: site)
        try await server.client("a").push(
            .create(fresh(), of: "ConflictsEntity", ["title": "Alien", "score": 2]))
        #expect(await server.stop() == 0)
        return site
    }

    @Test func hiddenValuesAreRefusedWithTheirNumber() async throws {
        let site = try await siteWithFilm()
        let text = try definition("Conflicts")
        let other = try site.writing(
            try text.changing(#"name="score" type"#, to: #"name="mark" type"#), to: "other.xml")
        let name = "fieldRemoved:ConflictsEntity.score"
        let refused = try await site.waggle("deploy", other)
        #expect(refused.exitCode == 1)
        #expect(refused.output.contains("the field 'score' of 'ConflictsEntity' is gone"))
        #expect(refused.errors.contains("  \(name)\n"), "\(refused.errors)")
        #expect(refused.errors.contains("1 stored record: its values stay stored"))
        #expect(refused.errors.contains(/\n    such as [0-9a-f-]{36}\n/), "\(refused.errors)")
        #expect(refused.errors.contains("--accept '\(name)'"))
        let shown = try await site.waggle("environment", "show", "test")
        #expect(shown.output.contains(/versions +1\n/), "\(shown.output)")

        let wrong = try await site.waggle("deploy", other, "--accept", "fieldRemoved:Film.score")
        #expect(wrong.exitCode == 1 && wrong.errors.contains("nothing of this deployment is named"))
        let accepted = try await site.deployAcceptingAll(other)
        #expect(accepted.exitCode == 0, "\(accepted.errors)")
    }

    @Test func unusedEnvironmentTakesAnything() async throws {
        let site = try Site(definition: try definition("Conflicts"))
        #expect(try await site.waggle("deploy", site.definition).exitCode == 0)
        let text = try definition("Conflicts")
        let other = try site.writing(
            try text.changing(#"name="score" type"#, to: #"name="mark" type"#), to: "other.xml")
        let deployed = try await site.waggle("deploy", other)
        #expect(deployed.exitCode == 0, "\(deployed.errors)")
        #expect(deployed.output.contains("is gone"))
    }

    @Test func recordsThatBreakLimitAreCounted() async throws {
        let site = try await siteWithFilm()
        let text = try definition("Conflicts")
        let other = try site.writing(
            try text.changing(#""minValue">1<"#, to: #""minValue">3<"#)
                .changing(#"defaultValue="1""#, to: #"defaultValue="3""#), to: "other.xml")
        let refused = try await site.waggle("deploy", other)
        #expect(refused.exitCode == 1)
        #expect(refused.errors.contains("limitTightened:ConflictsEntity.score"))
        #expect(refused.errors.contains("1 stored record: stored values that violate it"))
    }

    /// The same refusal as that of the deployment; what is accepted is shown with its examples.
    @Test func dryRunTellsWhatDeploymentWouldDo() async throws {
        let site = try await siteWithFilm()
        let text = try definition("Conflicts")
        let other = try site.writing(
            try text.changing(#"name="score" type"#, to: #"name="mark" type"#), to: "other.xml")
        let refused = try await site.waggle("deploy", other, "--dry-run")
        let alike = try await site.waggle("deploy", other)
        #expect(refused.exitCode == 1)
        #expect(refused.output == alike.output && refused.errors == alike.errors)

        let tables = "SELECT (SELECT count(*) FROM versions), (SELECT count(*) FROM activities)"
        let before = try await site.sql(tables)
        let accepted = try await site.deployAcceptingAll(other, "--dry-run")
        #expect(accepted.exitCode == 0, "\(accepted.errors)")
        #expect(accepted.output.contains("is gone"))
        #expect(accepted.errors.contains("accepted: fieldRemoved:ConflictsEntity.score: "))
        #expect(accepted.errors.contains(/\n  such as [0-9a-f-]{36}\n/), "\(accepted.errors)")
        #expect(accepted.errors.contains("nothing was changed"))
        #expect(try await site.sql(tables) == before)
        let same = try await site.waggle("deploy", site.definition, "--dry-run")
        #expect(same.exitCode == 0 && same.errors.contains("has this definition already"))
    }

    @Test func dryRunTellsOpenConflicts() async throws {
        let site = try await Site(prepared: "Conflicts")
        let server = try await RunningServer(site: site)
        let other = try definition("Conflicts")
            .changing(#""maxValue">5<"#, to: #""maxValue">6<"#)
        let path = try site.writing(other, to: "other.xml")
        let (a, b, guid) = (try server.client("a"), try server.client("b"), fresh())
        try await a.push(.create(guid, of: "ConflictsEntity", ["title": "Alien"]))
        let before = try await site.deployAcceptingAll(path, "--dry-run")
        #expect(before.exitCode == 0 && !before.errors.contains("open conflicts"))
        try await a.push(.update(guid, of: "ConflictsEntity", from: 1, ["title": "Aliens"]))
        let late = try await b.push(
            .update(guid, of: "ConflictsEntity", from: 1, ["title": "Solaris"]))
        #expect(late.outcome == .conflicted)
        let tried = try await site.deployAcceptingAll(path, "--dry-run")
        #expect(
            tried.errors.contains("open conflicts: 1 in 'ConflictsEntity'\n"), "\(tried.errors)")
        let designer = try await server.operatorSession("dora", "designer")
        let body = JSONValue.object(["xml": .string(other), "dryRun": .boolean(true)])
        let dry = try await server.admin(
            "POST", "environments/test/deployments", body.text, as: designer)
        #expect(
            dry.text.contains(#""openConflicts":[{"conflicts":1,"model":"ConflictsEntity"}]"#),
            "\(dry.text)")
    }

    /// By number, with the records that get a value.
    @Test func dryRunOfVersionTellsWhatIsFilled() async throws {
        let site = try await siteWithFilm()
        let other = try site.writing(try filmsWithStatus(), to: "other.xml")
        let added = try await site.waggle("versions", "import", other)
        #expect(added.exitCode == 0, "\(added.errors)")
        let tried = try await site.waggle(
            "deploy", "--version", "2", "--fill", "ConflictsEntity.status=open", "--dry-run")
        #expect(
            tried.errors.contains("records that get a value in 'ConflictsEntity.status': 1"),
            "\(tried.errors)")
        let none = try await site.waggle("deploy", "--version", "3", "--dry-run")
        #expect(none.exitCode == 1 && none.errors.contains("3"), "\(none.errors)")
        let shown = try await site.waggle("environment", "show", "test")
        #expect(shown.output.contains(/versions +1\n/), "\(shown.output)")
    }

    @Test func dryRunIsRefusedByLock() async throws {
        let site = try await Site(prepared: "Conflicts")
        #expect(try await site.waggle("lock", "on").exitCode == 0)
        let other = try site.writing(
            try definition("Conflicts").changing(#"name="score" type"#, to: #"name="mark" type"#),
            to: "other.xml")
        let tried = try await site.deployAcceptingAll(other, "--dry-run")
        #expect(tried.exitCode == 1 && tried.errors.contains("is locked"), "\(tried.errors)")
        let deployed = try await site.deployAcceptingAll(other)
        #expect(tried.errors == deployed.errors)
    }

    /// Neither the database nor an environment is made.
    @Test func dryRunMakesNothing() async throws {
        let site = try await Site(prepared: "Conflicts")
        let added = try await site.waggle(
            "deploy", site.definition, "--environment", "next", "--dry-run")
        #expect(added.exitCode == 0, "\(added.errors)")
        #expect(added.errors.contains("would deploy to environment 'next'"))
        let list = try await site.waggle("environment", "list")
        #expect(!list.output.contains("next"), "\(list.output)")
        let path = site.folder.path("none.sqlite")
        let missing = try await Tool.run(
            ["deploy", site.definition, "--dry-run", "--database", path], in: site.folder)
        #expect(missing.exitCode == 1 && missing.errors.contains("there is no database"))
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}

/// `waggle environment`.
@Suite(.serialized, .timeLimit(.minutes(5))) struct EnvironmentCommandTests {
    @Test func environmentsAreListedAndShown() async throws {
        let site = try await Site(prepared: "Conflicts")
        let list = try await site.waggle("environment", "list")
        #expect(list.exitCode == 0, "\(list.errors)")
        let row = /test +waggle\/conflicts +2 +0 +0 +[0-9a-f]+/
        #expect(list.output.contains(row), "\(list.output)")
        let shown = try await site.waggle("environment", "show", "test", "--format", "json")
        #expect(shown.output.contains(#""application":"conflicts""#), "\(shown.output)")
        #expect(shown.output.contains(#""users":2"#))
        let unknown = try await site.waggle("environment", "show", "nope")
        #expect(unknown.exitCode == 1 && unknown.errors.contains("has no environment 'nope'"))
    }

    /// Users stay signed in; the old name is unknown in every server at once.
    @Test func runningServerNoticesANewName() async throws {
        let site = try await Site(prepared: "Conflicts")
        let server = try await RunningServer(site: site)
        var a = try server.client("a")
        try await a.push(.create(fresh(), of: "ConflictsEntity", ["title": "Alien"]))
        let renamed = try await site.waggle("environment", "rename", "test", "live")
        #expect(renamed.exitCode == 0, "\(renamed.errors)")
        for _ in 0..<(2 * Backend.servers) {
            #expect(try await server.request("GET", "/v1/test/health").status == 404)
            let answer = try await a.ask(SyncRequest())
            #expect(answer.status == 404)
            #expect(try answer.error().code == "environmentUnknown")
            let signIn = try await server.askToSignIn("a")
            #expect(signIn.status == 404, "\(signIn.text)")
        }
        a.environment = "live"
        #expect(try await a.records().count == 1)
        let taken = try await site.waggle("environment", "rename", "live", "live")
        #expect(taken.exitCode == 1 && taken.errors.contains("already"))
        let illegal = try await site.waggle("environment", "rename", "live", "a b")
        #expect(illegal.exitCode == 2)
    }

    @Test func lockedEnvironmentIsNeitherRenamedNorRemoved() async throws {
        let site = try await Site(prepared: "Conflicts")
        #expect(try await site.waggle("lock", "on").exitCode == 0)
        let renamed = try await site.waggle("environment", "rename", "test", "live")
        #expect(renamed.exitCode == 1 && renamed.errors.contains("is locked"), "\(renamed.errors)")
        let removed = try await site.waggle("environment", "remove", "test", "--yes")
        #expect(removed.exitCode == 1 && removed.errors.contains("is locked"), "\(removed.errors)")
        #expect(try await site.sql("SELECT name FROM environments") == "test")
        #expect(try await site.waggle("lock", "off").exitCode == 0)
        #expect(try await site.waggle("environment", "rename", "test", "live").exitCode == 0)
    }

    @Test func nothingOfRemovedEnvironmentIsLeft() async throws {
        let site = try await Site(prepared: "Conflicts")
        let server = try await RunningServer(site: site)
        let a = try server.client("a")
        try await a.push(.create(fresh(), of: "ConflictsEntity", ["title": "Alien"]))
        let asked = try await site.waggle("environment", "remove", "test", input: "tset\n")
        #expect(asked.exitCode == 1 && asked.errors.contains("2 users and 1 records"))
        #expect(try await a.records().count == 1)

        let removed = try await site.waggle("environment", "remove", "test", input: "test\n")
        #expect(removed.exitCode == 0, "\(removed.errors)")
        for _ in 0..<(2 * Backend.servers) {
            #expect(try await a.ask(SyncRequest()).status == 404)
            #expect(try await server.askToSignIn("a").status == 404)
        }
        for table in ["records", "history", "users", "sessions", "versions", "environments"] {
            #expect(try await site.sql("SELECT count(*) FROM \(table)") == "0", "\(table)")
        }
        // The name is free, for an environment that knows nothing of the old one.
        #expect(try await site.waggle("deploy", site.definition).exitCode == 0)
        #expect(try await a.ask(SyncRequest()).status == 401)
        let again = try await site.waggle("environment", "remove", "test", "--yes")
        #expect(again.exitCode == 0)
    }
}
