import Foundation
import JSON
import SyncProtocol
import Testing

/// The data of a person is erased, over HTTP and by the tool.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ErasureTests {
    private let model = "ConflictsEntity"

    /// Two titles of a film of "a", one of them in the history, and a third in a conflict.
    private func fill(_ server: RunningServer) async throws -> String {
        let (a, b) = (try server.client("a"), try server.client("b"))
        let guid = fresh()
        try await a.push(.create(guid, of: model, ["title": "canary one"]))
        try await a.push(.update(guid, of: model, from: 1, ["title": "canary two"]))
        let late = try await b.push(.update(guid, of: model, from: 1, ["title": "canary three"]))
        #expect(late.outcome == .conflicted)
        try await b.push(.create(fresh(), of: model, ["title": "a film of b"]))
        return guid
    }

    /// The rows of the tables that had something of the person.
    private func stored(in site: Site) async throws -> String {
        var text = ""
        for table in [
            "records", "history", "conflicts", "outcomes", "users", "sessions", "refusals",
        ] {
            text += try await site.sql("SELECT * FROM \(table)")
        }
        return text
    }

    @Test func valuesHistoryConflictsAndAccountAreErased() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let keeper = try await server.operatorSession("karl", "keeper")
        let guid = try await fill(server)
        let (a, b) = (try server.client("a"), try server.client("b"))
        let seen = try await b.everythingSeen()
        #expect(try await stored(in: server.site).contains("canary one"))
        let path = "environments/test/users/a/erasure"
        let erased = try await server.admin("POST", path, as: keeper)
        #expect(try erased.status == 200 && erased.member("records") == 1, "\(erased.text)")
        #expect(try await !stored(in: server.site).contains("canary"))
        #expect(try await stored(in: server.site).contains("a film of b"))

        let pulled = try await b.sync(cursor: seen)
        #expect(!pulled.resync && pulled.records.map(\.guid) == [guid])
        #expect(pulled.records.first?.deleted == true)
        #expect(pulled.records.first?.conflicts ?? [] == [])
        #expect(try await a.ask(SyncRequest()).status == 401)
        #expect(try await server.askToSignIn("a").status == 401)

        #expect(try await server.admin("POST", path, as: keeper).status == 200)
        #expect(try await b.sync(cursor: pulled.cursor).records.isEmpty)
        let listed = try await server.admin("GET", "environments/test/erasures", as: keeper)
        #expect(listed.text.contains(#""login":"a""#) && listed.text.contains("operator karl"))
        let none = try await server.admin(
            "GET", "environments/test/erasures?next=a&limit=1", as: keeper)
        #expect(try none.member("entries") == .array([]) && none.member("next") == .null)
    }

    /// Nobody is erased, and nobody is told that nothing is held of them.
    @Test func mistypedLoginIsNoPerson() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let keeper = try await server.operatorSession("karl", "keeper")
        let base = "environments/test"
        for (method, path) in [("POST", "users/an/erasure"), ("GET", "users/an/export")] {
            let answer = try await server.admin(method, "\(base)/\(path)", as: keeper)
            #expect(try answer.status == 404 && answer.error().code == "userUnknown", "\(path)")
        }
        for command in [["user", "erase", "an"], ["export", "--user", "an"]] {
            let done = try await Tool.run(
                command + ["--database", server.site.database], in: server.site.folder)
            #expect(done.exitCode == 1 && done.output.isEmpty, "\(done.errors)")
            #expect(done.errors.contains("nothing is held of 'an'"), "\(done.errors)")
        }
        let listed = try await server.admin("GET", "\(base)/erasures", as: keeper)
        #expect(try listed.member("entries") == .array([]))
        let csv = try await server.site.waggle("export", "--user", "a", "--format", "csv")
        #expect(csv.exitCode == 2 && csv.errors.contains("--format csv"), "\(csv.errors)")
    }

    @Test func activityLogHasNoValuesOfPerson() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let keeper = try await server.operatorSession("karl", "keeper")
        let base = "environments/test"
        for (method, path, body) in [
            ("PATCH", "users/a", #"{"mail":"canary@example.org"}"#),
            ("PATCH", "users/a", #"{"mail":"other@example.org"}"#),
            (
                "POST", "changes",
                #"{"owner":"a","changes":[{"id":"1","action":"create","model":"\#(model)","#
                    + #""guid":"\#(fresh())","fields":{"title":"canary"}}]}"#
            ),
            ("POST", "notifications", #"{"users":["a"],"notification":{"text":"canary"}}"#),
            ("DELETE", "users/a", nil),
        ] {
            let answer = try await server.admin(method, "\(base)/\(path)", body, as: keeper)
            #expect((200..<300).contains(answer.status), "\(path): \(answer.text)")
        }
        #expect(
            try await server.admin("POST", "\(base)/users/a/erasure", as: keeper).status == 200)
        let log = try await server.site.sql("SELECT * FROM activities")
        #expect(log.contains("changeRecords") && log.contains("title"), "\(log)")
        #expect(!log.contains("canary") && !log.contains("example.org"), "\(log)")
    }

    /// The list is beside the backups from the next one on.
    @Test func regularBackupIsErasedAgainByListBesideIt() async throws {
        let site = try await Site(prepared: "Conflicts")
        let folder = site.folder.path("backups")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = "\(folder)/waggle-20200101T000000Z.sqlite"
        #expect(try await site.waggle("backup", path).exitCode == 0)
        let plain = site.keeping(in: site.folder.path("plain.sqlite"))
        let warned = try await plain.waggle("restore", path)
        #expect(warned.exitCode == 0 && warned.errors.contains("erased after the backup"))
        #expect(try await site.waggle("user", "erase", "a").exitCode == 0)
        let server = try await RunningServer(
            site: site, processes: 1, arguments: ["--backup-folder", folder])
        let list = "\(folder)/waggle-erasures.jsonl"
        while server.isRunning, !FileManager.default.fileExists(atPath: list) {
            await Task.yield()
        }
        #expect(await server.stop() == 0)
        let restored = site.keeping(in: site.folder.path("restored.sqlite"))
        let done = try await restored.waggle("restore", path)
        #expect(done.exitCode == 0 && done.errors.contains("erased 'a' again"), "\(done.errors)")
        #expect(!done.errors.contains("does not have environment"), "\(done.errors)")
        #expect(done.errors.contains("who was erased since is back"), "\(done.errors)")
    }

    @Test func filesOfPersonAreForgotten() async throws {
        let site = try await Site(prepared: "FieldService")
        let server = try await RunningServer(site: site)
        let dora = try server.client("dora", on: "office")
        let file: JSONValue = .object([
            "guid": .string(fresh()), "filename": .string("canary.pdf"),
        ])
        try await dora.push(
            .create(
                fresh(), of: "part",
                [
                    "number": "P-1", "name": "Pump", "unitPrice": "9.50", "costPrice": "4.25",
                    "inStock": 7, "datasheet": file,
                ]))
        #expect(try await !site.sql("SELECT * FROM files").isEmpty)
        let erased = try await site.waggle("user", "erase", "dora")
        #expect(erased.exitCode == 0, "\(erased.errors)")
        #expect(erased.errors.contains("erased 'dora', with 1 records"))
        #expect(try await site.sql("SELECT * FROM files").isEmpty)
        #expect(try await !site.sql("SELECT * FROM records").contains("canary"))
    }

    @Test func restoredBackupIsErasedAgain() async throws {
        let site = try await Site(prepared: "Conflicts")
        let server = try await RunningServer(site: site)
        _ = try await fill(server)
        #expect(await server.stop() == 0)
        let path = site.folder.path("backup.sqlite")
        #expect(try await site.waggle("backup", path).exitCode == 0)
        #expect(try await site.waggle("user", "erase", "a").exitCode == 0)
        let list = try await site.waggle("user", "erasures")
        #expect(list.exitCode == 0 && list.output.contains(#""login":"a""#), "\(list.errors)")
        let erasures = try site.folder.write(list.output, to: "erasures.jsonl")

        let restored = site.keeping(in: site.folder.path("restored.sqlite"))
        let wrong = try await restored.waggle("restore", path, "--erasures", path)
        #expect(wrong.exitCode == 1)
        let done = try await restored.waggle("restore", path, "--erasures", erasures)
        #expect(done.exitCode == 0, "\(done.errors)")
        #expect(done.errors.contains("erased 'a' again, with 1 records"))
        let users = try await restored.waggle("user", "list")
        #expect(!users.output.contains("a  "), "\(users.output)")
        let exported = try await restored.waggle("export")
        #expect(exported.output.contains("a film of b") && !exported.output.contains("canary"))
    }

    /// The list has all environments, and knows each by its instance.
    @Test func everyEnvironmentIsErasedAgainWhateverItsName() async throws {
        let site = try await Site(prepared: "Conflicts")
        let deployed = try await site.waggle(
            "deploy", site.definition, "--environment", "production")
        #expect(deployed.exitCode == 0, "\(deployed.errors)")
        for login in ["a", "b"] {
            let added = try await site.waggle(
                "user", "add", login, "--group", "users", "--password-stdin", "--environment",
                "production", input: "a new secret\n")
            #expect(added.exitCode == 0, "\(added.errors)")
        }
        let path = site.folder.path("backup.sqlite")
        #expect(try await site.waggle("backup", path).exitCode == 0)
        #expect(
            try await site.waggle("environment", "rename", "production", "live").exitCode == 0)
        let erased = try await site.waggle("user", "erase", "a", "--environment", "live")
        #expect(erased.exitCode == 0, "\(erased.errors)")

        func restored(with list: String, to name: String) async throws -> String {
            let erasures = try site.folder.write(list, to: "\(name).jsonl")
            let place = site.keeping(in: site.folder.path("\(name).sqlite"))
            let done = try await place.waggle("restore", path, "--erasures", erasures)
            #expect(done.exitCode == 0, "\(done.errors)")
            let users = try await place.waggle("user", "list", "--environment", "production")
            return done.errors + users.output
        }
        let all = try await site.waggle("user", "erasures").output
        let told = try await restored(with: all, to: "all")
        #expect(told.contains("erased 'a' again") && !told.contains("warning"), "\(told)")
        #expect(!told.contains("\na  "), "\(told)")
        let one = try await site.waggle("user", "erasures", "--environment", "test").output
        let warned = try await restored(with: one, to: "one")
        #expect(!warned.contains("erased 'a' again"), "\(warned)")
        #expect(warned.contains("warning: the list of erasures does not have environment"))
        #expect(warned.contains("'production'") && !warned.contains("'test':"), "\(warned)")
    }

    /// Lists of earlier versions name environments only.
    @Test func listWithoutInstancesIsOfNames() async throws {
        let site = try await Site(prepared: "Conflicts")
        let path = site.folder.path("backup.sqlite")
        #expect(try await site.waggle("backup", path).exitCode == 0)
        let line = #"{"environment":"test","login":"a","at":4102444800000,"author":"tool"}"#
        for (name, isTaken) in [("test", true), ("other", false)] {
            let list = try site.folder.write(
                line.replacing("test", with: name) + "\n", to: "erasures.jsonl")
            let place = site.keeping(in: site.folder.path("\(name).sqlite"))
            let done = try await place.waggle("restore", path, "--erasures", list)
            #expect(done.exitCode == 0, "\(done.errors)")
            #expect(done.errors.contains("erased 'a' again") == isTaken, "\(done.errors)")
            #expect(done.errors.contains("warning") != isTaken, "\(done.errors)")
        }
    }

    @Test func missingBackupIsNamed() async throws {
        let site = try await Site(prepared: "Conflicts")
        let missing = site.folder.path("missing.sqlite")
        let done = try await site.keeping(in: site.folder.path("restored.sqlite"))
            .waggle("restore", missing)
        #expect(done.exitCode == 1 && done.errors.contains("there is no backup '\(missing)'"))
        #expect(!done.errors.contains("deploy"), "\(done.errors)")
        #expect(!FileManager.default.fileExists(atPath: site.folder.path("restored.sqlite")))
    }

    /// The backup was made after the erasure, and after another person got the login.
    @Test func laterPersonOfLoginIsNotErased() async throws {
        let site = try await Site(prepared: "Conflicts")
        #expect(try await site.waggle("user", "erase", "a").exitCode == 0)
        let former = try await site.waggle("user", "erasures").output
        let added = try await site.waggle(
            "user", "add", "a", "--group", "users", "--password-stdin", input: "a new secret\n")
        #expect(added.exitCode == 0, "\(added.errors)")
        let path = site.folder.path("backup.sqlite")
        #expect(try await site.waggle("backup", path).exitCode == 0)
        #expect(try await site.waggle("user", "erase", "a").exitCode == 0)
        let lists = [former: true, try await site.waggle("user", "erasures").output: false]
        for (list, isKept) in lists {
            let erasures = try site.folder.write(list, to: "erasures.jsonl")
            let restored = site.keeping(in: site.folder.path("\(isKept).sqlite"))
            let done = try await restored.waggle("restore", path, "--erasures", erasures)
            #expect(done.exitCode == 0, "\(done.errors)")
            #expect(done.errors.contains("erased 'a' again") == !isKept, "\(done.errors)")
            let users = try await restored.waggle("user", "list", "--format", "json")
            #expect(users.output.contains(#""login" : "a""#) == isKept, "\(users.output)")
        }
    }
}
