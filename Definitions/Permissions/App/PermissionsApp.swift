import Foundation
import Waggle

/// Films with a title, which everybody sees, and a director, whom only the film's owner does.
@main struct PermissionsApp {
    static let commands = ["list", "add TITLE by DIRECTOR", "rename NUMBER TITLE", "sync", "quit"]
    static let help = commands.joined(separator: "  ")

    let database: Database

    static func main() async {
        do {
            try await run()
        } catch {
            print("! \(error)")
            exit(1)
        }
    }

    private static func run() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let server = URL(string: arguments[1]) else {
            print("usage: permissions-app SERVER FOLDER LOGIN PASSWORD")
            exit(2)
        }
        let settings = Settings(
            mode: .test, server: server, deviceCategory: "mobile",
            folder: URL(filePath: arguments[2]))
        let app = PermissionsApp(database: try Database(.permissions, settings))
        try await app.database.logIn(arguments[3], password: arguments[4])
        print(help)
        while let line = readLine(), line != "quit" {
            do {
                try await app.carryOut(line.split(separator: " ").map(String.init))
            } catch {
                print("! \(error)")
            }
        }
    }

    private func carryOut(_ words: [String]) async throws {
        switch words.first {
        case "list": try await list()
        case "add" where words.count > 1:
            let parts = words.dropFirst().split(separator: "by", maxSplits: 1)
            let title = parts.first?.joined(separator: " ") ?? ""
            let director = parts.count > 1 ? parts[1].joined(separator: " ") : nil
            try await database.save(PermissionsEntity(title: title, director: Visible(director)))
            try await list()
        case "rename" where words.count > 2:
            let films = try await films()
            guard let index = Int(words[1]), films.indices.contains(index - 1) else {
                return print("! there is no film \(words[1])")
            }
            var film = films[index - 1]
            film.title = words.dropFirst(2).joined(separator: " ")
            try await database.save(film)
            try await list()
        case "sync":
            let summary = try await database.sync()
            print("\(summary.accepted) sent, \(summary.received) received")
            try await list()
        default: explain(words)
        }
    }

    /// Names what is missing in a line that cannot be carried out.
    private func explain(_ words: [String]) {
        guard let word = words.first else { return print(Self.help) }
        let usage = Self.commands.first { $0.split(separator: " ").first == word[...] }
        print(usage.map { "! write: \($0)" } ?? "! there is no command '\(word)'\n\(Self.help)")
    }

    private func films() async throws -> [PermissionsEntity] {
        try await database.find(PermissionsEntity.self).order(by: \.title).all()
    }

    private func list() async throws {
        for (index, film) in try await films().enumerated() {
            let director =
                switch film.director {
                case .value(let name): "by \(name)"
                case .null: "by nobody known"
                case .hidden: "(the director is \(film.owner)'s to see)"
                }
            print("\(index + 1). \(film.title) \(director)")
        }
    }
}
