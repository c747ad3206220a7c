import Waggle

/// Two devices changed the same field of a date or of a gift, or one of them removed what the other
/// one changed.
extension DatesApp {
    /// After the dates, with numbers that continue theirs: a record may be gone, and a gift has no
    /// number of its own.
    func listConflicts() async throws {
        var number = try await occasions().count
        for conflict in try await database.conflicts(of: Occasion.self) {
            number += 1
            print("\(number). in conflict: \(Self.present(in: conflict)?.name ?? "a date")")
            printSides(of: conflict, Self.inWords)
        }
        for conflict in try await database.conflicts(of: Gift.self) {
            number += 1
            print("\(number). in conflict: the gift \(Self.present(in: conflict)?.idea ?? "")")
            printSides(of: conflict, Self.inWords)
        }
    }

    /// The record as it is, or as one of the sides has it.
    private static func present<Model: Record>(in conflict: OpenConflict<Model>) -> Model? {
        conflict.record ?? conflict.sides.compactMap { $0.mine ?? $0.theirs }.first
    }

    /// With numbers if there are several changes, the oldest first.
    func printSides<Model: Record>(
        of conflict: OpenConflict<Model>, _ inWords: (Model?) -> String
    ) {
        for (index, change) in conflict.sides.enumerated() {
            let number = conflict.sides.count > 1 ? " \(index + 1)" : ""
            print("   mine\(number):   \(inWords(change.mine))")
            print("   theirs\(number): \(inWords(change.theirs))")
        }
    }

    private static func inWords(_ gift: Gift?) -> String {
        gift.map { "\($0.idea)\($0.bought ? ", bought" : "")" } ?? "removed"
    }

    /// Takes the number of a date in conflict or that of a conflict.
    func resolve(_ words: [String]) async throws {
        let occasions = try await occasions()
        let dates = try await database.conflicts(of: Occasion.self)
        let gifts = try await database.conflicts(of: Gift.self)
        guard let number = Int(words[1]), number > 0 else {
            return print("! there is no conflict \(words[1])")
        }
        let date = number - 1 - occasions.count
        let gift = date - dates.count
        if date < 0 {
            let guid = occasions[number - 1].guid
            guard let conflict = dates.first(where: { $0.guid == guid }) else {
                return print("! date \(number) is not in conflict")
            }
            try await end(conflict, words)
        } else if dates.indices.contains(date) {
            try await end(dates[date], words)
        } else if gifts.indices.contains(gift) {
            try await end(gifts[gift], words)
        } else {
            print("! there is no conflict \(number)")
        }
    }

    /// Without the number of a side, the last one is meant.
    private func end<Model: Record>(
        _ conflict: OpenConflict<Model>, _ words: [String]
    ) async throws {
        let side = words.count > 3 ? Int(words[3]) : conflict.sides.count
        let numbered = conflict.sides.enumerated().first { $0.offset + 1 == side }
        guard let change = numbered?.element else {
            return print("! conflict \(words[1]) has no such side")
        }
        if let chosen = words[2] == "mine" ? change.mine : change.theirs {
            try await database.resolve(chosen)
        } else {
            try await database.resolve(removing: conflict)
        }
        try await list()
    }
}
