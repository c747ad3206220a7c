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
    }

    /// Newest first.
    private func entries(of site: Site) async throws -> [Entry] {
        let log = try await site.waggle("activity")
        guard log.exitCode == 0 else { throw Unexpected(log.errors) }
        return try log.output.split(separator: "\n").map {
            try JSONDecoder().decode(Entry.self, from: Data($0.utf8))
        }
    }

    /// Commands in their order, with the newest entry after each; nil if there is no new one.
    private static let table: [(arguments: [String], act: String?, target: String)] = [
        (["user", "add", "cleo", "--group", "users", "--password-stdin"], "addUser", "cleo"),
        (["user", "set-password", "cleo", "--password-stdin"], "changeUser", "cleo"),
        (["user", "set-group", "cleo", "users"], "changeUser", "cleo"),
        (["user", "link", "cleo", "--provider", "company"], "changeUser", "cleo"),
        (["user", "remove", "cleo"], "removeUser", "cleo"), (["user", "list"], nil, ""),
        (["user", "invite", "--group", "users"], "addInvitation", "users"),
        (["user", "erase", "b"], "eraseUser", "b"), (["user", "erasures"], nil, ""),
        (["export"], "exportRecords", ""), (["export", "--user", "a"], "exportUser", "a"),
        (
            ["import", "films.csv", "--model", "ConflictsEntity"], "importRecords",
            "ConflictsEntity"
        ),
        (["backup", "backup.sqlite"], "backup", "backup.sqlite"),
        (
            ["restore", "backup.sqlite", "--environment", "test", "--as", "next"], "restore",
            "backup.sqlite"
        ),
        (["environment", "rename", "next", "later"], "renameEnvironment", "later"),
        (["environment", "remove", "later", "--yes"], "removeEnvironment", ""),
        (["environment", "list"], nil, ""), (["sweep"], "sweep", ""),
        (["refused", "remove", "1"], "removeRefused", "1"), (["refused", "list"], nil, ""),
        (["lock", "on"], "lockEnvironment", "test"),
        (["operator", "add", "ann", "--password-stdin"], "addOperator", "ann"),
    ]

    @Test func everyActOfToolIsLogged() async throws {
        let site = try await Site(prepared: "Conflicts")
        try site.folder.write("title,$owner\r\nAlien,a\r\n", to: "films.csv")
        for (arguments, act, target) in Self.table {
            let before = try await entries(of: site).count
            let done = try await Tool.run(
                arguments + ["--database", site.database], input: "a new secret\n",
                in: site.folder)
            #expect(done.exitCode == 0, "\(arguments): \(done.errors)")
            let after = try await entries(of: site)
            #expect(after.count == before + (act == nil ? 0 : 1), "\(arguments)")
            guard let act else { continue }
            #expect(after.first?.act == act && after.first?.target == target, "\(arguments)")
        }
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
