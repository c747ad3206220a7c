import Foundation
import JSON
import SyncProtocol
import Testing

/// A mistake on the command line, and its answer.
private struct Mistake: Sendable, CustomStringConvertible {
    let arguments: [String]
    var environment: [String: String] = [:]
    let exitCode: Int32
    /// The whole message on standard error.
    let message: String

    var description: String { "waggle \(arguments.joined(separator: " "))" }
}

/// Mistakes of newcomers are answered with what was found and how to mend it.
@Suite(.serialized, .timeLimit(.minutes(5))) struct NewcomerTests {
    private static let mistakes = [
        Mistake(
            arguments: ["chekc"], exitCode: 2,
            message: "error: 'waggle' has no command 'chekc'\nhelp: did you mean 'waggle check'?"),
        Mistake(
            arguments: ["start", "application.xml"], exitCode: 2,
            message: "error: 'waggle' has no command 'start'\n"
                + "help: 'waggle --help' lists them all"),
        Mistake(
            arguments: ["user", "ad", "anna"], exitCode: 2,
            message: "error: 'waggle user' has no command 'ad'\n"
                + "help: did you mean 'waggle user add'?"),
        Mistake(
            arguments: ["user", "list", "--database", "postgres:"], exitCode: 2,
            message: "error: 'postgres:' is not the address of a PostgreSQL database\n"
                + "help: write it as in postgres://user@host:5432/name"),
        Mistake(
            arguments: ["user", "list", "--database", "mysql://root@localhost/app"], exitCode: 2,
            message: "error: a database of the kind 'mysql' cannot be used\n"
                + "help: name an SQLite file, as in app.sqlite, or a PostgreSQL database, as in "
                + "postgres://user@host:5432/name"),
        Mistake(
            arguments: ["user", "list", "--database", "sqlite:app.sqlite"], exitCode: 2,
            message: "error: a file is named by its path, without 'sqlite:'\n"
                + "help: write 'app.sqlite'"),
        Mistake(
            arguments: ["deploy", "application.xml", "--database", "no/app.sqlite"], exitCode: 3,
            message: "error: 'no/app.sqlite' cannot be used: the file cannot be opened or created: "
                + "there is no folder 'no'\nhelp: name the file that waggle made, or a new one in "
                + "a folder that exists and that you may write to"),
        Mistake(
            arguments: ["deploy", "application.xml", "--database", "/proc/app.sqlite"],
            exitCode: 3,
            message: "error: '/proc/app.sqlite' cannot be used: the file cannot be opened or "
                + "created: no such file or directory\nhelp: name the file that waggle made, or a "
                + "new one in a folder that exists and that you may write to"),
        Mistake(
            arguments: ["compile", "application.xml", "--output", "/proc/app.json"], exitCode: 3,
            message: "error: '/proc/app.json' cannot be written: no such file or directory\n"
                + "help: name a folder that you may write to, on a disk with room"),
        Mistake(
            arguments: ["user", "list", "--database", "no.sqlite"],
            environment: ["WAGGLE_PROT": "8081"], exitCode: 1,
            message: "warning: no setting is read from the environment variable 'WAGGLE_PROT'\n"
                + "help: did you mean 'WAGGLE_PORT'?\nerror: there is no database 'no.sqlite'\n"
                + "help: make it with 'waggle deploy FILE --database no.sqlite', or name another"),
    ]

    @Test(arguments: mistakes) fileprivate func isAnswered(mistake: Mistake) async throws {
        let site = try Site(definition: definition("Conflicts"))
        let finished = try await Tool.run(
            mistake.arguments, environment: mistake.environment, in: site.folder)
        #expect(finished.exitCode == mistake.exitCode)
        #expect(finished.output == "")
        #expect(finished.errors == mistake.message + "\n")
        #expect(try site.folder.files().keys.sorted() == ["application.xml"])
    }

    @Test(.withManyProcesses) func databaseThatDoesNotExistIsMadeWithCreatedb() async throws {
        let site = try Site(definition: definition("Conflicts"))
        let name = try #require(site.database.firstMatch(of: /\/([^\/?]+)(?:\?|$)/)?.1)
        let database = try site.database.changing("/\(name)", to: "/nowhere")
        let finished = try await Tool.run(
            ["deploy", site.definition, "--database", database], in: site.folder)
        #expect(finished.exitCode == 1)
        #expect(finished.errors.contains("has no database 'nowhere'\nhelp: "))
        #expect(finished.errors.contains("createdb --encoding=UTF8 --template=template0 nowhere"))
    }

    // MARK: - Serving

    @Test func environmentBesideOthersIsNotMadeByServer() async throws {
        let site = try await Site(prepared: "Conflicts")
        let finished = try await serve(site, "--environment", "tset")
        #expect(finished.exitCode == 1)
        #expect(
            finished.errors.hasPrefix(
                "error: '\(site.database)' has no environment 'tset', but has 'test'\n"
                    + "help: did you mean 'test'? a new one is empty: make it with 'waggle deploy ")
        )
        #expect(finished.errors.contains("'waggle user add LOGIN --group GROUP --database "))
        let environments = try await site.sql("SELECT name FROM environments")
        #expect(environments == "test")
    }

    @Test func newEnvironmentSaysHowToAddUsers() async throws {
        let site = try Site(definition: definition("Conflicts"))
        let server = try await ServerProcess(site: site, lines: 4)
        #expect(
            server.banner.contains(
                "\n'test' is new and has no users: add one with 'waggle user add LOGIN --group "
                    + "users --database \(site.database) --environment test'\n"),
            "\(server.banner)")
    }

    @Test func takenPortIsFoundBeforeAnythingIsMade() async throws {
        let taken = try await RunningServer(definition: "Conflicts", processes: 1)
        let site = try Site(definition: definition("Conflicts"))
        let finished = try await serve(site, "--port", "\(taken.port)")
        #expect(finished.exitCode == 3)
        #expect(finished.errors.contains("port \(taken.port): address already in use\nhelp: "))
        #expect(try site.folder.files().keys.sorted() == ["application.xml"])
        withExtendedLifetime(taken) {}
    }

    @Test(.withAFile) func secondServerOfFileNamesFirst() async throws {
        let site = try await Site(prepared: "Conflicts")
        let first = try await RunningServer(site: site)
        let second = try await serve(site)
        #expect(second.exitCode == 3)
        let message = try Regex(
            "error: '\(site.database)' is served by process \(first.processIdentifier) on \\S+ "
                + "since \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ already\nhelp: ")
        #expect(second.errors.prefixMatch(of: message) != nil, "\(second.errors)")
        let change = ChangeMessage.create(fresh(), of: "ConflictsEntity", ["title": "Alien"])
        #expect(try await first.client("a").push(change).outcome == .accepted)

        // After a crash the file of the lock is still there.
        await first.crash()
        #expect(try site.folder.files()["app.sqlite.server"] != nil)
        let third = try await RunningServer(site: site)
        #expect(await third.stop() == 0)
        #expect(try site.folder.files()["app.sqlite.server"] == nil)
    }

    private func serve(_ site: Site, _ arguments: String...) async throws -> Finished {
        try await Tool.run(
            ["serve", site.definition, "--database", site.database]
                + (arguments.contains("--port") ? [] : ["--port", "0"]) + arguments,
            in: site.folder)
    }
}
