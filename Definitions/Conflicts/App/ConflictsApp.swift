import Foundation
import Waggle

/// Films with one to five stars, and two users on one device. Change the stars of a film as one
/// user and as the other, sync both, and the film is in conflict.
@main struct ConflictsApp {
    static let help = """
        list  add  stars NUMBER 1-5  sync  resolve NUMBER mine|theirs  switch  quit
        """

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
            guard var film = try await film(words[1]), let stars = Int64(words[2]) else { return }
            film.score = stars
            try await database.save(film)
            try await list()
        case "sync":
            let summary = try await database.sync()
            print(
                "\(summary.accepted) sent, \(summary.conflicted) in conflict, "
                    + "\(summary.received) received")
            try await list()
        case "resolve" where words.count == 3: try await resolve(words[1], with: words[2])
        case "switch": try await logIn(database.user?.login == "a" ? "b" : "a")
        default: print(Self.help)
        }
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

    /// What is in conflict is red.
    private func list() async throws {
        for (index, film) in try await films().enumerated() {
            let stars = String(repeating: "*", count: Int(film.score))
            let row = "\(index + 1). \(film.title) \(stars) of \(film.owner)"
            print(film.isConflicted ? "\u{1B}[31m\(row), in conflict\u{1B}[0m" : row)
        }
    }

    private func resolve(_ number: String, with side: String) async throws {
        let film = try await film(number)
        let conflicts = try await database.conflicts(of: ConflictsEntity.self)
        guard let change = conflicts.first(where: { $0.guid == film?.guid })?.sides.last,
            let chosen = side == "mine" ? change.mine : change.theirs
        else { return print("! there is nothing to resolve") }
        try await database.resolve(chosen)
        try await list()
    }
}
