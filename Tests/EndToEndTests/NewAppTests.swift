import Foundation
import Testing

/// The generated app of a `waggle new` package with a real server.
@Suite(.serialized, .timeLimit(.minutes(5))) struct NewAppTests {
    private func calendar(
        _ words: [String], of server: RunningServer, as login: String = "a",
        on device: String = "phone", password: String? = nil, lines: String = ""
    ) async throws -> Finished {
        try await Program(
            path: Tool.builtWithTests("CalendarApp"), arguments: words, input: lines,
            environment: [
                "WAGGLE_SERVER": "http://127.0.0.1:\(server.port)", "WAGGLE_LOGIN": login,
                "WAGGLE_PASSWORD": password ?? PreparedDatabase.password(of: login),
                "WAGGLE_FOLDER": server.site.folder.path("\(device)-of-\(login)"),
            ], folder: server.site.folder
        ).run()
    }

    /// The output; standard error must be empty.
    private func said(
        _ line: String, of server: RunningServer, on device: String = "phone",
        as login: String = "a"
    ) async throws -> String {
        let words = line.split(separator: " ").map(String.init)
        let finished = try await calendar(words, of: server, as: login, on: device)
        #expect(finished.exitCode == 0, "\(finished.errors)")
        return finished.output.trimmingCharacters(in: .newlines)
    }

    @Test func commandIsDoneAndThatWasAll() async throws {
        let server = try await RunningServer(definition: "Dates")
        try server.site.folder.write("a picture", to: "cake.png")
        let added = try await said(
            "add Occasion kind=birthday date=2027-03-14 name=Albert E. picture=cake.png",
            of: server)
        let albert = String(added.prefix(8))
        #expect(
            added == "\(albert)  kind=birthday  name=Albert E.  date=2027-03-14  picture=cake.png")
        let gift = try await said("add Gift occasion=\(albert) idea=a violin", of: server)
        let form = /[0-9a-f]{8}  occasion=.{36}  idea=a violin  bought=false/
        #expect(gift.wholeMatch(of: form) != nil, "\(gift)")
        #expect(try await said("sync", of: server) == "2 sent, 2 received, 0 in conflict")

        #expect(try await said("list Occasion", of: server, on: "desk") == "no records")
        #expect(
            try await said("sync", of: server, on: "desk") == "0 sent, 2 received, 0 in conflict")
        #expect(try await said("list Occasion", of: server, on: "desk") == added)
        let bought = try await said(
            "change Gift \(gift.prefix(8)) bought=true idea=a viola", of: server, on: "desk")
        #expect(bought.hasSuffix("  idea=a viola  bought=true"))
        let removed = try await said("remove Gift \(gift.prefix(8))", of: server, on: "desk")
        #expect(removed == "removed")
        _ = try await said("sync", of: server, on: "desk")
        _ = try await said("sync", of: server)
        #expect(try await said("list Gift", of: server) == "no records")
        #expect(try await said("list Occasion", of: server, as: "b") == "no records")
    }

    @Test func linesAreDoneOneAfterTheOther() async throws {
        let server = try await RunningServer(definition: "Dates")
        let finished = try await calendar(
            [], of: server,
            lines: """
                add Occasion kind=holiday date=2027-01-01 name=New Year link=ftp://no
                add Occasion kind=holiday date=tomorrow name=x
                add Occasion kind=party date=2027-01-01 name=x
                add Occasion kind=holiday date=2027-01-01 titel=x
                add Occasion kind=holiday date=2027-01-01 name=New Year details=at home
                change Occasion x details=
                add Gift occasion=x idea=nothing

                list Occasion
                quit
                list Occasion

                """)
        #expect(finished.exitCode == 0 && finished.errors == "", "\(finished.errors)")
        let lines = finished.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0] == "type 'help' to see what there is, and 'quit' to leave")
        #expect(lines[1].hasPrefix("! 'link' must match "))
        #expect(lines[2].hasPrefix("! 'tomorrow' is no value of 'date': write a day such as "))
        #expect(lines[3].hasPrefix("! 'kind' must be "))
        #expect(lines[4] == "! 'Occasion' has no field 'titel'; 'help' shows them")
        #expect(lines[5].hasSuffix("  name=New Year  date=2027-01-01  details=at home"))
        #expect(lines[6] == "! 0 records of 'Occasion' begin with 'x', not one")
        #expect(lines[7] == lines[6])
        #expect(lines[8] == "" && lines[9] == lines[5] && lines.count == 11)
    }

    @Test func conflictIsShownAndResolved() async throws {
        let server = try await RunningServer(definition: "Dates")
        let added = try await said("add Occasion kind=holiday name=x date=2027-01-01", of: server)
        let start = String(added.prefix(8))
        _ = try await said("sync", of: server)
        #expect(try await said("conflicts Occasion", of: server) == "no conflicts")
        for command in ["sync", "change Occasion \(start) name=theirs", "sync"] {
            _ = try await said(command, of: server, on: "desk")
        }
        _ = try await said("change Occasion \(start) name=mine", of: server)
        let synced = try await said("sync", of: server)
        #expect(synced.hasSuffix(", 1 in conflict\n'conflicts MODEL' shows both sides"))
        #expect(
            try await said("conflicts Occasion", of: server) == """
                \(start)
                  1 mine    kind=holiday  name=mine  date=2027-01-01  by a
                  1 theirs  kind=holiday  name=theirs  date=2027-01-01
                """)
        for (words, message) in [
            ("resolve Occasion \(start) both", "! write 'mine' or 'theirs', and "),
            ("resolve Occasion \(start) mine 2", "! write 'mine' or 'theirs', and "),
            ("resolve Occasion x mine", "! 0 conflicts of 'Occasion' begin with 'x', not one"),
        ] {
            let refused = try await calendar(
                words.split(separator: " ").map(String.init), of: server)
            #expect(refused.exitCode == 1 && refused.errors.hasPrefix(message), "\(words)")
        }
        #expect(try await said("resolve Occasion \(start) mine", of: server) == "resolved")
        _ = try await said("sync", of: server)
        _ = try await said("sync", of: server, on: "desk")
        let seen = try await said("list Occasion", of: server, on: "desk")
        #expect(seen == "\(start)  kind=holiday  name=mine  date=2027-01-01")
        #expect(try await said("conflicts Occasion", of: server) == "no conflicts")
    }

    @Test func conflictWithRemovalIsResolved() async throws {
        let server = try await RunningServer(definition: "Dates")
        let added = try await said("add Occasion kind=holiday name=x date=2027-01-01", of: server)
        let start = String(added.prefix(8))
        _ = try await said("sync", of: server)
        for command in ["sync", "remove Occasion \(start)", "sync"] {
            _ = try await said(command, of: server, on: "desk")
        }
        _ = try await said("change Occasion \(start) name=mine", of: server)
        _ = try await said("sync", of: server)
        #expect(try await said("list Occasion", of: server) == "no records")
        let shown = try await said("conflicts Occasion", of: server)
        #expect(shown.hasSuffix("  1 theirs  removed"), "\(shown)")
        #expect(try await said("resolve Occasion \(start) theirs 1", of: server) == "resolved")
        _ = try await said("sync", of: server)
        #expect(try await said("conflicts Occasion", of: server) == "no conflicts")
        #expect(try await said("list Occasion", of: server) == "no records")
    }

    @Test func errorsAreReportedAndEndApp() async throws {
        let server = try await RunningServer(definition: "Dates")
        let stranger = try await calendar(["list", "Gift"], of: server, password: "wrong")
        #expect(stranger.exitCode == 1 && stranger.output == "")
        #expect(stranger.errors == "! login and password do not go together\n")
        let unknown = try await calendar(["list", "Gifts"], of: server)
        #expect(unknown.exitCode == 1)
        #expect(unknown.errors == "! there is no model 'Gifts'; 'help' shows them\n")
        let help = try await calendar(["help"], of: server, password: "wrong")
        #expect(help.exitCode == 0 && help.output.contains("  Gift: occasion BELONGS_TO Occasion*"))
    }

    /// Records that were synced before are available offline.
    @Test func withoutServerItGoesOn() async throws {
        let server = try await RunningServer(definition: "Dates")
        let added = try await said("add Occasion kind=holiday name=x date=2027-01-01", of: server)
        #expect(await server.stop() == 0)
        #expect(try await said("list Occasion", of: server) == added)
        let failed = try await calendar(["sync"], of: server)
        #expect(failed.exitCode == 1)
        #expect(failed.errors.hasPrefix("! the server cannot be reached"), "\(failed.errors)")
    }
}
