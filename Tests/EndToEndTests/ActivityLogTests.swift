import Administration
import Foundation
import JSON
import SyncProtocol
import Testing

/// The log of what operators and the tool have done with a database.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ActivityLogTests {
    private struct Entry: Decodable, Equatable {
        let act: String
        let environment: String?
        let target: String
        var before = ""
        var after = ""
    }

    private struct LoggedCommand: Sendable {
        let arguments: [String]
        /// The newest entry; nil if there is no new one.
        let act: String?
        var target = ""
        /// Parts of what was there, and of what is.
        var before = ""
        var after = ""
    }

    /// Newest first.
    private func entries(of site: Site) async throws -> [Entry] {
        let log = try await site.waggle("activity")
        guard log.exitCode == 0 else { throw Unexpected(log.errors) }
        return try log.output.split(separator: "\n").map {
            try JSONDecoder().decode(Entry.self, from: Data($0.utf8))
        }
    }

    /// In their order.
    private static let commands = [
        LoggedCommand(
            arguments: ["user", "add", "cleo", "--group", "users", "--password-stdin"],
            act: "addUser", target: "cleo", after: #""group":"users""#),
        LoggedCommand(
            arguments: ["user", "set-password", "cleo", "--password-stdin"], act: "changeUser",
            target: "cleo", before: #""admin":false"#, after: #""password":true"#),
        LoggedCommand(
            arguments: ["user", "set-group", "cleo", "users"], act: "changeUser", target: "cleo",
            before: #""group":"users""#, after: #""group":"users""#),
        LoggedCommand(
            arguments: ["user", "link", "cleo", "--provider", "company"], act: "changeUser",
            target: "cleo", before: #""admin":false"#, after: #""provider":"company""#),
        LoggedCommand(
            arguments: ["user", "remove", "cleo"], act: "removeUser", target: "cleo",
            before: #""provider":"company""#),
        LoggedCommand(arguments: ["user", "list"], act: nil),
        LoggedCommand(
            arguments: ["user", "invite", "--group", "users"], act: "addInvitation",
            target: "users"),
        LoggedCommand(arguments: ["user", "erase", "b"], act: "eraseUser", target: "b"),
        LoggedCommand(arguments: ["user", "erasures"], act: nil),
        LoggedCommand(arguments: ["export"], act: "exportRecords"),
        LoggedCommand(arguments: ["export", "--user", "a"], act: "exportUser", target: "a"),
        LoggedCommand(
            arguments: ["import", "films.csv", "--model", "ConflictsEntity"],
            act: "importRecords", target: "ConflictsEntity"),
        LoggedCommand(
            arguments: ["backup", "backup.sqlite"], act: "backup", target: "backup.sqlite"),
        LoggedCommand(
            arguments: ["restore", "backup.sqlite", "--environment", "test", "--as", "next"],
            act: "restore", target: "backup.sqlite"),
        LoggedCommand(
            arguments: ["environment", "rename", "next", "later"], act: "renameEnvironment",
            target: "later", before: #""name":"next""#, after: #""name":"later""#),
        LoggedCommand(
            arguments: ["environment", "remove", "later", "--yes"], act: "removeEnvironment",
            target: "later", before: "fingerprint"),
        LoggedCommand(arguments: ["environment", "list"], act: nil),
        LoggedCommand(arguments: ["sweep"], act: "sweep"),
        LoggedCommand(arguments: ["refused", "remove", "1"], act: "removeRefused", target: "1"),
        LoggedCommand(arguments: ["refused", "list"], act: nil),
        LoggedCommand(
            arguments: ["lock", "on"], act: "lockEnvironment", target: "test", before: "false",
            after: "true"),
        LoggedCommand(
            arguments: ["operator", "add", "ann", "--password-stdin"], act: "addOperator",
            target: "ann", after: #""scope":"designer""#),
        LoggedCommand(
            arguments: ["operator", "add", "ben", "--scope", "viewer", "--password-stdin"],
            act: "addOperator", target: "ben", after: #""scope":"viewer""#),
        LoggedCommand(
            arguments: ["operator", "scope", "ben", "keeper"], act: "changeOperator",
            target: "ben", before: #""scope":"viewer""#, after: #""scope":"keeper""#),
        LoggedCommand(
            arguments: ["operator", "password", "ben", "--password-stdin"],
            act: "changeOperator", target: "ben", before: #""scope":"keeper""#,
            after: #""password":true"#),
        LoggedCommand(
            arguments: ["operator", "remove", "ben"], act: "removeOperator", target: "ben",
            before: #""scope":"keeper""#),
        LoggedCommand(
            arguments: ["versions", "tag", "1", "spring"], act: "labelVersion", target: "1",
            before: #""tag":"""#, after: #""tag":"spring""#),
        LoggedCommand(
            arguments: ["versions", "tag", "1", "summer"], act: "labelVersion", target: "1",
            before: #""tag":"spring""#, after: #""tag":"summer""#),
    ]

    @Test func everyActOfToolIsLogged() async throws {
        let site = try await Site(prepared: "Conflicts")
        try site.folder.write("title,$owner\r\nAlien,a\r\n", to: "films.csv")
        for command in Self.commands {
            let before = try await entries(of: site).count
            let done = try await Tool.run(
                command.arguments + ["--database", site.database], input: "a new secret\n",
                in: site.folder)
            #expect(done.exitCode == 0, "\(command.arguments): \(done.errors)")
            let after = try await entries(of: site)
            #expect(after.count == before + (command.act == nil ? 0 : 1), "\(command.arguments)")
            guard command.act != nil else { continue }
            try check(try #require(after.first), after: command)
        }
    }

    private func check(_ entry: Entry, after command: LoggedCommand) throws {
        let name = command.arguments.joined(separator: " ")
        #expect(entry.act == command.act && entry.target == command.target, "\(name)")
        for (text, part) in [(entry.before, command.before), (entry.after, command.after)] {
            #expect(part.isEmpty || text.contains(part), "\(name): \(text)")
        }
    }

    /// The entry has the accepted names, the rules, and the definition of before.
    @Test func deploymentIsLoggedWithNamesAndRules() async throws {
        let site = try await Site(prepared: "Conflicts")
        let next = try site.writing(
            versionDocument("ConflictsEntity", ["title TEXT required", "status TEXT required"]),
            to: "next.xml")
        let deployed = try await site.deployAcceptingAll(
            next, "--accept", "fieldRemoved:ConflictsEntity.score", "--fill",
            "ConflictsEntity.status=open")
        #expect(deployed.exitCode == 0, "\(deployed.errors)")
        let entry = try #require(try await entries(of: site).first)
        #expect(entry.act == "deploy")
        #expect(entry.before.contains(try fingerprint(of: definition("Conflicts"))))
        #expect(entry.after.contains(#""accepting":["fieldRemoved:ConflictsEntity.score""#))
        #expect(entry.after.contains(#""field":"status""#) && entry.after.contains(entry.target))
    }

    @Test func actsOverHTTPAreLoggedWithBeforeAndAfter() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let designer = try await server.operatorSession("dora", "designer")
        func act(
            _ method: String, _ path: String, _ body: String? = nil
        ) async throws -> (answer: Answer, entry: Entry) {
            let answer = try await server.admin(method, path, body, as: designer)
            #expect(answer.status < 300, "\(path): \(answer.text)")
            return (answer, try #require(try await entries(of: server.site).first))
        }
        let person = #"{"name":"ben","password":"a long password","scope":"keeper"}"#
        #expect(try await act("POST", "operators", person).entry.after.contains("keeper"))
        let removed = try await act("DELETE", "operators/ben").entry
        #expect(removed.act == "removeOperator" && removed.before.contains("keeper"))

        let token = try await act(
            "POST", "tokens", #"{"name":"ci","scope":"viewer","days":1}"#)
        let secret = try #require(try token.answer.member("token")?.text)
        #expect(token.entry.after.contains(#""number":1"#) && !token.entry.after.contains(secret))
        #expect(try await act("DELETE", "tokens/1").entry.before.contains(#""name":"ci""#))

        let base = "environments/test"
        let code = try await act("POST", "\(base)/invitations", #"{"group":"users"}"#).answer
        guard case .string(let name)? = try code.member("name") else { throw Unexpected(code.text) }
        let ended = try await act("DELETE", "\(base)/invitations/\(name)").entry
        #expect(ended.act == "removeCode" && ended.before.contains(#""group":"users""#))

        let guid = fresh()
        try await server.client("a").push(.create(guid, of: "ConflictsEntity", ["title": "x"]))
        let given = try await act(
            "PATCH", "\(base)/records/ConflictsEntity/\(guid)/ownership", #"{"owner":"b"}"#
        ).entry
        #expect(given.before == #"{"group":"users","owner":"a"}"#, "\(given.before)")
    }

    /// One entry for each author in an hour, since the console writes while they type.
    @Test func writesOfDraftAreLoggedOnceForEachAuthor() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let dora = try await server.operatorSession("dora", "designer")
        let ben = try await server.operatorSession("ben", "designer")
        var tag = ""
        var acts: [String] = []
        for caller in [dora, dora, ben, ben, dora] {
            let given = tag.isEmpty ? caller : caller.with("If-Match", tag)
            let written = try await server.admin(
                "PUT", "drafts/films", #"{"xml":"<application/>"}"#, as: given)
            #expect(written.status == 200, "\(written.text)")
            tag = try #require(written.header("ETag"))
            acts = try await entries(of: server.site).filter { $0.act == "writeDraft" }
                .map(\.before).reversed()
        }
        #expect(acts.count == 3 || acts.count == 4, "an hour may have ended")
        #expect(acts[0] == "" && acts[1].contains(#""author":"dora""#), "\(acts)")
    }

    /// In both databases: where the data went to, and where it came from.
    @Test func copyIsLoggedInBothDatabases() async throws {
        let site = try await Site(prepared: "Conflicts")
        let place = site.folder.path("next.sqlite")
        let copied = try await Tool.run(
            ["copy", "--from", site.database, "--to", place, "--as", "next"], in: site.folder)
        #expect(copied.exitCode == 0, "\(copied.errors)")
        let next = site.keeping(in: place)
        #expect(
            try await entries(of: site).first
                == Entry(act: "copy", environment: "test", target: place))
        let there = try #require(try await entries(of: next).first)
        #expect(there.act == "copy" && there.environment == "next")
    }

    /// A name that no operator has may be a password.
    @Test func signInsAreLogged() async throws {
        let server = try await RunningServer(definition: "Conflicts", processes: 1)
        let session = try await server.operatorSession("dora", "designer")
        for (name, password) in [("dora", "wrong"), ("a password", "password of dora")] {
            let refused = try await server.admin(
                "POST", "session", #"{"name":"\#(name)","password":"\#(password)"}"#, as: .nobody)
            #expect(refused.status == 401, "\(refused.text)")
        }
        let confirmed = try await server.admin(
            "POST", "session/confirmation", #"{"password":"password of dora"}"#, as: session)
        #expect(confirmed.status == 204)
        #expect(try await server.admin("DELETE", "session", as: session).status == 204)
        let log = try await server.site.waggle("activity").output
        let acts = try log.split(separator: "\n").map { line -> String in
            guard case .object(let entry) = try parseJSON(Array(line.utf8)),
                case .string(let act)? = entry["act"], case .string(let actor)? = entry["actor"]
            else { throw Unexpected(String(line)) }
            return "\(act) \(actor)"
        }
        #expect(
            acts.prefix(4) == ["signOut dora", "confirm dora", "signIn ", "signIn dora"], "\(log)")
        #expect(log.contains("failed") && !log.contains("a password"))
    }
}
