import Foundation
import SyncProtocol
import TestKit
import Testing

/// A server that must not start, and its message.
private struct BadStart {
    let name: String
    var arguments: [String] = []
    var environment: [String: String] = [:]
    /// The settings file; nil for none.
    var file: String?
    let exitCode: Int32
    /// Texts that the message must contain.
    let words: [String]
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct SettingsTests {
    @Test func flagIsBeforeVariableIsBeforeFile() async throws {
        let site = try await Site(prepared: "Conflicts")
        let taken = try await RunningServer(site: site)
        let file = try site.folder.write(
            #"{"port": \#(taken.port), "logLevel": "error", "sessionHours": 1}"#, to: "waggle.json")
        let port = "\(taken.port)"

        // The port of the option is free; the others are in use.
        _ = try await RunningServer(
            site: try await Site(prepared: "Conflicts"), arguments: ["--config", file],
            environment: ["WAGGLE_PORT": port])
        for (arguments, environment) in [
            (["--config", file], [:]), ([], ["WAGGLE_PORT": port, "WAGGLE_CONFIG": file]),
            (["--port", port], ["WAGGLE_PORT": "0"]),
        ] {
            let finished = try await serve(site, arguments, environment)
            #expect(
                finished.exitCode == 3 && finished.errors.contains("port \(port)"),
                "\(arguments): \(finished.exitCode) \(finished.errors)")
        }
        withExtendedLifetime(taken) {}
    }

    @Test func unavailableAddressIsReportedInPlainWords() async throws {
        let site = try await Site(prepared: "Conflicts")
        let taken = try await RunningServer(site: site)
        let table = [
            (["--port", "\(taken.port)"], "port \(taken.port): address already in use\nhelp: "),
            (["--port", "0", "--host", "no.such.host"], "port 0: no such host\nhelp: "),
        ]
        for (arguments, words) in table {
            let finished = try await serve(site, arguments, [:])
            #expect(finished.exitCode == 3)
            #expect(finished.errors.contains(words), "\(finished.errors)")
        }
        withExtendedLifetime(taken) {}
    }

    @Test func logLevelFollowsTheSameOrder() async throws {
        let site = try await Site(prepared: "Conflicts")
        let file = try site.folder.write(#"{"logLevel": "error"}"#, to: "waggle.json")
        let table: [(arguments: [String], environment: [String: String], logs: Bool)] = [
            ([], [:], true),
            (["--config", file], [:], false),
            ([], ["WAGGLE_CONFIG": file], false),
            (["--config", file], ["WAGGLE_LOG_LEVEL": "info"], true),
            ([], ["WAGGLE_LOG_LEVEL": "error"], false),
            (["--log-level", "info"], ["WAGGLE_LOG_LEVEL": "error"], true),
            (["--log-level", "error", "--config", file], ["WAGGLE_LOG_LEVEL": "info"], false),
        ]
        for (arguments, environment, logs) in table {
            let server = try await RunningServer(
                site: site, arguments: arguments, environment: environment)
            _ = try await server.client("a").sync()
            #expect(await server.stop() == 0)
            let lines = try server.log().split(separator: "\n")
            #expect(
                lines.contains { $0.contains("/v1/test/sync") } == logs,
                "\(arguments) \(environment)")
        }
    }

    /// A service that is printed whole tells every definition and secret that it holds.
    @Test func logNamesServicesBriefly() async throws {
        let server = try await RunningServer(
            site: Site(prepared: "Conflicts"), arguments: ["--log-level", "trace"])
        #expect(await server.stop() == 0)
        let lines = try server.log().split(separator: "\n")
        for service in ["Server", "SweepService", "StopDelay"] {
            #expect(lines.contains { $0.contains("\"sl-service\":\"\(service)\"") }, "\(service)")
        }
        for line in lines { #expect(line.utf8.count < 1000) }
    }

    @Test(.withAFile) func otherSettingsAreTakenFromFileAndFromVariables() async throws {
        let site = try await Site(prepared: "Conflicts")
        let file = try site.folder.write(
            #"{"maxBodyBytes": 2048, "environment": "test", "database": "app.sqlite"}"#,
            to: "waggle.json")
        let big = Data((#"{"cursor": ""# + String(repeating: "x", count: 3000) + #""}"#).utf8)
        let small = try await RunningServer(site: site, arguments: ["--config", file])
        #expect(try await small.client("a").ask(big).status == 413)
        #expect(await small.stop() == 0)
        let large = try await RunningServer(
            site: site, arguments: ["--config", file],
            environment: ["WAGGLE_MAX_BODY_BYTES": "4096"])
        #expect(try await large.client("a").ask(big).status == 400)

        let listed = try await Tool.run(["user", "list", "--config", file], in: site.folder)
        #expect(listed.exitCode == 0 && listed.output.contains("\na "))
        let byVariable = try await Tool.run(
            ["user", "list"], environment: ["WAGGLE_DATABASE": "app.sqlite"], in: site.folder)
        #expect(byVariable.output == listed.output)
    }

    @Test func withoutSettingsDatabaseIsInThisFolder() async throws {
        let site = try Site(definition: definition("Conflicts"))
        let deployed = try await Tool.run(["deploy", site.definition], in: site.folder)
        #expect(deployed.exitCode == 0)
        #expect(try site.folder.files()["waggle.sqlite"] != nil)
        #expect(deployed.errors.contains("environment 'test' of waggle.sqlite"))
    }

    /// The rows match the output of `--help`.
    @Test func pageOnOperatingListsEverySetting() async throws {
        let folder = try TemporaryFolder()
        let help = try await Tool.run(["serve", "--help"], in: folder).output
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let start = #/--[a-z-]+(?: <[a-z-]+>)? ([A-Z][^()]*) \(setting: (\w+); default: /#
        let rows = help.matches(of: start).map { option in
            let facts = help[option.range.upperBound...].prefix { $0 != ")" }
                .split(separator: "; ", maxSplits: 1)
            return "| `\(option.2)` | \(facts[0]) | \(facts.dropFirst().first ?? "any text") | "
                + "\(option.1) |"
        }
        #expect(rows.count > 20)
        let page = String(
            decoding: try bytes(
                ofFile: "Sources/Waggle/Documentation.docc/Operating.md"),
            as: UTF8.self)
        let settings = try #require(page.split(separator: "\n## Settings\n").last)
        let listed = settings.split(separator: "\n").filter {
            $0.wholeMatch(of: /\| `\w+` \|[^|]*\|[^|]*\|[^|]*\|/) != nil
        }
        #expect(listed.map(String.init) == rows)
    }

    private static let badStarts: [BadStart] = [
        BadStart(
            name: "a port that is no number", arguments: ["--port", "http"], exitCode: 2,
            words: ["--port", "http"]),
        BadStart(
            name: "a port out of range", arguments: ["--port", "65536"], exitCode: 2,
            words: ["'port' is 65536", "0 to 65535"]),
        BadStart(
            name: "a variable that is no number", environment: ["WAGGLE_PORT": "http"],
            exitCode: 1,
            words: [
                "the setting 'port' is 'http' in the environment variable WAGGLE_PORT, and has to "
                    + "be a whole number\nhelp: use 0 to 65535"
            ]),
        BadStart(
            name: "a misspelt log level", arguments: ["--log-level", "inof"], exitCode: 2,
            words: ["'logLevel' is 'inof'\nhelp: did you mean 'info'? use trace, debug"]),
        BadStart(
            name: "a negative variable", environment: ["WAGGLE_MAX_CONNECTIONS": "-1"],
            exitCode: 2, words: ["'maxConnections' is -1"]),
        BadStart(
            name: "an unknown log level", arguments: ["--log-level", "loud"], exitCode: 2,
            words: ["'loud'", "debug", "info"]),
        BadStart(
            name: "an environment that is no name", arguments: ["--environment", "a b"],
            exitCode: 2, words: ["'a b'"]),
        BadStart(
            name: "an unknown setting", file: #"{"prot": 8080}"#, exitCode: 1,
            words: ["an unknown setting 'prot'\nhelp: did you mean 'port'?"]),
        BadStart(
            name: "a setting of nobody", file: #"{"colour": 8080}"#, exitCode: 1,
            words: ["'colour'", "port", "maxBodyBytes"]),
        BadStart(
            name: "a setting of another type", file: #"{"port": "http"}"#, exitCode: 1,
            words: ["the setting 'port' is 'http' in the file of settings, and has to be"]),
        BadStart(
            name: "a file that is no JSON", file: "port = 8080", exitCode: 1,
            words: ["waggle.json", "not a JSON object"]),
        BadStart(
            name: "a file that is a list", file: "[]", exitCode: 1,
            words: ["not a JSON object"]),
        BadStart(
            name: "a file that is not there", arguments: ["--config", "missing.json"],
            exitCode: 1, words: ["'missing.json' cannot be read"]),
        BadStart(
            name: "an address that is not ours", arguments: ["--host", "192.0.2.1"],
            exitCode: 3, words: ["192.0.2.1", "--host"]),
    ]

    @Test func badSettingIsClearErrorAndNothingIsServed() async throws {
        let site = try await Site(prepared: "Conflicts")
        for bad in Self.badStarts {
            var arguments = bad.arguments
            if let file = bad.file {
                arguments += ["--config", try site.folder.write(file, to: "waggle.json")]
            }
            if !arguments.contains("--port") && bad.environment["WAGGLE_PORT"] == nil
                && bad.file?.contains(#""port""#) != true
            {
                arguments += ["--port", "0"]
            }
            let finished = try await serve(site, arguments, bad.environment)
            #expect(finished.exitCode == bad.exitCode, "\(bad.name): \(finished.errors)")
            #expect(!finished.output.contains("listening"), "\(bad.name)")
            for words in bad.words {
                #expect(finished.errors.contains(words), "\(bad.name): \(finished.errors)")
            }
            #expect(
                finished.errors.lowercased().contains("help: "), "\(bad.name): \(finished.errors)")
        }
    }

    /// A server that is expected to end by itself.
    private func serve(
        _ site: Site, _ arguments: [String], _ environment: [String: String]
    ) async throws -> Finished {
        try await Tool.run(
            ["serve", site.definition, "--database", site.database] + arguments,
            environment: environment, in: site.folder)
    }
}
