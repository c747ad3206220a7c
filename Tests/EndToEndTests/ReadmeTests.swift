import Foundation
import TestKit
import Testing

/// The lines of README.md do what it says, with a plain curl.
@Suite(.timeLimit(.minutes(5))) struct ReadmeTests {
    private let text: String

    init() throws {
        text = String(decoding: try bytes(ofFile: "README.md"), as: UTF8.self)
    }

    /// The code of the blocks under a heading.
    private func blocks(of heading: String) throws -> [String] {
        let start = try #require(text.firstRange(of: "\n## \(heading)\n"))
        let rest = text[start.upperBound...]
        let section = rest[..<(rest.firstRange(of: "\n## ")?.lowerBound ?? rest.endIndex)]
        return section.matches(of: /```(\w*)\n(?s:(.*?))```/)
            .filter { $0.1.isEmpty || $0.1 == "sh" }.map { String($0.2) }
    }

    @Test func wireAnswersAsDescribed() async throws {
        let site = try await Site(prepared: "Conflicts")
        for login in ["a", "b"] {
            let set = try await site.waggle(
                "user", "set-password", login, "--password-stdin", "--min-password-length", "5",
                input: "user\(login)\n")
            #expect(set.exitCode == 0, "\(set.errors)")
        }
        let server = try await RunningServer(site: site)
        let address = "http://127.0.0.1:8080/v1/test"
        let lines = try blocks(of: "The wire").joined()
            .changing(address, to: "http://127.0.0.1:\(server.port)/v1/test")
        let script = """
            set -euo pipefail
            { \(lines)
            } | jq -c '[[.outcomes[].outcome], [.records[] | .revision, .fields.score]]'
            """
        let pasted = try await Program(
            path: "/usr/bin/env", arguments: ["bash", "-c", script], folder: site.folder
        ).run()
        #expect(pasted.exitCode == 0, "\(pasted.errors)")
        #expect(
            pasted.output == """
                [["accepted"],[1,1]]
                [["accepted"],[2,4]]
                [["conflicted"],[3,4]]
                [[],[3,4]]
                [["accepted"],[4,5]]
                [["refused"],[4,5]]

                """)
    }

    /// In curl before 7.82 there is no `--json`.
    @Test(arguments: [
        "Makefile", "Tests/EndToEndTests/demo.sh",
        "Sources/Waggle/Documentation.docc/Administering.md",
    ])
    func everyCallIsPortable(path: String) throws {
        let text = String(decoding: try bytes(ofFile: path), as: UTF8.self)
        #expect(!text.contains(/curl[^|]*--json/))
    }

    /// In curl before 7.82 there is no `--json`, and only Linux has `/proc`.
    @Test(arguments: ["--json", "/proc/", "uuidgen", "sed -i", "readlink -f"])
    func everyLineIsPortable(word: String) {
        #expect(!text.contains(word))
    }

    @Test func commandsAreThoseOfTheTool() async throws {
        let folder = try TemporaryFolder()
        for name in ["FieldService", "Dates", "Conflicts"] {
            let place = folder.path("Definitions/\(name)")
            try FileManager.default.createDirectory(
                atPath: place, withIntermediateDirectories: true)
            try folder.write(definition(name), to: "Definitions/\(name)/application.xml")
        }
        try folder.write(text.firstBlock(of: "xml"), to: "application.xml")
        let commands = try (blocks(of: "A definition") + blocks(of: "Your own app")).joined()
            .split(separator: "\n")
            .filter { $0.contains("waggle") && !$0.contains("=") && !$0.contains(" serve ") }
        #expect(commands.count > 4)
        for command in commands {
            let words = command.split(separator: " ").dropFirst().map(String.init)
            let more =
                words.first == "user"
                ? ["--password-stdin"]
                : words.first == "new" ? ["--package-path", repositoryPath("")] : []
            let finished = try await Tool.run(
                words + more, input: "a long secret\n", in: folder)
            #expect(finished.exitCode == 0, "\(command): \(finished.errors)")
        }
    }
}

extension String {
    /// The first block of code in a language.
    fileprivate func firstBlock(of language: String) throws -> String {
        let start = try #require(firstRange(of: "```\(language)\n"))
        let rest = self[start.upperBound...]
        return String(rest[..<(rest.firstRange(of: "```")?.lowerBound ?? rest.endIndex)])
    }
}
