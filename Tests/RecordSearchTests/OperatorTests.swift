import EngineKit
import JSON
import NativeCalls
import SyncProtocol
import Testing

@testable import SyncEngine

/// Every operator on every type, with records without values.
@Suite struct OperatorTests {
    /// Thing 3 has no values; box 102 has a name only.
    private func things() async throws -> Person {
        let bench = try await TestBench(Documents.things)
        let a = bench.person("a")
        let file = JSONValue.object(["guid": .string(guid(900)), "filename": "a.png"])
        let other = JSONValue.object(["guid": .string(guid(900)), "filename": "b.png"])
        let outcomes = try await a.push(
            create(101, model: "Box", ["name": "left", "size": 5]),
            create(102, model: "Box", ["name": "right"]),
            create(
                1, model: "Thing",
                [
                    "name": "Solaris", "note": "Solaris", "whole": 1, "part": 2, "price": "1.5",
                    "cost": "2", "done": .boolean(true), "fine": .boolean(true), "day": 1000,
                    "due": 2000, "box": .string(guid(101)), "follows": .string(guid(2)),
                    "photo": file, "scan": file, "code": "one",
                ]),
            create(
                2, model: "Thing",
                [
                    "name": "solaris", "note": "Stalker", "whole": 2, "part": 2, "price": "2",
                    "cost": "1.5", "done": .boolean(false), "fine": .boolean(true), "day": 2000,
                    "due": 2000, "box": .string(guid(102)), "follows": .string(guid(2)),
                    "photo": other, "scan": file, "code": "two",
                ]),
            create(3, model: "Thing", [:]),
            create(
                4, model: "Thing",
                [
                    "name": "100%_", "note": "\u{FF5E}", "whole": 9_007_199_254_740_993,
                    "part": 9_007_199_254_740_992, "price": "0.100000000000000000000000000001",
                    "cost": "0.1", "day": -5, "box": .string(guid(101)),
                ]),
            create(
                5, model: "Thing",
                ["name": "", "note": "🐝", "whole": -1, "part": .integer(.min), "price": "-3"]))
        #expect(outcomes.allSatisfy { $0.outcome == .accepted }, "\(outcomes)")
        return a
    }

