import Foundation
import JSON
import SyncProtocol
import Testing

/// Databases that cannot be served, and deployments of other definitions.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DeployTests {
    @Test(.withAFile) func fileThatIsNotOurDatabaseIsLeftAlone() async throws {
        let site = try Site(definition: definition("Conflicts"))
        let text = try site.folder.write("these are my notes, not a database\n", to: "notes.txt")
        let other = site.keeping(in: site.folder.path("other.sqlite"))
        try await other.sql("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('x')")
        let table: [(path: String, words: String)] = [
            (text, "no SQLite database"), (other.database, "of another program"),
        ]
        let before = try site.folder.files().filter { !$0.key.hasPrefix("other.sqlite-") }
        let commands = [
            ["serve", site.definition, "--port", "0"], ["deploy", site.definition],
            ["user", "list"],
        ]
        for (path, words) in table {
            for command in commands {
                let finished = try await Tool.run(command + ["--database", path], in: site.folder)
                #expect(finished.exitCode == 3, "\(command[0]) \(path): \(finished.errors)")
                #expect(finished.errors.contains(words), "\(path): \(finished.errors)")
                #expect(finished.errors.contains("\nhelp: "), "\(finished.errors)")
                #expect(finished.output == "")
            }
        }
        let after = try site.folder.files().filter { !$0.key.hasPrefix("other.sqlite-") }
        #expect(after == before)
    }

    @Test(.withAFile) func databaseIsNotMadeInFolderThatIsNotThere() async throws {
        let site = try Site(definition: definition("Conflicts"))
        let path = site.folder.path("no/such/folder/app.sqlite")
        for command in [["deploy"], ["serve", "--port", "0"]] {
            let finished = try await Tool.run(
                command + [site.definition, "--database", path], in: site.folder)
            #expect(finished.exitCode == 3, "\(command[0]): \(finished.errors)")
            #expect(finished.errors.contains("cannot be opened or created"))
            #expect(finished.errors.contains("\nhelp: "))
        }
    }

    @Test func onlyDeployAndServeMakeDatabase() async throws {
        let site = try Site(definition: definition("Conflicts"))
        for command in [["list"], ["remove", "a"], ["set-group", "a", "users"]] {
            let finished = try await Tool.run(
                ["user"] + command + ["--database", site.database], in: site.folder)
            #expect(finished.exitCode == 1, "\(finished.errors)")
            #expect(finished.errors.contains("'\(site.database)'"))
            #expect(finished.errors.contains("\nhelp: "))
        }
        #expect(try site.folder.files().keys.sorted() == ["application.xml"])
    }

    @Test(.withAFile) func folderIsNoDatabase() async throws {
        let site = try Site(definition: definition("Conflicts"))
        let finished = try await Tool.run(
            ["deploy", site.definition, "--database", site.folder.path], in: site.folder)
        #expect(finished.exitCode == 3)
        #expect(finished.errors.contains("'\(site.folder.path)' cannot be used"))
        #expect(finished.errors.contains("\nhelp: "), "\(finished.errors)")
    }

    @Test func serverDoesNotStartWithAnotherDefinitionThanWasDeployed() async throws {
        let site = try await Site(prepared: "Conflicts")
        let other = try site.writing(
            try discarding(), to: "other.xml")
        let refused = try await site.waggle("serve", other, "--port", "0")
        #expect(refused.exitCode == 1)
        #expect(refused.errors.contains("has another definition"))
        #expect(
            refused.errors.contains(
                "waggle deploy \(other) --database \(site.database) --environment test"))
        #expect(try await site.deployAcceptingAll(other).exitCode == 0)
        let old = try await site.waggle("serve", site.definition, "--port", "0")
        #expect(old.exitCode == 1)
    }

    @Test func serverMakesEnvironmentThatIsNotThereYet() async throws {
        let site = try Site(definition: definition("Conflicts"))
        let server = try await RunningServer(site: site, arguments: ["--environment", "field-1"])
        let whole = try await server.request("GET", "/health").message(as: HealthMessage.self)
        #expect(whole == HealthMessage(status: "ok"))
        let health = try await server.request("GET", "/v1/field-1/health")
            .message(as: HealthMessage.self)
        #expect(health.status == "ok" && health.environment == "field-1")
        #expect(server.banner.contains("environment 'field-1': waggle/conflicts (1 model"))
        #expect(server.banner.contains("digest \(try #require(health.digest))\n"))
        let again = try await site.deployAcceptingAll(site.definition, "--environment", "field-1")
        #expect(again.exitCode == 0 && again.errors.contains("already"))
    }

    /// Both have the same digest for original clients, but they differ.
    @Test func definitionThatDiffersInAttributeOfOursIsAnotherOne() async throws {
        let site = try await Site(prepared: "Conflicts")
        let own = try site.writing(
            try definition("Conflicts").changing(
                "<application ",
                to: #"<application xmlns:w="urn:waggle:definition" w:conflictMode="MERGE" "#),
            to: "own.xml")
        let refused = try await site.waggle("serve", own, "--port", "0")
        #expect(refused.exitCode == 1 && refused.errors.contains("has another definition"))

        let deployed = try await site.deployAcceptingAll(own)
        #expect(deployed.exitCode == 0)
        let names = try #require(
            deployed.errors.firstMatch(of: /, digest ([0-9a-f]{64}), fingerprint ([0-9a-f]{64})\n/))
        #expect(names.1 != names.2)
        let server = try await RunningServer(site: site.serving(own))
        #expect(server.banner.contains("digest \(names.1), fingerprint \(names.2)\n"))
        let again = try await site.deployAcceptingAll(own)
        #expect(again.exitCode == 0 && again.errors.contains("already"))
        #expect(await server.stop() == 0)
        let old = try await site.waggle("serve", site.definition, "--port", "0")
        #expect(old.exitCode == 1)
        #expect(old.errors.contains("digest \(names.1), fingerprint \(names.2)\n"))
    }

    @Test func storedValuesDecideWhetherDefinitionFits() async throws {
        let site = try await Site(prepared: "Conflicts")
        let text = try definition("Conflicts")
        let retyped = try site.writing(
            try text.changing(#"name="title" type="TEXT""#, to: #"name="title" type="DATE""#),
            to: "retyped.xml")
        let wider = try site.writing(
            try text.changing(#""maxValue">5<"#, to: #""maxValue">10<"#), to: "wider.xml")
        let guid = fresh()
        do {
            let server = try await RunningServer(site: site)
            try await server.client("a").push(
                .create(guid, of: "ConflictsEntity", ["title": "Alien", "score": 5]))
            #expect(await server.stop() == 0)
        }
        let refused = try await site.deployAcceptingAll(retyped)
        #expect(refused.exitCode == 1)
        #expect(refused.errors.contains("\(retyped):22:9: field 'title' of 'ConflictsEntity'"))
        #expect(refused.errors.contains("was TEXT and would be DATE"))
        _ = try await RunningServer(site: site)

        let accepted = try await site.deployAcceptingAll(wider)
        #expect(accepted.exitCode == 0 && accepted.errors.contains("deployed to"))
        let server = try await RunningServer(site: site.serving(wider))
        let a = try server.client("a")
        #expect(try await a.record(guid).fields?["score"] == 5)
        let changed = try await a.push(
            .update(guid, of: "ConflictsEntity", from: 1, ["score": 10]))
        #expect(changed.outcome == .accepted)
    }

    @Test func restoredFieldMustFitItsStoredValues() async throws {
        let site = try await Site(prepared: "Conflicts")
        let text = try definition("Conflicts")
        let without = try site.writing(
            try text.changing(#"name="score" type="INTEGER""#, to: #"name="mark" type="INTEGER""#),
            to: "without.xml")
        let retyped = try site.writing(
            try text.changing(#"name="title" type="TEXT""#, to: #"name="name" type="TEXT""#)
                .changing(#"name="score" type="INTEGER""#, to: #"name="title" type="INTEGER""#),
            to: "retyped.xml")
        do {
            let server = try await RunningServer(site: site)
            try await server.client("a").push(
                .create(fresh(), of: "ConflictsEntity", ["title": "Alien"]))
            #expect(await server.stop() == 0)
        }
        #expect(try await site.deployAcceptingAll(without).exitCode == 0)
        let refused = try await site.deployAcceptingAll(retyped)
        #expect(refused.exitCode == 1 && refused.errors.contains("was TEXT and would be INTEGER"))
    }

    /// A stored definition is read again without the limits of the command.
    @Test func earlierVersionMayBeLargerThanLimitsAreNow() async throws {
        let site = try await Site(prepared: "Conflicts")
        do {
            let server = try await RunningServer(site: site)
            try await server.client("a").push(
                .create(fresh(), of: "ConflictsEntity", ["title": "Alien"]))
            #expect(await server.stop() == 0)
        }
        let before = try definition("Conflicts")
        let shorter = try discarding().replacing(/<!--[^>]*-->/, with: "")
        #expect(shorter.utf8.count < before.utf8.count)
        let other = try site.writing(shorter, to: "other.xml")
        let deployed = try await site.deployAcceptingAll(
            other, "--max-bytes", "\(shorter.utf8.count)")
        #expect(deployed.exitCode == 0, "\(deployed.errors)")
        let listed = try await site.waggle("user", "set-group", "a", "users")
        #expect(listed.exitCode == 0, "\(listed.errors)")
    }

    @Test func deployingPrintsWarningsOnce() async throws {
        let site = try Site(
            definition: definition("Conflicts").changing(
                "</groups>", to: #"<group name="Users"/></groups>"#))
        let deployed = try await site.deployAcceptingAll(site.definition)
        #expect(deployed.exitCode == 0 && deployed.errors.contains("[namesDifferInCase]"))
        let added = try await site.waggle(
            "user", "add", "a", "--group", "users", "--password-stdin", input: "secret word\n")
        #expect(added.exitCode == 0 && !added.errors.contains("warning"), "\(added.errors)")
    }

    @Test func withoutRecordsAnyDefinitionFits() async throws {
        let site = try await Site(prepared: "Conflicts")
        let retyped = try site.writing(
            try definition("Conflicts").changing(
                #"name="title" type="TEXT""#, to: #"name="title" type="DATE""#),
            to: "retyped.xml")
        #expect(try await site.deployAcceptingAll(retyped).exitCode == 0)
    }

    @Test func serverGoesOnWithDefinitionThatIsDeployed() async throws {
        let site = try await Site(prepared: "Conflicts")
        let server = try await RunningServer(site: site)
        let a = try server.client("a")
        let guid = fresh()
        try await a.push(.create(guid, of: "ConflictsEntity", ["title": "Alien", "score": 5]))
        let before = try await a.sync()
        let wider = try site.writing(
            try definition("Conflicts").changing(#""maxValue">5<"#, to: #""maxValue">10<"#),
            to: "wider.xml")
        #expect(try await site.deployAcceptingAll(wider).exitCode == 0)

        let update = ChangeMessage.update(guid, of: "ConflictsEntity", from: 1, ["score": 10])
        let after = try await a.sync([update], cursor: before.cursor)
        #expect(after.outcomes.map(\.outcome) == [.accepted])
        #expect(!after.resync && after.records.map(\.guid) == [guid])
        #expect(try await server.signIn("b").login == "b")
        let log = try server.log()
        #expect(!log.contains(#""status":"503""#) && !log.contains(#""level":"error""#))
    }

    /// Each kind of request is the first one after the deployment.
    @Test func firstRequestUsesTheNewDefinition() async throws {
        let site = try await Site(prepared: "Conflicts")
        let server = try await RunningServer(site: site, processes: 1)
        let guid = fresh()
        try await server.client("a").push(.create(guid, of: "ConflictsEntity", ["title": "x"]))
        let token = try server.client("a").token
        let body = try JSONEncoder().encode(
            SyncRequest(changes: [.create(fresh(), of: "ConflictsEntity", ["title": "y"])]))
        let record = "/v1/test/records/ConflictsEntity/\(guid)"
        let requests: [(method: String, path: String, body: Data?)] = [
            ("POST", "/v1/test/sync", body), ("GET", "/v1/test/records/ConflictsEntity", nil),
            ("GET", record, nil), ("GET", "\(record)/history", nil),
            ("GET", "/v1/test/conflicts", nil),
            ("POST", "/v1/test/conflicts", Data(#"{"id": "r", "choose": "mine"}"#.utf8)),
            ("POST", "/v1/test/notifications", Data(#"{"notification": {}}"#.utf8)),
        ]
        let versions = [try discarding(), try definition("Conflicts")]
        for (number, request) in requests.enumerated() {
            let next = try site.writing(versions[number % 2], to: "next.xml")
            #expect(try await site.deployAcceptingAll(next).exitCode == 0)
            let answer = try await server.request(
                request.method, request.path, body: request.body,
                headers: ["Authorization": "Bearer \(token)"])
            #expect((200..<300).contains(answer.status), "\(request.path): \(answer.text)")
        }
    }

    /// They stream what they read or write, or write in several steps.
    @Test func firstRequestOfOperatorUsesTheNewDefinition() async throws {
        let site = try await Site(prepared: "Conflicts")
        let server = try await RunningServer(site: site, processes: 1)
        let keeper = try await server.operatorSession("karl", "keeper")
        try await server.client("a").push(
            .create(fresh(), of: "ConflictsEntity", ["title": "x"]))
        let requests: [(method: String, path: String, body: String?, words: String)] = [
            ("GET", "export", nil, #""title":"x""#),
            (
                "POST", "import?model=ConflictsEntity&owner=b", #"{"title":"y"}"# + "\n",
                #""created":1"#
            ),
            ("POST", "users/a/erasure", nil, #""records":1"#),
        ]
        let versions = [try discarding(), try definition("Conflicts")]
        for (number, request) in requests.enumerated() {
            let next = try site.writing(versions[number % 2], to: "next.xml")
            #expect(try await site.deployAcceptingAll(next).exitCode == 0)
            let answer = try await server.admin(
                request.method, "environments/test/\(request.path)", request.body, as: keeper)
            #expect(answer.status == 200, "\(request.path): \(answer.text)")
            #expect(answer.text.contains(request.words), "\(request.path): \(answer.text)")
        }
    }

    @Test func liveStreamGoesOnUnderDefinitionThatIsDeployed() async throws {
        let site = try await Site(prepared: "Conflicts")
        let server = try await RunningServer(site: site)
        let stream = try await LiveConnection(try server.client("a"))
        #expect(try await stream.event()?.id != nil)
        let other = try site.writing(try discarding(), to: "other.xml")
        #expect(try await site.deployAcceptingAll(other).exitCode == 0)
        try await server.client("b").notify(#"{"id": "1", "notification": {}}"#)
        #expect(try await stream.notification()?.message().id == "1")
    }

    @Test func environmentTakesNoDefinitionOfAnotherApplication() async throws {
        let site = try await Site(prepared: "Conflicts")
        let other = try site.writing(try definition("Todo"), to: "other.xml")
        let refused = try await site.deployAcceptingAll(other)
        #expect(refused.exitCode == 1)
        #expect(refused.errors.contains("belongs to the application waggle/conflicts"))
        #expect(refused.errors.contains("--environment"), "\(refused.errors)")
        #expect(try await site.deployAcceptingAll(other, "--environment", "todo").exitCode == 0)
    }

    @Test(.withAFile) func withoutDefinitionThereMustBeDatabase() async throws {
        let site = try Site(definition: definition("Conflicts"))
        let missing = try await site.waggle("serve", "--port", "0")
        #expect(missing.exitCode == 1 && missing.errors.contains("waggle deploy FILE"))
        #expect(try site.folder.files().keys.sorted() == ["application.xml"])
    }

    @Test func withoutDefinitionNoEnvironmentIsNamed() async throws {
        let site = try Site(definition: definition("Conflicts"))
        let named = try await site.waggle("serve", "--port", "0", "--environment", "test")
        #expect(named.exitCode == 2 && named.errors.contains("'--environment'"))
        #expect(try site.folder.files().keys.sorted() == ["application.xml"])
    }

    @Test func definitionWithErrorsIsNeitherDeployedNorServed() async throws {
        let site = try Site(
            definition: definition("Conflicts").changing(#"type="TEXT""#, to: #"type="TXT""#))
        for command in [["deploy"], ["serve", "--port", "0"]] {
            let finished = try await Tool.run(
                command + [site.definition, "--database", site.database], in: site.folder)
            #expect(finished.exitCode == 1 && finished.output == "")
            #expect(finished.errors.contains("\(site.definition):22:"))
            #expect(finished.errors.contains("'TXT'"))
        }
        #expect(try site.folder.files().keys.sorted() == ["application.xml"])
    }
}

private func discarding() throws -> String {
    try definition("Conflicts")
        .changing(#"conflictMode="MANUAL""#, to: #"conflictMode="DISCARD""#)
}
