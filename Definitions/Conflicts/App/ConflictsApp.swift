import Foundation
import Waggle

/// Films with one to five stars, and two users on one device. Change the stars of a film as one
/// user and as the other, sync both, and the film is in conflict.
@main struct ConflictsApp {
    static let commands = [
        "list", "add", "stars NUMBER 1-5", "sync", "resolve NUMBER mine|theirs [SIDE]", "switch",
        "quit",
    ]
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
        guard arguments.count == 3, let server = URL(string: arguments[1]) else {
            print(
                "usage: conflicts-app SERVER FOLDER"
            )
            exit(2)
        }
        let settings = Settings(
            mode: .test, server: server, deviceCategory: "mobile",
            folder: URL(filePath: arguments[2]))
        let app = ConflictsApp(database: try Database(.conflicts, settings))
        try await app.logIn("a")
        print(help)
        while let line = readLine(), line != "quit" {
            do {
                try await app.carryOut(line.split(separator: " ").map(String.init))
            } catch {
                print("! \(error)")
            }
        }
    }

    private func logIn(_ login: String) async throws {
        let user = try await database.logIn(login, password: "user\(login)")
        print("you are \(user.login)\(user.isOffline ? ", offline" : "")")
        try await list()
    }

    private func carryOut(_ words: [String]) async throws {
        switch words.first {
        case "list": try await list()
        case "add":
            let title = ["Solaris", "Alien", "Stalker", "Metropolis", "Moon"].randomElement()
            try await database.save(ConflictsEntity(title: title ?? "Alien"))
            try await list()
        case "stars" where words.count == 3:
            guard let stars = Int64(words[2]) else { return explain(words) }
            guard var film = try await film(words[1]) else { return }
            film.score = stars
            try await database.save(film)
            try await list()
        case "sync":
            let summary = try await database.sync()
            print(
                "\(summary.accepted) sent, \(summary.conflicted) in conflict, "
                    + "\(summary.received) received")
            try await list()
        case "resolve" where words.count > 2 && ["mine", "theirs"].contains(words[2]):
            try await resolve(words)
        case "switch": try await logIn(database.user?.login == "a" ? "b" : "a")
        default: explain(words)
        }
    }

    /// Names what is missing in a line that cannot be carried out.
    private func explain(_ words: [String]) {
        guard let word = words.first else { return print(Self.help) }
        let usage = Self.commands.first { $0.split(separator: " ").first == word[...] }
        print(usage.map { "! write: \($0)" } ?? "! there is no command '\(word)'\n\(Self.help)")
    }

    private func films() async throws -> [ConflictsEntity] {
        try await database.find(ConflictsEntity.self).order(by: \.title).all()
    }

    private func film(_ number: String) async throws -> ConflictsEntity? {
        let films = try await films()
        guard let index = Int(number), films.indices.contains(index - 1) else {
            print("! there is no film \(number)")
            return nil
        }
        return films[index - 1]
    }

    /// A film in conflict is red, with the sides to choose from: two for each change that was set
    /// aside.
    private func list() async throws {
        for (index, film) in try await films().enumerated() {
            let row = "\(index + 1). \(Self.inWords(film)) of \(film.owner)"
            print(film.isConflicted ? "\u{1B}[31m\(row), in conflict\u{1B}[0m" : row)
            let sides = try await conflict(of: film)?.sides ?? []
            for (index, change) in sides.enumerated() {
                let side = sides.count > 1 ? " \(index + 1)" : ""
                let author = change.login ?? "somebody"
                print("   mine\(side):   \(Self.inWords(change.mine)), by \(author)")
                print("   theirs\(side): \(Self.inWords(change.theirs))")
            }
        }
    }

    private static func inWords(_ film: ConflictsEntity?) -> String {
        film.map { "\($0.title) \(String(repeating: "*", count: Int($0.score)))" } ?? "removed"
    }

    private func conflict(
        of film: ConflictsEntity
    ) async throws -> OpenConflict<ConflictsEntity>? {
        let conflicts = try await database.conflicts(of: ConflictsEntity.self)
        return conflicts.first { $0.guid == film.guid }
    }

    /// Without the number of a side, the last one is meant.
    private func resolve(_ words: [String]) async throws {
        guard let film = try await film(words[1]) else { return }
        guard let conflict = try await conflict(of: film) else {
            return print("! film \(words[1]) is not in conflict")
        }
        let side = words.count > 3 ? Int(words[3]) : conflict.sides.count
        let numbered = conflict.sides.enumerated().first { $0.offset + 1 == side }
        guard let change = numbered?.element else {
            return print("! film \(words[1]) has no such side")
        }
        if let chosen = words[2] == "mine" ? change.mine : change.theirs {
            try await database.resolve(chosen)
        } else {
            try await database.resolve(removing: conflict)
        }
        try await list()
    }
}
