import JSON
import SyncProtocol
import TestKit

/// Random notes, many of them equal, and queries.
struct RandomFinds {
    private var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    mutating func number(in range: ClosedRange<Int>) -> Int { random.number(in: range) }

    private static let numbers = 1...14

    typealias Change = (message: ChangeMessage, author: FindPerson)

    /// Notes of all users, of which some are then changed, deleted or in conflict.
    mutating func changes() -> [Change] {
        let creations: [Change] = Self.numbers.map {
            (.create($0, fields(of: $0)), random.one(of: FindPerson.allCases) ?? .ann)
        }
        return creations + Self.numbers.flatMap { laterChanges(of: $0) }
    }

    private mutating func laterChanges(of number: Int) -> [Change] {
        switch random.number(in: 0..<6) {
        case 0: [(.delete(number, from: 1), .ann)]
        case 1: [(.delete(number, from: 1), .ann), (.update(number, from: 1, ["text": "x"]), .bob)]
        case 2:
            [
                (.update(number, from: 1, ["code": .string("new \(number)")]), .ann),
                (.update(number, from: 2, ["parent": .null]), .bob),
            ]
        default: []
        }
    }

    private mutating func fields(of number: Int) -> [String: JSONValue] {
        var fields: [String: JSONValue] = [:]
        if random.flip() { fields["text"] = random.one(of: ["", "a", "\u{E9}", "e\u{301}"]) }
        if random.flip() { fields["code"] = .string("\(number)") }
        if random.flip() { fields["parent"] = .string(noteGuid(random.number(in: 1...number))) }
        return fields
    }

    struct Question: Sendable {
        let request: FindRequest
        let asker: FindPerson
    }

    mutating func question() -> Question {
        let keys = ["text", "code", "$owner", "parent.text", "parent.code"]
        let filter = random.number(in: 0..<5) == 0 ? nil : try? FindRequest.Filter(filter(depth: 2))
        return Question(
            request: FindRequest(
                filter: filter,
                sort: random.some(of: keys).prefix(random.number(in: 0...2)).map {
                    FindRequest.SortMessage($0, descends: random.flip())
                }, limit: random.number(in: 1...6), counts: random.number(in: 0..<3) == 0),
            asker: random.one(of: FindPerson.allCases) ?? .ann)
    }

    private mutating func filter(depth: Int) -> String {
        switch random.number(in: 0..<(depth > 0 ? 10 : 7)) {
        case 0: #"{"in": ["$guid", [\#(list { "\"\(noteGuid($0))\"" })]]}"#
        case 1: #"{"in": ["code", [\#(list { "\"\($0)\"" })]]}"#
        case 2: #"{"eq": ["parent", "\#(noteGuid(random.number(in: Self.numbers)))"]}"#
        case 3: #"{"eq": ["parent.$guid", "\#(noteGuid(random.number(in: Self.numbers)))"]}"#
        case 4: #"{"like": ["code", "\#(random.flip() ? "1%" : "new%")"]}"#
        case 5: #"{"null": "\#(random.flip() ? "text" : "parent.text")"}"#
        case 6: #"{"ge": ["text", {"field": "parent.text"}]}"#
        case 7: #"{"not": \#(filter(depth: depth - 1))}"#
        case 8: #"{"or": [\#(filter(depth: depth - 1)), \#(filter(depth: depth - 1))]}"#
        default: #"{"and": [\#(filter(depth: depth - 1)), \#(filter(depth: depth - 1))]}"#
        }
    }

    private mutating func list(_ text: (Int) -> String) -> String {
        (0..<random.number(in: 0...4)).map { _ in text(random.number(in: Self.numbers)) }
            .joined(separator: ",")
    }
}