    @Test func operatorsOnTexts() async throws {
        try await expect([
            (#"{"eq": ["name", "Solaris"]}"#, [1]), (#"{"eq": ["name", ""]}"#, [5]),
            (#"{"ne": ["name", "Solaris"]}"#, [2, 4, 5]),
            (#"{"lt": ["name", "Solaris"]}"#, [4, 5]),
            (#"{"le": ["name", "Solaris"]}"#, [1, 4, 5]),
            (#"{"gt": ["name", "Solaris"]}"#, [2]), (#"{"ge": ["name", "Solaris"]}"#, [1, 2]),
            // U+FF5E sorts before the bee in UTF-8, and after it in UTF-16.
            (#"{"lt": ["note", "🐝"]}"#, [1, 2, 4]), (#"{"gt": ["note", "\uFF5E"]}"#, [5]),
            (#"{"between": ["name", "1", "T"]}"#, [1, 4]),
            (#"{"between": ["name", "Solaris", "Solaris"]}"#, [1]),
            (#"{"between": ["name", "T", "1"]}"#, []),
            (#"{"in": ["name", ["", "solaris", "Mirror"]]}"#, [2, 5]),
            (#"{"in": ["name", []]}"#, []),
            (#"{"null": "name"}"#, [3]), (#"{"not": {"null": "name"}}"#, [1, 2, 4, 5]),
            (#"{"like": ["name", "%olaris"]}"#, [1, 2]), (#"{"like": ["name", "S%"]}"#, [1]),
            (#"{"like": ["name", "100\\%\\_"]}"#, [4]),
            (#"{"like": ["name", "%"]}"#, [1, 2, 4, 5]),
            (#"{"prefix": ["name", "Sol"]}"#, [1]), (#"{"prefix": ["name", ""]}"#, [1, 2, 4, 5]),
            (#"{"prefix": ["name", "100%"]}"#, [4]),
            (#"{"eq": ["name", {"field": "note"}]}"#, [1]),
            (#"{"ne": ["name", {"field": "note"}]}"#, [2, 4, 5]),
            (#"{"lt": ["name", {"field": "note"}]}"#, [4, 5]),
            (#"{"ge": ["name", {"field": "note"}]}"#, [1, 2]),
            (#"{"eq": ["code", "two"]}"#, [2]), (#"{"eq": ["code", "three"]}"#, []),
        ])
    }

    @Test func operatorsOnNumbers() async throws {
        try await expect([
            (#"{"eq": ["whole", 9007199254740993]}"#, [4]),
            (#"{"eq": ["whole", 9007199254740992]}"#, []),
            (#"{"gt": ["whole", 9007199254740992]}"#, [4]),
            (#"{"ne": ["whole", 1]}"#, [2, 4, 5]), (#"{"lt": ["whole", 1]}"#, [5]),
            (#"{"le": ["whole", 1]}"#, [1, 5]), (#"{"ge": ["whole", 2]}"#, [2, 4]),
            (#"{"between": ["whole", -1, 1]}"#, [1, 5]),
            (#"{"in": ["whole", [1, 2, 3]]}"#, [1, 2]),
            (#"{"eq": ["part", -9223372036854775808]}"#, [5]), (#"{"null": "whole"}"#, [3]),
            (#"{"gt": ["whole", {"field": "part"}]}"#, [4, 5]),
            (#"{"eq": ["whole", {"field": "part"}]}"#, [2]),
            (#"{"eq": ["price", "1.50"]}"#, [1]), (#"{"eq": ["price", 1.5]}"#, [1]),
            (#"{"eq": ["price", 2]}"#, [2]), (#"{"gt": ["price", "0.1"]}"#, [1, 2, 4]),
            (#"{"lt": ["price", "0.1"]}"#, [5]), (#"{"ne": ["price", "2"]}"#, [1, 4, 5]),
            (#"{"le": ["price", "0.100000000000000000000000000001"]}"#, [4, 5]),
            (#"{"between": ["price", "1.5", "2"]}"#, [1, 2]),
            (#"{"in": ["price", ["2.000", "7"]]}"#, [2]), (#"{"null": "price"}"#, [3]),
            (#"{"gt": ["price", {"field": "cost"}]}"#, [2, 4]),
            (#"{"lt": ["price", {"field": "cost"}]}"#, [1]),
            (#"{"eq": ["price", {"field": "whole"}]}"#, [2]),
            (#"{"gt": ["price", {"field": "whole"}]}"#, [1]),
            (#"{"lt": ["whole", {"field": "price"}]}"#, [1]),
        ])
    }

    @Test func operatorsOnBooleansDatesAndFiles() async throws {
        let file = #"{"filename": "a.png", "guid": "\#(guid(900))"}"#
        try await expect([
            (#"{"eq": ["done", true]}"#, [1]), (#"{"ne": ["done", true]}"#, [2]),
            (#"{"in": ["done", [true, false]]}"#, [1, 2]), (#"{"null": "done"}"#, [3, 4, 5]),
            (#"{"eq": ["done", {"field": "fine"}]}"#, [1]),
            (#"{"eq": ["day", 1000]}"#, [1]), (#"{"lt": ["day", 1000]}"#, [4]),
            (#"{"le": ["day", 1000]}"#, [1, 4]), (#"{"gt": ["day", 1000]}"#, [2]),
            (#"{"ge": ["day", 1000]}"#, [1, 2]), (#"{"ne": ["day", 1000]}"#, [2, 4]),
            (#"{"between": ["day", -5, 1000]}"#, [1, 4]), (#"{"in": ["day", [2000]]}"#, [2]),
            (#"{"null": "day"}"#, [3, 5]), (#"{"lt": ["day", {"field": "due"}]}"#, [1]),
            (#"{"eq": ["photo", \#(file)]}"#, [1]), (#"{"ne": ["photo", \#(file)]}"#, [2]),
            (#"{"in": ["photo", [\#(file)]]}"#, [1]), (#"{"null": "photo"}"#, [3, 4, 5]),
            (#"{"eq": ["photo", {"field": "scan"}]}"#, [1]),
            (#"{"ne": ["photo", {"field": "scan"}]}"#, [2]),
        ])
    }

    @Test func operatorsOnRelationsAndRelatedFields() async throws {
        let (left, two) = (guid(101), guid(2))
        try await expect([
            (#"{"eq": ["box", "\#(left)"]}"#, [1, 4]), (#"{"ne": ["box", "\#(left)"]}"#, [2]),
            (#"{"in": ["box", ["\#(left)", "\#(guid(102))"]]}"#, [1, 2, 4]),
            (#"{"null": "box"}"#, [3, 5]),
            (#"{"eq": ["follows", {"field": "$guid"}]}"#, [2]),
            (#"{"ne": ["follows", {"field": "$guid"}]}"#, [1]),
            (#"{"eq": ["box.name", "left"]}"#, [1, 4]), (#"{"ne": ["box.name", "left"]}"#, [2]),
            (#"{"gt": ["box.size", 4]}"#, [1, 4]), (#"{"null": "box.size"}"#, [2, 3, 5]),
            (#"{"lt": ["whole", {"field": "box.size"}]}"#, [1]),
            (#"{"lt": ["box.size", {"field": "whole"}]}"#, [4]),
            (#"{"eq": ["follows.name", "solaris"]}"#, [1, 2]),
            (#"{"eq": ["follows.box", "\#(guid(102))"]}"#, [1, 2]),
            (#"{"eq": ["follows.$guid", "\#(two)"]}"#, [1, 2]),
            (#"{"eq": ["box.$owner", "a"]}"#, [1, 2, 4]),
            (#"{"null": "box.$conflicted"}"#, [3, 5]),
            (#"{"eq": ["box.$group", {"field": "$group"}]}"#, [1, 2, 4]),
        ])
    }

    @Test func operatorsOnRecordProperties() async throws {
        try await expect([
            (#"{"eq": ["$guid", "\#(guid(2))"]}"#, [2]),
            (#"{"in": ["$guid", ["\#(guid(2))", "\#(guid(77))", "\#(guid(101))"]]}"#, [2]),
            (#"{"ne": ["$guid", "\#(guid(2))"]}"#, [1, 3, 4, 5]), (#"{"null": "$guid"}"#, []),
            (#"{"eq": ["$owner", "a"]}"#, [1, 2, 3, 4, 5]), (#"{"eq": ["$owner", "b"]}"#, []),
            (#"{"prefix": ["$group", "use"]}"#, [1, 2, 3, 4, 5]),
            (#"{"like": ["$owner", "_"]}"#, [1, 2, 3, 4, 5]), (#"{"lt": ["$owner", "a"]}"#, []),
            (#"{"eq": ["$conflicted", false]}"#, [1, 2, 3, 4, 5]),
            (#"{"eq": ["$conflicted", {"field": "done"}]}"#, [2]),
        ])
    }

    @Test func operatorsOnConditions() async throws {
        try await expect([
            (#"{"and": []}"#, [1, 2, 3, 4, 5]), (#"{"or": []}"#, []),
            (#"{"and": [{"eq": ["done", false]}, {"eq": ["fine", true]}]}"#, [2]),
            (#"{"or": [{"eq": ["done", false]}, {"null": "name"}]}"#, [2, 3]),
            // A comparison with null is false, so its negation is true.
            (#"{"not": {"eq": ["name", "Solaris"]}}"#, [2, 3, 4, 5]),
            (#"{"not": {"ne": ["name", "Solaris"]}}"#, [1, 3]),
            (#"{"not": {"not": {"eq": ["name", "Solaris"]}}}"#, [1]),
            (#"{"not": {"lt": ["whole", {"field": "part"}]}}"#, [2, 3, 4, 5]),
            (#"{"not": {"like": ["name", "%"]}}"#, [3]), (#"{"not": {"in": ["code", []]}}"#, all),
            (#"{"not": {"and": [{"null": "name"}, {"null": "box"}]}}"#, [1, 2, 4, 5]),
            // A condition that narrows one branch must not hide matches of another.
            (#"{"or": [{"eq": ["code", "one"]}, {"eq": ["name", ""]}]}"#, [1, 5]),
            (#"{"or": [{"eq": ["code", "one"]}, {"eq": ["box", "\#(guid(101))"]}]}"#, [1, 4]),
            (#"{"or": [{"eq": ["code", "one"]}, {"eq": ["$guid", "\#(guid(1))"]}]}"#, [1]),
            (#"{"and": [{"eq": ["box", "\#(guid(101))"]}, {"null": "code"}]}"#, [4]),
            (#"{"not": {"eq": ["code", "one"]}}"#, [2, 3, 4, 5]),
        ])
    }

    private let all = [1, 2, 3, 4, 5]

    private func expect(_ table: [(filter: String, numbers: [Int])]) async throws {
        let a = try await things()
        for (filter, numbers) in table {
            #expect(try await a.numbers(filter) == numbers, "\(filter)")
            let counted = try await a.find(filter, limit: 1, counts: true)
            #expect(counted.count == numbers.count, "\(filter)")
        }
    }
}
