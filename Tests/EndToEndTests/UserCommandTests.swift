import Foundation
import JSON
import SyncProtocol
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct UserCommandTests {
    private struct ListedUser: Decodable, Equatable {
        let login: String
        let group: String
        let mail: String
        let admin: Bool
        let hasPassword: Bool
    }

    @Test func usersAreAddedListedMovedAndRemoved() async throws {
        let site = try await Site(prepared: "FieldService")
        let added = try await site.waggle(
            "user", "add", "anna", "--group", "dispatchers", "--mail", "anna@example.org",
            "--admin", "--password-stdin", input: "first line\nsecond line\n")
        #expect(added.exitCode == 0 && added.output == "")
        #expect(added.errors.contains("added user 'anna' to group 'dispatchers'"))

        let anna = ListedUser(
            login: "anna", group: "dispatchers", mail: "anna@example.org", admin: true,
            hasPassword: true)
        #expect(try await list(site).first == anna)
        #expect(
            try await list(site).map(\.login) == ["anna", "carl", "cora", "dora", "tina", "tom"])

        let server = try await RunningServer(site: site)
        let session = try await server.signIn("anna", password: "first line", on: "office")
        #expect(session.role == "dispatchers-office")

        let moved = try await site.waggle("user", "set-group", "anna", "technicians")
        #expect(moved.exitCode == 0)
        #expect(try await list(site).first?.group == "technicians")
        #expect(try await site.waggle("user", "remove", "anna").exitCode == 0)
        #expect(try await list(site).map(\.login) == ["carl", "cora", "dora", "tina", "tom"])
    }

    /// They have no password until a reset sets one.
    @Test func usersOfParseAreImported() async throws {
        let site = try await Site(prepared: "Conflicts")
        let users = try site.folder.write(
            """
            {"results":[{"objectId":"u1","username":"c","email":"c@example.org","age":7},
            {"objectId":"u2","username":"a","name":"Al"},{"objectId":"u3","username":"d e"},
            {"objectId":"u4"},
            {"objectId":"u5","username":"k3Jd","authData":{"anonymous":{"id":"x"}}}]}
            """, to: "_User.json")
        for (option, verb) in [("--dry-run", "would add: 1"), (nil, "added: 1")] {
            let arguments = ["user", "import", users, "--group", "users", "--database"]
            let finished = try await Tool.run(
                arguments + [site.database] + [option].compactMap { $0 }, in: site.folder)
            #expect(finished.exitCode == 1)
            #expect(finished.errors.contains("no model '_User'"))
            #expect(finished.errors.contains("left out: age, name"))
            #expect(finished.errors.contains("\(verb) users, 1 were there already, "))
            #expect(finished.errors.contains("1 anonymous were left out, 2 refused"))
            #expect(finished.errors.contains("_User.json:2: the username is no valid login"))
            let logins = option == nil ? ["a", "b", "c"] : ["a", "b"]
            let listed = try await list(site)
            #expect(listed.map(\.login) == logins)
            #expect(listed.filter { !$0.hasPassword }.map(\.login) == logins.filter { $0 == "c" })
        }
        let guests = try site.folder.write(
            #"{"username":"k3Jd","authData":{"anonymous":{"id":"x"}}}"#, to: "guests.json")
        let none = try await site.waggle("user", "import", guests, "--group", "users")
        #expect(none.exitCode == 0, "\(none.errors)")
        let server = try await RunningServer(site: site)
        await #expect(throws: (any Error).self) {
            try await server.signIn("c", password: "$none$", on: "mobile")
        }
        let set = try await site.waggle(
            "user", "set-password", "c", "--password-stdin", input: "one of their own\n")
        #expect(set.exitCode == 0, "\(set.errors)")
        _ = try await server.signIn("c", password: "one of their own", on: "mobile")
        #expect(try await list(site).allSatisfy(\.hasPassword))
    }

    /// The case of letters makes no other address.
    @Test func otherMailIsOfAnotherPerson() async throws {
        let site = try await Site(prepared: "Conflicts")
        for (mail, isRefused) in [
            ("c@example.org", false), ("C@Example.org", false), ("", false),
            ("d@example.org", true),
        ] {
            let users = try site.folder.write(
                #"{"username":"c","email":"\#(mail)"}"#, to: "users.json")
            let finished = try await site.waggle("user", "import", users, "--group", "users")
            #expect(finished.exitCode == (isRefused ? 1 : 0), "\(finished.errors)")
            #expect(finished.errors.contains("another mail address") == isRefused)
        }
    }

    @Test func listForPeopleHasHeadAndLineForEachUser() async throws {
        let site = try await Site(prepared: "Conflicts")
        let finished = try await site.waggle("user", "list")
        #expect(finished.exitCode == 0 && finished.errors == "")
        let lines = finished.output.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(
            lines.map { $0.split(separator: " ").prefix(4).map(String.init) } == [
                ["LOGIN", "GROUP", "ADMIN", "PASSWORD"], ["a", "users", "no", "yes"],
                ["b", "users", "no", "yes"],
            ])
    }

    @Test func refusedUserCommandsAreReportedAndChangeNothing() async throws {
        let site = try await Site(prepared: "Conflicts")
        let before = try await site.sql("SELECT * FROM users")
        let table: [(arguments: [String], input: String, words: [String])] = [
            (["add", "a", "--group", "users"], "a secret\n", ["there is a user 'a' already"]),
            (["add", "c", "--group", "owls"], "a secret\n", ["no group 'owls'", "'users'"]),
            (["add", "c d", "--group", "users"], "a secret\n", ["'c d' is not a valid login"]),
            (["add", "", "--group", "users"], "a secret\n", ["'' is not a valid login"]),
            (["add", "c\td", "--group", "users"], "a secret\n", ["is not a valid login"]),
            (
                ["add", String(repeating: "c", count: 256), "--group", "users"], "a secret\n",
                ["is not a valid login"]
            ),
            (["add", "c", "--group", "users"], "\n", ["the password has 0 characters"]),
            (
                ["add", "c", "--group", "users"], "",
                ["the password has 0 characters", "at least 8 characters"]
            ),
            (
                ["add", "c", "--group", "users"], String(repeating: "x", count: 1025) + "\n",
                ["the password has 1025 bytes"]
            ),
            (["set-password", "a"], "seven b\n", ["the password has 7 characters"]),
            (["set-password", "c"], "a secret\n", ["there is no user 'c'", "waggle user list"]),
        ]
        for (arguments, input, words) in table {
            let finished = try await Tool.run(
                ["user"] + arguments + ["--password-stdin", "--database", site.database],
                input: input, in: site.folder)
            expect(finished, says: words, of: arguments)
        }
        for arguments in [["set-group", "c", "users"], ["remove", "c"]] {
            let finished = try await Tool.run(
                ["user"] + arguments + ["--database", site.database], in: site.folder)
            expect(finished, says: ["there is no user 'c'"], of: arguments)
        }
        let moved = try await site.waggle("user", "set-group", "a", "owls")
        expect(moved, says: ["no group 'owls'"], of: ["set-group"])
        #expect(try await site.sql("SELECT * FROM users") == before)
    }

    /// The setting is for new passwords; those that are there stay valid.
    @Test func leastLengthOfPasswordIsSetting() async throws {
        let site = try await Site(prepared: "Conflicts")
        let set = ["user", "set-password", "a", "--password-stdin", "--database", site.database]
        let table: [(arguments: [String], environment: [String: String], isSet: Bool)] = [
            ([], [:], false), (["--min-password-length", "3"], [:], true),
            ([], ["WAGGLE_MIN_PASSWORD_LENGTH": "3"], true),
            (["--min-password-length", "4"], ["WAGGLE_MIN_PASSWORD_LENGTH": "3"], false),
        ]
        for (arguments, environment, isSet) in table {
            let finished = try await Tool.run(
                set + arguments, input: "äöü\n", environment: environment, in: site.folder)
            #expect((finished.exitCode == 0) == isSet, "\(arguments): \(finished.errors)")
        }
        let server = try await RunningServer(site: site)
        #expect(try await server.askToSignIn("a", password: "äöü").status == 201)
    }

    @Test func environmentThatIsNotThereHasNoUsers() async throws {
        let site = try await Site(prepared: "Conflicts")
        let finished = try await site.waggle("user", "list", "--environment", "production")
        #expect(finished.exitCode == 1)
        #expect(finished.errors.contains("has no environment 'production'"))
        #expect(finished.errors.contains("waggle deploy"))
    }

    @Test func environmentsDoNotKnowEachOthersUsers() async throws {
        let site = try await Site(prepared: "Conflicts")
        let deployed = try await site.waggle(
            "deploy", site.definition, "--environment", "production")
        #expect(deployed.exitCode == 0)
        let listed = try await site.waggle(
            "user", "list", "--format", "json", "--environment", "production")
        #expect(try JSONDecoder().decode([ListedUser].self, from: Data(listed.output.utf8)) == [])

        let production = try await RunningServer(
            site: site, arguments: ["--environment", "production"])
        let body =
            Data(#"{"login": "a", "password": "the secret of a", "#.utf8)
            + Data(#""deviceCategory": "mobile", "deviceIdentifier": "phone"}"#.utf8)
        let answer = try await production.request("POST", "/v1/production/session", body: body)
        #expect(answer.status == 401)
        let token = try production.client("a").token
        let foreign = try await production.request(
            "POST", "/v1/production/sync", body: Data("{}".utf8),
            headers: ["Authorization": "Bearer \(token)"])
        #expect(foreign.status == 401)
    }

    @Test(.withAFile) func neitherPasswordNorTokenIsWrittenAnywhere() async throws {
        let site = try await Site(prepared: "Conflicts")
        let server = try await RunningServer(
            site: site, arguments: ["--log-level", "trace"])
        let session = try await server.signIn("a")
        let a = Client(server: server, token: session.token)
        try await a.push(.create(fresh(), of: "ConflictsEntity", ["title": "Alien"]))
        _ = try await server.askToSignIn("b", password: "a wrong secret")
        _ = try await server.request(
            "GET", "/v1/test/sync?token=\(session.token)",
            headers: ["Authorization": "Bearer \(session.token)"])
        _ = try await server.request(
            "POST", "/v1/test/session", body: Data(#"{"password": "a stray secret""#.utf8))

        let hashes = try await site.sql("SELECT password_hash FROM users")
        for hash in hashes.split(separator: "\n") {
            #expect(
                hash.wholeMatch(of: /\$argon2id\$v=19\$m=\d+,t=\d+,p=1(\$[A-Za-z0-9+\/]+){2}/)
                    != nil, "\(hash)")
        }
        #expect(await server.stop() == 0)
        let secrets = [
            PreparedDatabase.password(of: "a"), PreparedDatabase.password(of: "b"),
            "a wrong secret", "a stray secret", session.token,
        ]
        let files = try site.folder.files()
        #expect(files.keys.contains("app.sqlite") && files.keys.contains { $0.hasSuffix(".log") })
        for (name, bytes) in files {
            for secret in secrets {
                #expect(bytes.range(of: Data(secret.utf8)) == nil, "'\(secret)' is in \(name)")
            }
        }
    }

    private func list(_ site: Site) async throws -> [ListedUser] {
        let finished = try await site.waggle("user", "list", "--format", "json")
        #expect(finished.exitCode == 0 && finished.errors == "")
        return try JSONDecoder().decode([ListedUser].self, from: Data(finished.output.utf8))
    }

    private func expect(_ finished: Finished, says words: [String], of arguments: [String]) {
        #expect(finished.exitCode == 1, "\(arguments): \(finished.errors)")
        #expect(finished.output == "", "\(arguments)")
        #expect(finished.errors.contains("\nhelp: "), "\(arguments): \(finished.errors)")
        for word in words {
            #expect(finished.errors.contains(word), "\(arguments): \(finished.errors)")
        }
    }
}
