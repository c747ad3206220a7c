import Foundation
import JSON
import SyncProtocol
import Testing

/// Versions by the tool and over HTTP.
@Suite(.serialized, .timeLimit(.minutes(5))) struct StoredVersionTests {
    /// With a comment and a byte-order mark, which are not part of the definition.
    private func document(_ comment: String, maximum: Int) throws -> String {
        let text = try definition("Conflicts").replacing(
            "<option name=\"maxValue\">5</option>",
            with: "<option name=\"maxValue\">\(maximum)</option>")
        return text.replacing("</application>", with: "<!-- \(comment) -->\r\n</application>")
    }

    @Test func versionComesBackByteForByte() async throws {
        let site = try Site(definition: document("e\u{301} é", maximum: 5))
        #expect(try await site.waggle("deploy", site.definition).exitCode == 0)
        let text = try site.folder.text(of: "application.xml")
        #expect(try await site.waggle("versions", "show", "1").output == text)
        #expect(try await site.waggle("definition", "show").output == text)
        #expect(try await site.waggle("versions", "show", "2").exitCode == 1)
    }

    @Test func earlierVersionIsDeployedAgain() async throws {
        let site = try Site(definition: document("one", maximum: 5))
        let next = try site.writing(document("two", maximum: 6), to: "next.xml")
        #expect(try await site.waggle("deploy", site.definition).exitCode == 0)
        #expect(try await site.waggle("deploy", next).exitCode == 0)
        let back = try await site.waggle("deploy", "--version", "1")
        #expect(back.exitCode == 0, "\(back.errors)")
        #expect(
            try await site.waggle("definition", "show").output
                == site.folder.text(of: "application.xml"))
        let elsewhere = try await site.waggle(
            "deploy", "--version", "2", "--environment", "production")
        #expect(elsewhere.exitCode == 0, "\(elsewhere.errors)")
        let list = try await site.waggle("versions", "list", "--format", "json").output
        #expect(list.split(separator: "\n").count == 2, "\(list)")
        #expect(list.contains("\"author\":\"local "), "\(list)")
    }

    /// The dry run tells of a rename, and of nothing that is hidden.
    @Test func versionFromBeforeRenameHasItsValues() async throws {
        let site = try await Site(prepared: "Conflicts")
        let next = try site.writing(
            definition("Conflicts")
                .changing("name=\"title\"", to: "name=\"heading\" w:renamedFrom=\"title\"")
                .changing("vendor=", to: "xmlns:w=\"urn:waggle:definition\" vendor="),
            to: "next.xml")
        let server = try await RunningServer(site: site)
        try await server.client("a").push(
            .create(fresh(), of: "ConflictsEntity", ["title": "Alien"]))
        #expect(try await site.deployAcceptingAll(next).exitCode == 0)
        #expect(await server.stop() == 0)
        let tried = try await site.deployAcceptingAll(site.definition, "--dry-run")
        #expect(tried.exitCode == 0, "\(tried.errors)")
        #expect(tried.output.contains("was called 'heading'"), "\(tried.output)")
        let back = try await site.deployAcceptingAll(site.definition)
        #expect(back.exitCode == 0, "\(back.errors)")
        let same = try await site.deployAcceptingAll(
            site.definition, "--dry-run", "--fill", "ConflictsEntity.score=3")
        #expect(same.exitCode == 0, "\(same.errors)")
        #expect(!same.output.contains("heading"), "\(same.output)")
        let later = try await RunningServer(site: site)
        let records = try await later.client("a").records()
        #expect(records.map { $0.fields?["title"] } == ["Alien"])
    }

    @Test func versionsAreImportedTaggedAndCompared() async throws {
        let site = try Site(definition: document("one", maximum: 5))
        let next = try site.writing(document("two", maximum: 6), to: "next.xml")
        #expect(try await site.waggle("deploy", site.definition).exitCode == 0)
        let added = try await site.waggle(
            "versions", "import", next, "--tag", "spring", "--note", "more stars")
        #expect(added.errors.contains("version 2"), "\(added.errors)")
        #expect(
            try await site.waggle("definition", "show").output
                == site.folder.text(of: "application.xml"))
        let taken = try await site.waggle("versions", "tag", "1", "spring")
        #expect(taken.exitCode == 1 && taken.errors.contains("version 2"), "\(taken.errors)")
        #expect(try await site.waggle("versions", "tag", "1", "winter").exitCode == 0)
        let list = try await site.waggle("versions", "list").output
        #expect(list.contains("spring") && list.contains("more stars"), "\(list)")
        let difference = try await site.waggle("versions", "diff", "winter", "spring")
        #expect(difference.output.contains("maxValue") || difference.output.contains("6"))
        #expect(try await site.waggle("deploy", "--version", "spring").exitCode == 0)
    }

    /// The version in the middle has renamed a field. Nothing is lost or new, in both directions.
    @Test func comparisonFollowsRenamesOfVersionsBetween() async throws {
        let site = try await Site(prepared: "Conflicts")
        let extended = try definition("Conflicts")
            .changing("vendor=", to: "xmlns:w=\"urn:waggle:definition\" vendor=")
        for name in ["name=\"heading\" w:renamedFrom=\"title\"", "name=\"heading\""] {
            let next = try site.writing(
                extended.changing("name=\"title\"", to: name), to: "next.xml")
            let deployed = try await site.deployAcceptingAll(next)
            #expect(deployed.exitCode == 0, "\(deployed.errors)")
        }
        let imported = try site.writing(
            extended.changing("name=\"title\"", to: "name=\"heading\"")
                .changing("defaultValue=\"1\"", to: "defaultValue=\"2\""),
            to: "next.xml")
        #expect(try await site.waggle("versions", "import", imported).exitCode == 0)
        let server = try await RunningServer(site: site, environments: 1)
        let viewer = try await server.operatorSession("vera", "viewer")
        for (old, new, name) in [("1", "3", "title"), ("3", "1", "heading"), ("1", "4", "title")] {
            let told = try await site.waggle("versions", "diff", old, new).output
            #expect(told.contains("was called '\(name)'"), "\(told)")
            #expect(!told.contains("is new") && !told.contains("is gone"), "\(told)")
            let body = #"{"old":{"version":"\#(old)"},"new":{"version":"\#(new)"}}"#
            let answer = try await server.admin("POST", "diff", body, as: viewer)
            #expect(answer.text.contains("fieldRenamed"), "\(answer.text)")
            #expect(!answer.text.contains("fieldRemoved"), "\(answer.text)")
        }
    }

    /// The same definition with its own tag is no other version.
    @Test func versionWithTakenTagIsNotAdded() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let designer = try await server.operatorSession("dora", "designer")
        let site = server.site
        #expect(try await site.waggle("versions", "tag", "1", "spring").exitCode == 0)
        let text = try document("two", maximum: 6)
        let next = try site.writing(text, to: "next.xml")
        let refused = try await site.waggle("versions", "import", next, "--tag", "spring")
        #expect(refused.exitCode == 1 && refused.errors.contains("version 1"), "\(refused.errors)")
        let body = JSONValue.object(["xml": .string(text), "tag": "spring"]).text
        let taken = try await server.admin("POST", "versions", body, as: designer)
        #expect(try taken.status == 409 && taken.error().code == "tagTaken", "\(taken.text)")
        let list = try await site.waggle("versions", "list", "--format", "json").output
        #expect(list.split(separator: "\n").count == 1, "\(list)")
        let same = try await site.waggle(
            "versions", "import", site.definition, "--tag", "spring", "--note", "again")
        #expect(same.exitCode == 0 && same.errors.contains("version 1"), "\(same.errors)")
    }

    /// Risks are asked for only where accepting them would help, as the dry run says.
    @Test func deploymentThatCannotBeIsNotCalledRisky() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let designer = try await server.operatorSession("dora", "designer")
        try await server.client("a").push(.create(fresh(), of: "ConflictsEntity", ["title": "x"]))
        let risky = try definition("Conflicts").changing("name=\"title\"", to: "name=\"heading\"")
        let other = try risky.changing("application=\"", to: "application=\"Other")
        func code(_ xml: String, isTrial: Bool) async throws -> String? {
            let answer = try await server.admin(
                "POST", "environments/test/deployments",
                JSONValue.object(["xml": .string(xml), "dryRun": .boolean(isTrial)]).text,
                as: designer)
            guard isTrial else { return try answer.error().code }
            guard case .string(let code)? = try answer.member("refusal") else { return nil }
            return code
        }
        for isTrial in [true, false] {
            #expect(try await code(risky, isTrial: isTrial) == "deploymentRisky")
            #expect(try await code(other, isTrial: isTrial) == "otherApplication")
        }
        let locked = try await server.admin(
            "PUT", "environments/test/lock", #"{"locked":true}"#, as: designer)
        #expect(locked.status == 204, "\(locked.text)")
        for isTrial in [true, false] {
            #expect(try await code(risky, isTrial: isTrial) == "environmentLocked")
        }
    }

    /// An import of what is there already is a change of its labels, which deployers must not have.
    @Test func importTakesNoLabelAwayWithoutRight() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let designer = try await server.operatorSession("dora", "designer")
        let deployer = try await server.adminToken("deployer", as: designer).secret
        let site = server.site
        try await site.sql("UPDATE operator_sessions SET confirmed_at = 1")
        let xml = try await site.waggle("versions", "show", "1").output
        func add(
            _ tag: String, _ note: String? = nil, as caller: AdminCredentials
        ) async throws -> String? {
            var members: [String: JSONValue] = ["xml": .string(xml), "tag": .string(tag)]
            members["note"] = note.map { .string($0) }
            let body = JSONValue.object(members).text
            let answer = try await server.admin("POST", "versions", body, as: caller)
            return answer.status == 201 ? nil : try answer.error().code
        }
        #expect(try await add("spring", "first", as: deployer) == nil)
        #expect(try await add("spring", "first", as: deployer) == nil)
        for tag in ["", "gone", "Spring"] {
            #expect(try await add(tag, as: deployer) == "scopeTooNarrow")
            #expect(try await add(tag, as: designer) == "passwordNeeded")
        }
        #expect(try await add("spring", "second", as: deployer) == "scopeTooNarrow")
        #expect(try await add("spring", "second", as: designer) == nil)
        #expect(try await site.waggle("versions", "show", "spring").exitCode == 0)
        let entry = try await site.waggle("activity").output.split(separator: "\n").first ?? ""
        #expect(entry.contains("importVersion") && entry.contains("first"), "\(entry)")
        let moved = try await site.waggle("versions", "import", site.definition, "--tag", "next")
        #expect(moved.errors.contains("version 1 lost the tag 'spring'"), "\(moved.errors)")
    }

    @Test func lockedEnvironmentTakesDeploymentsOfDeployers() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let designer = try await server.operatorSession("dora", "designer")
        let site = server.site
        let locked = try await server.admin(
            "PUT", "environments/test/lock", #"{"locked":true}"#, as: designer)
        #expect(locked.status == 204, "\(locked.text)")
        let next = try site.writing(document("two", maximum: 6), to: "next.xml")
        let refused = try await site.waggle("deploy", next)
        #expect(refused.exitCode == 1 && refused.errors.contains("is locked"))
        let imported = try await site.waggle("versions", "import", next)
        #expect(imported.exitCode == 0, "\(imported.errors)")
        func deploy(as caller: AdminCredentials) async throws -> Answer {
            try await server.admin(
                "POST", "environments/test/deployments", #"{"version":2}"#, as: caller)
        }
        #expect(try await deploy(as: designer).error().code == "environmentLocked")
        let token = try await server.adminToken("deployer", for: "test", as: designer).secret
        let secret = try #require(token.headers["Authorization"]?.dropFirst(7))
        let byTool = try await Tool.run(
            ["deploy", next, "--database", site.database],
            environment: ["WAGGLE_DEPLOY_TOKEN": String(secret)], in: site.folder)
        #expect(byTool.exitCode == 0, "\(byTool.errors)")
        let back = try await server.admin(
            "POST", "environments/test/deployments",
            #"{"version":1,"accepting":["limitTightened:ConflictsEntity.score"]}"#, as: token)
        #expect(try back.member("deployed") == .boolean(true), "\(back.text)")
    }

    /// Clients of an earlier version are answered in its words.
    @Test func interfaceOfEarlierVersionIsReturned() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let designer = try await server.operatorSession("dora", "designer")
        let site = server.site
        let next = try site.writing(document("two", maximum: 6), to: "next.xml")
        #expect(try await site.waggle("deploy", next).exitCode == 0)
        #expect(try await site.waggle("versions", "tag", "1", "spring").exitCode == 0)
        let other = try site.writing(definition("Permissions"), to: "other.xml")
        #expect(try await site.waggle("versions", "import", other).exitCode == 0)
        func interface(_ query: String) async throws -> Answer {
            try await server.admin(
                "GET", "environments/test/openapi.json\(query)", as: designer)
        }
        let limits = [("", 6), ("?version=2", 6), ("?version=1", 5), ("?version=spring", 5)]
        for (query, maximum) in limits {
            let schemas = try await interface(query).json().member("components")?.member("schemas")
            let fields = schemas?.member("change.ConflictsEntity")?.member("properties")?
                .member("fields")?.member("properties")
            #expect(
                fields?.member("score")?.member("maximum") == .integer(Int64(maximum)), "\(query)")
        }
        for unknown in ["?version=9", "?version=3", "?version=autumn"] {
            let answer = try await interface(unknown)
            #expect(try answer.status == 404 && answer.error().code == "versionUnknown")
        }
        let written = try await site.waggle("openapi", "--version", "spring")
        #expect(written.exitCode == 0, "\(written.errors)")
        #expect(written.output == (try await interface("?version=1").text) + "\n")
        #expect(try await site.waggle("openapi", "x.xml", "--version", "1").exitCode == 2)
    }

    @Test func dryRunTellsDifferencesAndChangesNothing() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let designer = try await server.operatorSession("dora", "designer")
        let xml = JSONValue.string(try document("two", maximum: 6)).text
        func deploy(_ more: String) async throws -> Answer {
            try await server.admin(
                "POST", "environments/test/deployments", "{\"xml\":\(xml)\(more)}", as: designer)
        }
        let before = try await server.admin("GET", "environments/test", as: designer)
        let dry = try await deploy(",\"dryRun\":true")
        #expect(dry.status == 200, "\(dry.text)")
        #expect(try dry.member("deployed") == .boolean(false))
        guard case .object(let differences) = try dry.member("differences") else {
            throw Unexpected(dry.text)
        }
        #expect(differences["differences"] != .array([]))
        #expect(
            try await server.admin("GET", "environments/test", as: designer).text == before.text)
        let stale = try await deploy(",\"expecting\":\"x\"")
        #expect(try stale.error().code == "fingerprintStale")
        let fingerprint = try #require(try before.member("fingerprint")).text
        let deployed = try await deploy(",\"expecting\":\(fingerprint)")
        #expect(try deployed.member("deployed") == .boolean(true), "\(deployed.text)")
        let again = try await deploy("")
        #expect(try again.member("deployed") == .boolean(false), "\(again.text)")
        let list = try await server.admin("GET", "environments/test/deployments", as: designer)
        #expect(list.text.contains("\"author\":\"dora\",\"deployedAt\""), "\(list.text)")
    }

    @Test func importsEndAtLimit() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let designer = try await server.operatorSession("dora", "designer")
        let xml = JSONValue.string(try document("two", maximum: 6)).text
        try await server.site.sql("UPDATE catalog SET number = 9999")
        let last = try await server.admin("POST", "versions", "{\"xml\":\(xml)}", as: designer)
        #expect(try last.member("number") == .integer(10_000), "\(last.text)")
        let next = JSONValue.string(try document("three", maximum: 7)).text
        let refused = try await server.admin(
            "POST", "versions", "{\"xml\":\(next)}", as: designer)
        #expect(try refused.status == 409 && refused.error().code == "administrationFull")
        let deployed = try await server.admin(
            "POST", "environments/test/deployments", "{\"xml\":\(next)}", as: designer)
        #expect(try deployed.member("deployed") == .boolean(true), "\(deployed.text)")
    }

    @Test func faultyDefinitionsAndUnknownVersionsAreRefused() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let designer = try await server.operatorSession("dora", "designer")
        let cases: [(method: String, path: String, body: String?, code: String)] = [
            ("POST", "versions", #"{"xml":"<application>"}"#, "definitionFaulty"),
            ("POST", "environments/test/deployments", #"{"version":99}"#, "versionUnknown"),
            ("POST", "environments/test/deployments", #"{}"#, "definitionMissing"),
            ("POST", "environments/a.b/deployments", #"{"version":1}"#, "environmentNameIllegal"),
            ("GET", "environments/none", nil, "environmentUnknown"),
            ("GET", "versions/none", nil, "versionUnknown"),
            ("GET", "versions?limit=201", nil, "parameterIllegal"),
            ("GET", "environments/test/devices?limit=1001", nil, "parameterIllegal"),
            ("PATCH", "versions/1", #"{"tag":"a b"}"#, "labelIllegal"),
            ("POST", "versions", "[", "notJSON"),
        ]
        for (method, path, body, code) in cases {
            let answer = try await server.admin(method, path, body, as: designer)
            #expect(try answer.error().code == code, "\(path): \(answer.text)")
        }
        let text = try await server.admin(
            "POST", "versions", "{}", as: designer.with("Content-Type", "text/plain"))
        #expect(try text.error().code == "contentTypeUnsupported")
    }
}
