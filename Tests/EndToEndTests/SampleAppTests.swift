import Foundation
import TestKit
import Testing

/// The sample apps of `Definitions/` with a real server.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SampleAppTests {
    private static func password(_ login: String) -> String {
        PreparedDatabase.password(of: login)
    }

    private func run(
        _ app: String, on folder: String, as login: String, of server: RunningServer,
        _ lines: String...
    ) async throws -> [String] {
        var arguments = ["http://127.0.0.1:\(server.port)", server.site.folder.path(folder)]
        if app != "ConflictsApp" { arguments += [login, Self.password(login)] }
        let path = Tool.builtWithTests(app)
        let finished = try await Program(
            path: path, arguments: arguments, input: lines.joined(separator: "\n") + "\n",
            folder: server.site.folder
        ).run()
        try #require(finished.exitCode == 0, "\(finished.errors)")
        return finished.output.split(separator: "\n").map(String.init)
    }

    // MARK: - Conflicts

    @Test func conflictsAreRedUntilSomebodyResolvesThem() async throws {
        let site = try await Site(prepared: "Conflicts")
        for login in ["a", "b"] {
            let finished = try await site.waggle(
                "user", "set-password", login, "--password-stdin", "--min-password-length", "5",
                input: "user\(login)\n")
            try #require(finished.exitCode == 0, "\(finished.errors)")
        }
        let server = try await RunningServer(site: site)
        let lines = try await run(
            "ConflictsApp", on: "films", as: "a", of: server,
            "add", "sync", "switch", "sync", "stars 1 3", "switch", "stars 1 5", "sync", "switch",
            "sync", "resolve 1 maybe", "stars 1 x", "resolve 1 mine", "sync", "switch", "sync",
            "stars 1 9")
        let red = lines.filter { $0.hasPrefix("\u{1B}[31m") }
        #expect(red.contains { $0.contains("***** of a, in conflict") }, "\(lines)")
        #expect(lines.contains("0 sent, 1 in conflict, 1 received"))
        let (mine, theirs) = (#/   mine:   \w+ \*{3}, by b/#, #/   theirs: \w+ \*{5}/#)
        let shown = try #require(lines.firstIndex { $0.wholeMatch(of: mine) != nil })
        #expect(lines[shown + 1].wholeMatch(of: theirs) != nil, "\(lines)")
        let asked = try #require(lines.firstIndex(of: "! write: resolve NUMBER mine|theirs [SIDE]"))
        #expect(shown < asked && lines.contains("! write: stars NUMBER 1-5"))
        #expect(lines.last?.hasPrefix("! 'score' must be 5 or less") == true, "\(lines)")
        let end = try #require(lines.dropLast().last)
        #expect(end.hasSuffix(" *** of a") && !red.contains(end), "\(lines)")
    }

    /// The second of two changes that came too late.
    @Test func everySideIsShownAndCanBeTaken() async throws {
        let site = try await Site(prepared: "Conflicts")
        let set = try await site.waggle(
            "user", "set-password", "a", "--password-stdin", "--min-password-length", "5",
            input: "usera\n")
        try #require(set.exitCode == 0, "\(set.errors)")
        let (server, app) = (try await RunningServer(site: site), "ConflictsApp")
        _ = try await run(app, on: "phone", as: "a", of: server, "add", "sync")
        _ = try await run(app, on: "desk", as: "a", of: server, "sync")
        _ = try await run(app, on: "tablet", as: "a", of: server, "sync")
        _ = try await run(app, on: "phone", as: "a", of: server, "stars 1 5", "sync")
        _ = try await run(app, on: "desk", as: "a", of: server, "stars 1 3", "sync")
        let tablet = try await run(
            app, on: "tablet", as: "a", of: server, "stars 1 2", "sync", "resolve 1 mine 3",
            "resolve 1 mine 1", "sync")
        for side in [
            #/   mine 1:   \w+ \*{3}, by a/#, #/   mine 2:   \w+ \*{2}, by a/#,
            #/   theirs 2: \w+ \*{5}/#,
        ] {
            #expect(tablet.contains { $0.wholeMatch(of: side) != nil }, "\(tablet)")
        }
        #expect(tablet.contains("! film 1 has no such side"), "\(tablet)")
        let phone = try await run(app, on: "phone", as: "a", of: server, "sync")
        #expect(phone.last?.hasSuffix(" *** of a") == true, "\(phone)")
    }

    @Test(arguments: ["ConflictsApp", "PermissionsApp", "TodoApp", "DatesApp"])
    func startupErrorsAreReported(app: String) async throws {
        let folder = try TemporaryFolder()
        let path = Tool.builtWithTests(app)
        let without = try await Program(path: path, arguments: [], folder: folder).run()
        #expect(without.exitCode == 2 && without.output.hasPrefix("usage: "))
        let arguments = ["http://127.0.0.1:1", folder.path("x"), "a", "b"]
        let given = app == "ConflictsApp" ? Array(arguments.prefix(2)) : arguments
        let alone = try await Program(path: path, arguments: given, folder: folder).run()
        #expect(alone.exitCode == 1)
        #expect(alone.output.hasPrefix("! the server cannot be reached"), "\(alone.output)")
    }

    @Test(arguments: [
        (
            "Permissions", ["dance", "rename 1", "add"], "rename NUMBER TITLE",
            "add TITLE by DIRECTOR"
        ),
        ("Todo", ["dance", "text 1", "add"], "text NUMBER TEXT", "add TEXT"),
        (
            "Dates", ["dance", "gift 1", "add birthday"], "gift NUMBER IDEA",
            "add holiday|birthday YYYY-MM-DD NAME"
        ),
    ])
    func whatIsNotUnderstoodIsNamed(
        name: String, commands: [String], first: String, second: String
    ) async throws {
        let server = try await RunningServer(definition: name)
        let lines = try await run(
            "\(name)App", on: "phone", as: "a", of: server,
            commands[0], "list", commands[1], commands[2])
        #expect(lines.contains("! there is no command 'dance'"), "\(lines)")
        #expect(lines.suffix(2) == ["! write: \(first)", "! write: \(second)"], "\(lines)")
    }

    // MARK: - Permissions

    @Test func directorIsOwnersToSee() async throws {
        let server = try await RunningServer(definition: "Permissions")
        let app = "PermissionsApp"
        let mine = try await run(
            app, on: "a", as: "a", of: server, "add Solaris by Andrei Tarkovsky", "sync")
        #expect(mine.last == "1. Solaris by Andrei Tarkovsky")
        let theirs = try await run(
            app, on: "b", as: "b", of: server, "sync", "rename 1 Solyaris", "sync")
        #expect(theirs.last == "1. Solyaris (the director is a's to see)")
        let after = try await run(app, on: "a", as: "a", of: server, "sync")
        #expect(after.last == "1. Solyaris by Andrei Tarkovsky")
    }

    // MARK: - Todo

    @Test(arguments: [
        ("client", "1. [ ] mine", "1. [ ] mine"), ("server", "1. [ ] theirs", "1. [ ] theirs"),
        ("cancel", "1. [ ] mine", "1. [ ] theirs"),
    ])
    func secondEditorIsAskedToResolve(answer: String, here: String, there: String) async throws {
        let server = try await RunningServer(definition: "Todo")
        let app = "TodoApp"
        _ = try await run(app, on: "a", as: "a", of: server, "add milk", "sync")
        _ = try await run(app, on: "b", as: "b", of: server, "sync", "text 1 mine")
        _ = try await run(app, on: "a", as: "a", of: server, "text 1 theirs", "sync")
        let asked = try await run(
            app, on: "b", as: "b", of: server, "sync", "perhaps", answer, "list")
        #expect(asked.contains("! 'perhaps' is no answer"))
        #expect(asked.contains("? yours:  [ ] mine") && asked.contains("? server: [ ] theirs"))
        #expect(asked.contains("! the sync was stopped") == (answer == "cancel"))
        #expect(asked.last == here)
        let after = try await run(app, on: "a", as: "a", of: server, "sync")
        #expect(after.last == there)
    }

    // MARK: - Dates

    @Test func datesAreOnAllDevicesOfOnePerson() async throws {
        let server = try await RunningServer(definition: "Dates")
        let app = "DatesApp"
        let picture = try server.site.folder.write("a picture", to: "cake.png")
        let phone = try await run(
            app, on: "phone", as: "a", of: server,
            "add birthday 2027-03-14 Albert", "gift 1 a violin", "picture 1 \(picture)",
            "link 1 ftp://no", "add party 2027-01-01 New Year", "sync")
        #expect(phone.last == "2 sent, 2 received")
        #expect(phone.filter { $0.hasPrefix("!") }.count == 2, "\(phone)")
        let desk = try await run(
            app, on: "desk", as: "a", of: server, "sync", "details 1 likes sailing", "bought 1 1",
            "sync", "list", "show 1")
        #expect(
            desk.suffix(5) == [
                "1. 2027-03-14 Albert, birthday", "Albert", "   likes sailing",
                "   1. a violin, bought", "   cake.png: 9 bytes",
            ])
        let others = try await run(app, on: "b", as: "b", of: server, "sync", "list")
        #expect(others.last == "0 sent, 0 received")
        let again = try await run(
            app, on: "phone", as: "a", of: server, "sync", "show 1", "remove 1", "sync")
        #expect(again.contains("   likes sailing"))
        let gone = try await run(app, on: "desk", as: "a", of: server, "sync", "list")
        #expect(gone.last == "0 sent, 2 received")
    }

    @Test func conflictOfNotesIsShownAndResolved() async throws {
        let server = try await RunningServer(definition: "Dates")
        let app = "DatesApp"
        _ = try await run(
            app, on: "phone", as: "a", of: server, "add birthday 2027-03-14 Albert", "sync")
        _ = try await run(
            app, on: "desk", as: "a", of: server, "sync", "details 1 likes sailing", "sync")
        let phone = try await run(
            app, on: "phone", as: "a", of: server, "resolve 1 mine", "details 1 likes violins",
            "sync", "list", "show 1", "resolve 1 perhaps")
        #expect(phone.contains("! date 1 is not in conflict"), "\(phone)")
        #expect(phone.contains { $0.hasPrefix("0 sent, ") && $0.hasSuffix(", 1 in conflict") })
        #expect(phone.contains("1. 2027-03-14 Albert, birthday, in conflict"), "\(phone)")
        #expect(
            phone.suffix(3) == [
                "   mine:   2027-03-14, Albert, birthday, likes violins",
                "   theirs: 2027-03-14, Albert, birthday, likes sailing",
                "! write: resolve NUMBER mine|theirs [SIDE]",
            ], "\(phone)")
        let resolved = try await run(
            app, on: "phone", as: "a", of: server, "resolve 1 mine", "sync", "list")
        #expect(resolved.contains("1. 2027-03-14 Albert, birthday"), "\(resolved)")
        let desk = try await run(app, on: "desk", as: "a", of: server, "sync", "show 1")
        #expect(desk.suffix(2) == ["Albert", "   likes violins"], "\(desk)")
    }

    /// A removed record is in no list, and a gift has no number of its own.
    @Test func conflictsWithRemovalsAreListedAndResolved() async throws {
        let server = try await RunningServer(definition: "Dates")
        let app = "DatesApp"
        _ = try await run(
            app, on: "phone", as: "a", of: server, "add birthday 2027-03-14 Albert",
            "gift 1 a violin", "sync")
        _ = try await run(app, on: "desk", as: "a", of: server, "sync", "remove 1", "sync")
        let phone = try await run(
            app, on: "phone", as: "a", of: server, "details 1 likes violins", "bought 1 1", "sync",
            "resolve 3 mine", "list")
        #expect(
            phone.suffix(7) == [
                "! there is no conflict 3", "1. in conflict: Albert",
                "   mine:   2027-03-14, Albert, birthday, likes violins", "   theirs: removed",
                "2. in conflict: the gift a violin", "   mine:   a violin, bought",
                "   theirs: removed",
            ], "\(phone)")
        let resolved = try await run(
            app, on: "phone", as: "a", of: server, "resolve 1 mine", "resolve 3 mine", "sync",
            "list")
        #expect(resolved.last == "1. 2027-03-14 Albert, birthday", "\(resolved)")
        let desk = try await run(app, on: "desk", as: "a", of: server, "sync", "show 1")
        #expect(
            desk.suffix(3) == ["Albert", "   likes violins", "   1. a violin, bought"], "\(desk)")
    }
}
