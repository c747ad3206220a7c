import Foundation
import Waggle

/// The records of `dates`, on a command line: one command as arguments, or one on each line.
@main struct App {
    /// The types that each build generates from `application.xml`. Add a line for a new model.
    static let models: [any Record.Type] = [
        Occasion.self,
        Gift.self,
    ]

    static let commands = """
        list MODEL
        add MODEL FIELD=VALUE …
        change MODEL RECORD FIELD=VALUE …   RECORD is the start of a guid, as 'list' shows it
        remove MODEL RECORD
        sync                                sends what was changed, and gets what others changed
        conflicts MODEL                     both sides of each record in conflict
        resolve MODEL RECORD mine|theirs    ends a conflict; with several changes, add the NUMBER
        help
        """

    /// The records on this device, which can be read and changed without a network.
    let database: Database

    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("! \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ words: [String]) async throws {
        if words == ["help"] || words == ["--help"] { return print(try help()) }
        let app = App(database: try await signedIn())
        guard words.isEmpty else { return print(try await app.answer(words)) }
        print("type 'help' to see what there is, and 'quit' to leave")
        while let line = readLine(), line != "quit" {
            do {
                print(try await app.answer(line))
            } catch {
                print("! \(error)")
            }
        }
    }

    func answer(_ line: String) async throws -> String {
        try await answer(line.split(separator: " ").map(String.init))
    }

    /// Runs a command. Add a case for a new command.
    func answer(_ words: [String]) async throws -> String {
        switch (words.first, words.count) {
        case (nil, _): return ""
        case ("list", 2): return try await list(model(words[1]))
        case ("add", 2...): return try await add(model(words[1]), words[2...])
        case ("change", 4...): return try await change(model(words[1]), words[2], words[3...])
        case ("remove", 3): return try await remove(model(words[1]), words[2])
        case ("sync", 1): return try await sync()
        case ("conflicts", 2): return try await conflicts(model(words[1]))
        case ("resolve", 4...5): return try await resolve(model(words[1]), words[2], words[3...])
        case ("help", 1): return try Self.help()
        default: throw Mistake("this is no command; there are\n\(Self.commands)")
        }
    }
}

// MARK: - Commands

extension App {
    static func help() throws -> String {
        let models = try AppDefinition.dates.models.map { model in
            let fields = model.fields.map { "\($0.name) \($0.kind)\($0.isRequired ? "*" : "")" }
            return "  \(model.name): \(fields.joined(separator: ", "))"
        }
        return ([commands, "models and their fields, * required:"] + models)
            .joined(separator: "\n")
    }

    private func list<Model: Record>(_ type: Model.Type) async throws -> String {
        let records = try await database.list(type)
        return records.isEmpty
            ? "no records" : records.map { description(of: $0.values) }.joined(separator: "\n")
    }

    /// Refuses what the definition forbids, by the same rules as the server.
    private func add(_ type: any Record.Type, _ words: ArraySlice<String>) async throws -> String {
        let new = Waggle.RecordValues(model: type.modelName, guid: type.newGuid())
        return try await save(try await setting(words, in: new), of: type)
    }

    private func change(
        _ type: any Record.Type, _ start: String, _ words: ArraySlice<String>
    ) async throws -> String {
        let record = try await record(type, start)
        return try await save(try await setting(words, in: record.values), of: type)
    }

    private func save(
        _ values: Waggle.RecordValues, of type: any Record.Type
    ) async throws -> String {
        try await database.save(values)
        let saved = try await database.get(type, guid: values.guid)
        return saved.map { description(of: $0.values) } ?? "saved, and not yours to see"
    }

    private func remove(_ type: any Record.Type, _ start: String) async throws -> String {
        try await database.remove(try await record(type, start))
        return "removed"
    }

    private func sync() async throws -> String {
        let summary = try await database.sync()
        var lines = [
            "\(summary.accepted) sent, \(summary.received) received, "
                + "\(summary.conflicted) in conflict"
        ]
        if summary.conflicted > 0 { lines.append("'conflicts MODEL' shows both sides") }
        // Changes that only the server could refuse. Let users correct them, instead of discarding
        // them as here.
        for change in try await database.refusedChanges() {
            let reasons = change.refusals.map(\.message).joined(separator: "; ")
            lines.append("! \(description(of: change.values)): \(reasons)")
            try await database.forget(change)
        }
        return lines.joined(separator: "\n")
    }
}

// MARK: - Conflicts

extension App {
    /// A change that another one had overtaken is set aside until somebody resolves the conflict.
    private func conflicts<Model: Record>(_ type: Model.Type) async throws -> String {
        var lines: [String] = []
        for conflict in try await database.conflicts(of: type) {
            lines.append(String(conflict.guid.prefix(8)))
            for (index, change) in conflict.sides.enumerated() {
                lines.append("  \(index + 1) mine    \(text(of: change.mine))")
                lines[lines.endIndex - 1] += change.login.map { "  by \($0)" } ?? ""
                lines.append("  \(index + 1) theirs  \(text(of: change.theirs))")
            }
        }
        return lines.isEmpty ? "no conflicts" : lines.joined(separator: "\n")
    }

    private func text<Model: Record>(of side: Model?) -> String {
        side.map { fields(of: $0.values).joined(separator: "  ") } ?? "removed"
    }

    /// Without a number, the last change is meant.
    private func resolve<Model: Record>(
        _ type: Model.Type, _ start: String, _ words: ArraySlice<String>
    ) async throws -> String {
        let found = try await database.conflicts(of: type).filter { $0.guid.hasPrefix(start) }
        guard let conflict = found.first, found.count == 1 else {
            throw Mistake(
                "\(found.count) conflicts of '\(type.modelName)' begin with '\(start)', not one")
        }
        let number = words.count > 1 ? Int(words[4]) : conflict.sides.count
        let numbered = conflict.sides.enumerated().first { $0.offset + 1 == number }
        guard let change = numbered?.element, ["mine", "theirs"].contains(words[3]) else {
            throw Mistake("write 'mine' or 'theirs', and a number that 'conflicts' shows")
        }
        if let chosen = words[3] == "mine" ? change.mine : change.theirs {
            try await database.resolve(chosen)
        } else {
            try await database.resolve(removing: conflict)
        }
        return "resolved"
    }
}

/// A command that cannot be carried out.
struct Mistake: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
