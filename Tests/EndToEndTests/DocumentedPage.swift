import Foundation
import TestKit

/// An article of the documentation, or README.md.
struct DocumentedPage: Sendable, CustomStringConvertible {
    let name: String
    let text: String

    var description: String { name }

    static func all() throws -> [DocumentedPage] {
        let folder = "Sources/Waggle/Documentation.docc"
        let names = try FileManager.default.contentsOfDirectory(atPath: repositoryPath(folder))
        let paths = names.filter { $0.hasSuffix(".md") }.map { "\(folder)/\($0)" }
        return try (paths.sorted() + ["README.md"]).map { path in
            DocumentedPage(
                name: path, text: String(decoding: try bytes(ofFile: path), as: UTF8.self))
        }
    }

    /// The methods and paths that the page names: full paths, paths after `…`, and on the page
    /// about original clients also those in its table.
    var routes: [Route] {
        let named = text.matches(
            of: /\b(GET|HEAD|POST|PUT|PATCH|DELETE) (…?\/[\w\/.\-]+)/
        ).map { Route(method: String($0.1), path: fullPath(String($0.2))) }
        guard name.hasSuffix("/Mobeelizer.md") else { return named }
        let original = text.matches(of: /`(GET|POST) ([a-z][A-Za-z\/]+)`/)
        return named + original.map { Route(method: String($0.1), path: "/sync/v2/\($0.2)") }
    }

    /// The rows of the tables of a wire's paths: its paths, and the methods in the second column.
    /// Where a semicolon separates methods, the second ones are those of the second path.
    var pathRows: [(paths: [String], methods: [String])] {
        text.matches(of: /\n\| (`\/[^|]*`) \|([^|\n]*)/).flatMap {
            row -> [(paths: [String], methods: [String])] in
            let paths = row.1.matches(of: /`(\/[^`]+)`/).map { fullPath(String($0.1)) }
            let methods = row.2.split(separator: ";").map { part in
                part.matches(of: /`(GET|POST|PUT|PATCH|DELETE)`/).map { String($0.1) }
            }
            guard paths.count > 1, paths.count == methods.count else {
                return [(paths, methods.flatMap { $0 })]
            }
            return zip(paths, methods).map { ([$0], $1) }
        }
    }

    /// Paths after `…` are in an environment, and those on the page about Parse are below the
    /// address of its wire.
    private func fullPath(_ path: String) -> String {
        let path = path.hasSuffix(".") ? String(path.dropLast()) : path
        if path.hasPrefix("…") {
            let isAdministration = name.hasSuffix("/Administering.md")
            let start = isAdministration ? "/admin/v1/environments/ENVIRONMENT" : "/v1/ENVIRONMENT"
            return start + path.dropFirst()
        }
        let isWhole = ["/admin/", "/v1/", "/parse/"].contains(where: path.hasPrefix)
        let isOfParse = name.hasSuffix("/Parse.md") || path.hasPrefix("/classes/")
        return isOfParse && !isWhole ? "/parse\(path)" : path
    }

    /// The text after `waggle` up to the end of the line or of the code, including continuation
    /// lines.
    var invocations: [String] {
        let unfolded = text.replacing(/\\\n/, with: " ").replacing(/\n +\[?--/, with: " --")
        return unfolded.matches(of: /(?:\/|\$|`|\n|\| )waggle ([a-z][^\n`|#]*)/).map {
            String($0.1)
        }
    }

    /// The rows of the page's table of limits that name a setting.
    var limits: [(setting: String, limit: String)] {
        guard let table = text.firstRange(of: "| can be set by |") else { return [] }
        return text[table.lowerBound...].matches(of: /\n\|[^|\n]+\|([^|\n]+)\| `(\w+)` \|(?=\n)/)
            .map {
                (String($0.2), $0.1.trimmingCharacters(in: .whitespaces))
            }
    }
}

struct Route: Hashable, Sendable {
    let method: String
    let path: String

    /// The path with example values for the names in capitals.
    var examplePath: String {
        let path = path.replacing("ENVIRONMENT", with: "test")
        return ["MODEL", "TABLE", "CLASS"].reduce(path) {
            $0.replacing($1, with: "ConflictsEntity")
        }
    }
}

/// A command of the tool, from `--experimental-dump-help`.
struct CommandHelp: Decodable {
    let commandName: String
    let arguments: [Argument]?
    let subcommands: [CommandHelp]?

    struct Argument: Decodable {
        let names: [Name]?
        let abstract: String?
        let defaultValue: String?
    }

    struct Name: Decodable {
        let name: String
    }

    /// The root command.
    static func tool(in folder: TemporaryFolder) async throws -> CommandHelp {
        struct Dump: Decodable { let command: CommandHelp }
        let finished = try await Tool.run(["--experimental-dump-help"], in: folder)
        return try JSONDecoder().decode(Dump.self, from: Data(finished.output.utf8)).command
    }

    var options: Set<String> {
        Set((arguments ?? []).flatMap { $0.names ?? [] }.map { "--\($0.name)" })
    }

    /// This command and all subcommands, recursively.
    var all: [CommandHelp] { [self] + (subcommands ?? []).flatMap(\.all) }

    /// The subcommand that the words name.
    func command(_ words: [Substring]) -> CommandHelp {
        let next = subcommands?.first { $0.commandName == words.first ?? "" }
        return next?.command(Array(words.dropFirst())) ?? self
    }

    /// The settings and their defaults, from the help texts of the options.
    var settings: [String: String] {
        let pairs = all.flatMap { $0.arguments ?? [] }.compactMap { argument in
            argument.abstract?.firstMatch(of: /\(setting: (\w+); default: ([^;)]+)/).map {
                (String($0.1), String($0.2))
            }
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }
}
