import Foundation
import Waggle

/// Holidays and birthdays, with notes, a link, a picture, and ideas for gifts.
@main struct DatesApp {
    static let commands = [
        "list", "add holiday|birthday YYYY-MM-DD NAME", "details NUMBER TEXT", "link NUMBER URL",
        "picture NUMBER FILE", "show NUMBER", "gift NUMBER IDEA", "bought NUMBER GIFT",
        "remove NUMBER", "sync", "resolve NUMBER mine|theirs [SIDE]", "quit",
    ]
    static let help = commands.joined(separator: "\n")

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
            print("usage: dates-app SERVER FOLDER LOGIN PASSWORD")
            exit(2)
        }
        let settings = Settings(
            mode: .test, server: server, deviceCategory: "mobile",
            folder: URL(filePath: arguments[2]))
        let app = DatesApp(database: try Database(.dates, settings))
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
        let rest = words.dropFirst(2).joined(separator: " ")
        switch words.first {
        case "list": try await list()
        case "add" where words.count > 3: try await add(words)
        case "details" where words.count > 1: try await change(words) { $0.details = rest }
        case "link" where words.count > 1: try await change(words) { $0.link = rest }
        case "picture" where words.count > 2:
            let picture = try await database.attach(URL(filePath: rest))
            try await change(words) { $0.picture = picture }
        case "show" where words.count == 2: try await show(words)
        case "gift" where words.count > 2:
            guard let occasion = try await occasion(words) else { return }
            try await database.save(Gift(occasion: occasion.reference, idea: rest))
        case "bought" where words.count == 3: try await buy(words)
        case "remove" where words.count == 2: try await remove(words)
        case "sync": try await sync()
        case "resolve" where words.count > 2 && ["mine", "theirs"].contains(words[2]):
            try await resolve(words)
        default: explain(words)
        }
    }

    /// Names what is missing in a line that cannot be carried out.
    private func explain(_ words: [String]) {
        guard let word = words.first else { return print(Self.help) }
        let usage = Self.commands.first { $0.split(separator: " ").first == word[...] }
        print(usage.map { "! write: \($0)" } ?? "! there is no command '\(word)'\n\(Self.help)")
    }

    private func sync() async throws {
        let summary = try await database.sync()
        let conflicted = summary.conflicted > 0 ? ", \(summary.conflicted) in conflict" : ""
        print("\(summary.accepted) sent, \(summary.received) received\(conflicted)")
    }

    private func add(_ words: [String]) async throws {
        guard let date = Self.days.date(from: words[2]) else {
            return print("! '\(words[2])' is no date: write it as 2026-12-24")
        }
        let occasion = Occasion(
            kind: Occasion.Kind(rawValue: words[1]),
            name: words.dropFirst(3).joined(separator: " "), date: Instant(date))
        try await database.save(occasion)
        try await list()
    }

    func occasions() async throws -> [Occasion] {
        try await database.find(Occasion.self).order(by: \.date).order(by: \.name).all()
    }

    private func gifts(of occasion: Occasion) async throws -> [Gift] {
        try await database.find(occasion.gifts).order(by: \.idea).all()
    }

    private func occasion(_ words: [String]) async throws -> Occasion? {
        let all = try await occasions()
        guard words.count > 1, let index = Int(words[1]), all.indices.contains(index - 1) else {
            print("! there is no date \(words.dropFirst().first ?? "")")
            return nil
        }
        return all[index - 1]
    }

    private func change(_ words: [String], _ change: (inout Occasion) -> Void) async throws {
        guard var occasion = try await occasion(words) else { return }
        change(&occasion)
        try await database.save(occasion)
    }

    private func buy(_ words: [String]) async throws {
        guard let occasion = try await occasion(words) else { return }
        let gifts = try await gifts(of: occasion)
        guard let index = Int(words[2]), gifts.indices.contains(index - 1) else {
            return print("! there is no gift \(words[2])")
        }
        var gift = gifts[index - 1]
        gift.bought = true
        try await database.save(gift)
    }

    /// With the gifts: nothing can belong to what is not there.
    private func remove(_ words: [String]) async throws {
        guard let occasion = try await occasion(words) else { return }
        let gifts = try await gifts(of: occasion)
        try await database.transaction { transaction in
            for gift in gifts { try transaction.remove(gift) }
            try transaction.remove(occasion)
        }
        try await list()
    }

    func list() async throws {
        for (index, occasion) in try await occasions().enumerated() {
            let day = Self.days.string(from: occasion.date.date)
            let state = occasion.isConflicted ? ", in conflict" : ""
            print("\(index + 1). \(day) \(occasion.name), \(occasion.kind.rawValue)\(state)")
        }
        try await listConflicts()
    }

    private func show(_ words: [String]) async throws {
        guard let occasion = try await occasion(words) else { return }
        print(occasion.name)
        if let details = occasion.details { print("   \(details)") }
        if let link = occasion.link { print("   \(link)") }
        for (index, gift) in try await gifts(of: occasion).enumerated() {
            print("   \(index + 1). \(gift.idea)\(gift.bought ? ", bought" : "")")
        }
        if let picture = occasion.picture {
            let place = try await database.contents(of: picture)
            print("   \(picture.filename): \(try Data(contentsOf: place).count) bytes")
        }
        let conflicts = try await database.conflicts(of: Occasion.self)
        if let conflict = conflicts.first(where: { $0.guid == occasion.guid }) {
            printSides(of: conflict, Self.inWords)
        }
    }

    static func inWords(_ occasion: Occasion?) -> String {
        guard let occasion else { return "removed" }
        let parts: [String?] = [
            days.string(from: occasion.date.date), occasion.name, occasion.kind.rawValue,
            occasion.details, occasion.link, occasion.picture?.filename,
        ]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }

    private static var days: DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "yyyy-MM-dd"
        return formatter
    }
}
