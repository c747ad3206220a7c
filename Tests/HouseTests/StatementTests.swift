import Foundation
import Testing

/// Statements of pages and scripts that were false once, and what they have to name.
@Suite struct StatementTests {
    private static func page(_ name: String) -> String {
        Repository.text(of: "\(Repository.documentation)/\(name).md")
    }

    /// A running server takes a deployment at once, and an iOS app cannot write to its home.
    @Test(arguments: [
        "restart the server", "server again: at their next sync", "homeDirectory",
        "a salted Argon2id hash. A",
    ])
    func noPageSays(phrase: String) {
        for path in Repository.markdownPages + ["Templates/project/README.md.mustache"] {
            let words = Repository.text(of: path).split(whereSeparator: \.isWhitespace)
            #expect(!words.joined(separator: " ").contains(phrase), "\(path)")
        }
    }

    /// Interactive zsh takes `#` for a command.
    @Test func blocksToPasteHaveNoComments() {
        let blocks = Repository.text(of: "README.md").matches(of: /```(\w*)\n(?s:(.*?))```/)
            .filter { $0.1.isEmpty || $0.1 == "sh" }.map { String($0.2) }
        #expect(blocks.count > 5)
        for block in blocks { #expect(!block.contains(/(?m)(?:^| )[#]\s/), "\(block)") }
    }

    /// `make run` installs what the lines after it call.
    @Test func programsOfReadmeAreInstalled() throws {
        let code = Repository.text(of: "README.md").matches(of: /```sh\n(?s:(.*?))```/)
            .map { String($0.1) }.joined()
        let functions = Set(code.matches(of: /(?m)^(\w+)\(\)\s/).map { String($0.1) })
        let called = Set(
            code.matches(of: /(?m)(?:^ *|\$\(|\| *)([a-z]\w*)\s/).map { String($0.1) })
        let lines = try #require(
            Repository.text(of: "Makefile").firstMatch(of: /\nTOOLS := ((?:[^\n]*\\\n)*)/))
        let installed = lines.1.matches(of: /\$\(filter ([^,]*),[^,]*,(?:\\\n)?([^)]*)\)/)
            .filter { $0.1.split(separator: " ").contains("run") }
            .flatMap { $0.2.matches(of: /([\w-]+):/).map { String($0.1) } }
        #expect(called.subtracting(functions).isSuperset(of: ["curl", "jq"]))
        #expect(called.subtracting(functions).isSubset(of: installed))
    }

    /// Images of Podman's own format have no health check.
    @Test(arguments: [
        "Containerfile", "\(Repository.documentation)/Installing.md",
    ])
    func imagesAreBuiltWithHealthCheck(path: String) {
        let commands = Repository.text(of: path).split(separator: "\n")
            .filter { $0.contains("podman build ") }
        #expect(commands.count == 1)
        for command in commands { #expect(command.contains("podman build --format docker ")) }
    }

    @Test func librarysModulesAreNamed() throws {
        let section = try #require(
            Self.page("TriedWhere").split(separator: "\n## What an app builds\n").dropFirst().first)
        let paragraph = try #require(section.split(separator: "`Queues`").first)
        let named = (paragraph + "`Queues`").matches(of: /`(\w+)`/).map { String($0.1) }
        // The package that is built there, and what it has from elsewhere.
        let others: Set = ["GRDB", "Kept", "Shop", "Waggle"]
        let built = Set(
            Repository.text(of: "Tests/OutsidePackage/expected-modules.txt")
                .split(separator: "\n").map(String.init))
        #expect(Set(named).subtracting(["Waggle"]) == built.subtracting(others))
    }

    @Test func everyBenchmarkIsOnPage() {
        let goals = Repository.text(of: "Makefile").matches(of: /(?m)^(bench[a-z-]*):/)
            .map { String($0.1) }
        let house = Self.page("House")
        #expect(goals.count > 8)
        for goal in goals { #expect(house.contains("`make \(goal)"), "\(goal)") }
    }

    @Test func everyWireIsInGlossary() {
        let entry = Self.page("Glossary").split(separator: "\n### Wire\n").dropFirst().first ?? ""
        for page in ["Wire.md", "Azure.md", "Parse.md", "Administering.md"] {
            #expect(entry.contains("(\(page))"), "\(page)")
        }
        #expect(entry.contains("*original client*"))
    }

    /// Only Linux has these types of the system's calls.
    @Test func typesOfLinuxAreBehindCondition() {
        for file in Repository.sources {
            var depth = 0
            for (number, line) in file.codeLines.enumerated() {
                let word = line.trimmingCharacters(in: .whitespaces)
                if word.hasPrefix("#if ") { depth += 1 }
                if word.hasPrefix("#endif") { depth -= 1 }
                let isOfLinux = line.contains(/__rlimit|__rusage|SOCK_STREAM\.rawValue/)
                #expect(!isOfLinux || depth > 0, "\(file.path):\(number + 1)")
            }
        }
    }
}
