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

    /// In a checkout, in which they leave nothing that `git status` would list.
    @Test func commandsAreThoseOfTheTool() async throws {
        let folder = try TemporaryFolder()
        for name in ["FieldService", "Dates", "Conflicts"] {
            try folder.write(
                definition(name), at: "checkout/Definitions/\(name)/application.xml")
        }
        try folder.write(text.firstBlock(of: "xml"), at: "ward/application.xml")
        try folder.write(Self.toolOfReader, at: "checkout/.build/debug/waggle")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755],
            ofItemAtPath: folder.path("checkout/.build/debug/waggle"))
        let blocks = try blocks(of: "A definition") + blocks(of: "Your own app")
        #expect(blocks.count == 3)
        let script = "set -euo pipefail; cd checkout\n" + blocks.joined()
        let pasted = try await Program(
            path: "/usr/bin/env", arguments: ["bash", "-c", script], folder: folder
        ).run()
        #expect(pasted.exitCode == 0, "\(pasted.output) \(pasted.errors)")
        let commands = try folder.text(of: "commands").split(separator: "\n")
        #expect(
            commands == ["check", "generate", "new", "check", "deploy", "user", "serve"],
            "\(commands)")
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("checkout"))
        #expect(left.sorted() == [".build", "Definitions"])
        for path in ["Models", "Calendar/Package.swift", "ward/app.sqlite"] {
            #expect(FileManager.default.fileExists(atPath: folder.path(path)), "\(path)")
        }
    }

    /// The tool as its reader uses it, who types a password, and ends the server.
    private static let toolOfReader = """
        #!/bin/sh
        echo "$1" >>"$(dirname "$0")/../../../commands"
        case $1 in
        user) echo 'a long secret' | '\(Tool.path)' "$@" --password-stdin ;;
        new) exec '\(Tool.path)' "$@" --package-path '\(repositoryPath(""))' ;;
        serve) ;;
        *) exec '\(Tool.path)' "$@" ;;
        esac

        """
}

extension TemporaryFolder {
    /// Makes the folders of the path, too.
    fileprivate func write(_ text: String, at path: String) throws {
        let place = URL(filePath: self.path(path))
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: place)
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
