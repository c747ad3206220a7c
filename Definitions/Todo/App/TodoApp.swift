import Foundation
import Waggle

/// Things to do, on many devices. A user who changes what somebody else has changed is shown both,
/// and asked.
@main struct TodoApp {
    static let commands = [
        "list", "add TEXT", "done NUMBER", "text NUMBER TEXT", "remove NUMBER", "sync", "quit",
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
        guard arguments.count == 5, let server = URL(string: arguments[1]) else {
            print("usage: todo-app SERVER FOLDER LOGIN PASSWORD")
            exit(2)
        }
        let settings = Settings(
            mode: .test, server: server, deviceCategory: "mobile",
            folder: URL(filePath: arguments[2]))
        let app = TodoApp(database: try Database(.todo, settings))
        try await app.database.logIn(arguments[3], password: arguments[4])
        app.database.onConflict(of: TodoItem.self, ask)
        print(help)
        while let line = readLine(), line != "quit" {
            do {
                try await app.carryOut(line.split(separator: " ").map(String.init))
            } catch {
                print("! \(error)")
            }
        }
    }

    private static func ask(_ conflict: Conflict<TodoItem>) async -> ConflictDecision<TodoItem> {
        print("? yours:  \(inWords(conflict.client))")
        print("? server: \(inWords(conflict.server))")
        while true {
            print("? use client, server or cancel")
            switch readLine() {
            case "client": return .useClient
            case "server": return .useServer
            case "cancel", nil: return .cancel
            case let answer?: print("! '\(answer)' is no answer")
            }
        }
    }

    private static func inWords(_ item: TodoItem?) -> String {
        item.map { "[\($0.done ? "x" : " ")] \($0.text)" } ?? "removed"
    }

    private func carryOut(_ words: [String]) async throws {
        let text = words.dropFirst().joined(separator: " ")
        switch words.first {
        case "list": break
        case "add" where words.count > 1: try await database.save(TodoItem(text: text))
        case "done" where words.count == 2: try await change(words) { $0.done.toggle() }
        case "text" where words.count > 2:
            try await change(words) { $0.text = words.dropFirst(2).joined(separator: " ") }
        case "remove" where words.count == 2:
            guard let item = try await item(words) else { return }
            try await database.remove(item)
        case "sync":
            let summary = try await database.sync()
            print("\(summary.accepted) sent, \(summary.received) received")
        default: return explain(words)
        }
        for (index, item) in try await items().enumerated() {
            print("\(index + 1). \(Self.inWords(item))")
        }
    }

    /// Names what is missing in a line that cannot be carried out.
    private func explain(_ words: [String]) {
        guard let word = words.first else { return print(Self.help) }
        let usage = Self.commands.first { $0.split(separator: " ").first == word[...] }
        print(usage.map { "! write: \($0)" } ?? "! there is no command '\(word)'\n\(Self.help)")
    }

    private func items() async throws -> [TodoItem] {
        try await database.find(TodoItem.self).order(by: \.text).all()
    }

    private func item(_ words: [String]) async throws -> TodoItem? {
        let items = try await items()
        guard words.count > 1, let index = Int(words[1]), items.indices.contains(index - 1) else {
            print("! there is no item \(words.dropFirst().first ?? "")")
            return nil
        }
        return items[index - 1]
    }

    private func change(_ words: [String], _ change: (inout TodoItem) -> Void) async throws {
        guard var item = try await item(words) else { return }
        change(&item)
        try await database.save(item)
    }
}
