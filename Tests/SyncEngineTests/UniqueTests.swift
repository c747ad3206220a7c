import ChangeRules
import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SyncEngine
import SyncProtocol
import Testing

/// A batch, the changes before it, and the expected outcomes: `accepted` and the like, or the codes
/// and fields of the causes.
struct UniqueCase: Sendable, CustomStringConvertible {
    let description: String
    var mode = ConflictMode.manual
    /// Pushed one by one, each from another device.
    var before: [ChangeMessage] = []
    let batch: [ChangeMessage]
    let outcomes: [String]
}

@Suite("No two records that are not deleted have the same value of a unique field")
struct UniqueTests {
    @Test(arguments: values + sets + refusals + modes)
    func batchIsDecidedByItsFinalState(example: UniqueCase) async throws {
        let bench = try await TestBench(Documents.parcels(example.mode))
        let a = bench.person("a")
        for (index, change) in example.before.enumerated() {
            let outcome = try await bench.person("a", device: "\(index)").push(change).first
            #expect(outcome?.outcome != .refused, "\(change.id)")
        }
        let outcomes = try await a.sync(example.batch).outcomes
        #expect(outcomes.map(words) == example.outcomes)
        try await bench.expectNoValueTwice()
        #expect(try await a.sync(example.batch).outcomes == outcomes, "when it is repeated")
    }

    @Test func causeNamesRuleAndNobodyElse() async throws {
        let bench = try await TestBench(Documents.parcels())
        _ = try await bench.person("owner").push(parcel(1, "A"))
        let outcome = try await bench.person("b").push(parcel(2, "A"))[0]
        let cause = try #require(outcome.causes?.first)
        #expect(outcome.causes?.count == 1 && cause.field == "code" && cause.argument == nil)
        #expect(cause.message == "another record has this value of 'code', give it another")
        let lines = Documents.parcels().split(separator: "\n", omittingEmptySubsequences: false)
        let line = lines[try #require(cause.line) - 1]
        #expect(line.dropFirst(try #require(cause.column) - 1).hasPrefix("w:unique=\"true\""))
    }

    @Test func defaultCountsAsMuchAsGivenValue() async throws {
        let bench = try await TestBench(Documents.labels)
        let a = bench.person("a")
        let outcomes = try await a.push(
            create(1, model: "Parcel", [:]), create(2, model: "Parcel", [:]),
            create(3, model: "Parcel", ["code": .null]))
        #expect(outcomes.map(words) == ["accepted", "notUnique code", "accepted"])
        #expect(try await a.push(create(4, model: "Parcel", [:])).map(words) == ["notUnique code"])
    }

    @Test func environmentsHaveTheirOwn() async throws {
        let bench = try await TestBench(Documents.parcels())
        let other = try await bench.deploying(Documents.parcels(), to: "other")
        let a = bench.person("a")
        for engine in [bench.engine, other] {
            let outcomes = try await a.sync([parcel(1, "A"), parcel(2, "A")], with: engine).outcomes
            #expect(outcomes.map(words) == ["accepted", "notUnique code"])
        }
    }

    /// A thousand records shift their values by one, and the last value is taken.
    @Test func longRowFallsTogether() async throws {
        let bench = try await TestBench(Documents.parcels())
        let a = bench.person("a")
        _ = try await a.sync((1...1000).map { parcel($0, "\($0)") })
        let moves = (1...999).map { number in
            update(number, id: "up-\(number)", base: 1, model: "Parcel", code("\(number + 1)"))
        }
        let refused = try await a.sync(moves).outcomes.map(words)
        #expect(refused == Array(repeating: "notUnique code", count: 999))
        let last = update(1000, id: "last", base: 1, model: "Parcel", code("1001"))
        let retried = moves.map { move in
            var move = move
            move.id += "-again"
            return move
        }
        let accepted = try await a.sync(retried.reversed() + [last]).outcomes
        #expect(accepted.allSatisfy { $0.outcome == .accepted })
        try await bench.expectNoValueTwice()
    }

    /// A batch made to be slow: each refusal frees a value that the next change has taken, which
    /// only another decision can find. It is ended after 16 rounds, a large one after two.
    @Test(arguments: [(40, 15), (500, 1)])
    func refusalsThatBringEachOtherOnAreEnded(count: Int, found: Int) async throws {
        let bench = try await TestBench(Documents.parcels())
        let a = bench.person("a")
        _ = try await a.sync((0...count).map { parcel($0, "\($0)") })
        let batch = (1...count).flatMap { number in
            [
                update(number, id: "off-\(number)", base: 1, model: "Parcel", code("x\(number)")),
                update(
                    number, id: "on-\(number)", base: nil, model: "Parcel",
                    code("\(number == 1 ? "0" : "x\(number - 1)")")),
            ]
        }
        let outcomes = try await a.sync(batch).outcomes.map(words)
        #expect(outcomes.count { $0 == "notUnique code" } == found)
        #expect(outcomes.count { $0 == "tooEntangled" } == batch.count - found)
        try await bench.expectNoValueTwice()
    }
}

// MARK: - Cases

/// Equality of values, and the scope of uniqueness.
private let values = [
    UniqueCase(
        description: "taken", before: [parcel(1, "A")], batch: [parcel(2, "A")],
        outcomes: ["notUnique code"]),
    UniqueCase(
        description: "free", before: [parcel(1, "A")], batch: [parcel(2, "B")],
        outcomes: ["accepted"]),
    UniqueCase(
        description: "null is no value", before: [parcel(1, nil)],
        batch: [parcel(2, nil), create(3, model: "Parcel", [:])],
        outcomes: ["accepted", "accepted"]),
    UniqueCase(
        description: "an empty text is one", before: [parcel(1, "")], batch: [parcel(2, "")],
        outcomes: ["notUnique code"]),
    UniqueCase(
        description: "capitals are others", before: [parcel(1, "a")],
        batch: [parcel(2, "A"), parcel(3, "a ")], outcomes: ["accepted", "accepted"]),
    UniqueCase(
        description: "composed and decomposed are two", before: [parcel(1, "\u{E9}")],
        batch: [parcel(2, "e\u{301}"), parcel(3, "\u{E9}")],
        outcomes: ["accepted", "notUnique code"]),
    UniqueCase(
        description: "equal decimals", before: [weighing(1, "1.5"), weighing(2, "2")],
        batch: [weighing(3, "1.50"), weighing(4, 2), weighing(5, "1.05")],
        outcomes: ["notUnique weight", "notUnique weight", "accepted"]),
    UniqueCase(
        description: "another model's field of the same name", before: [parcel(1, "A")],
        batch: [shelf(2, "A")], outcomes: ["accepted"]),
    UniqueCase(
        description: "another field of the same model", before: [parcel(1, "1")],
        batch: [weighing(2, "1")], outcomes: ["accepted"]),
    UniqueCase(
        description: "a relation",
        before: [shelf(1, "A"), shelf(2, "B"), onShelf(3, 1)],
        batch: [onShelf(4, 1), onShelf(5, 2), onShelf(6, nil)],
        outcomes: ["notUnique shelf", "accepted", "accepted"]),
    UniqueCase(
        description: "every field has its cause",
        before: [parcel(1, "A"), weighing(2, "7")],
        batch: [create(3, model: "Parcel", ["weight": 7, "code": "A"])],
        outcomes: ["notUnique code, notUnique weight"]),
    UniqueCase(
        description: "its own value again", before: [parcel(1, "A")],
        batch: [edit(1, id: "e", from: 1, ["code": "A", "note": "n"])], outcomes: ["accepted"]),
]

/// Only the state at the end of a batch counts.
private let sets = [
    UniqueCase(
        description: "of two new ones the first", batch: [parcel(1, "A"), parcel(2, "A")],
        outcomes: ["accepted", "notUnique code"]),
    UniqueCase(
        description: "two swap", before: [parcel(1, "A"), parcel(2, "B")],
        batch: [edit(1, id: "1", from: 1, code("B")), edit(2, id: "2", from: 1, code("A"))],
        outcomes: ["accepted", "accepted"]),
    UniqueCase(
        description: "two swap, the other one first", before: [parcel(1, "A"), parcel(2, "B")],
        batch: [edit(2, id: "2", from: 1, code("A")), edit(1, id: "1", from: 1, code("B"))],
        outcomes: ["accepted", "accepted"]),
    UniqueCase(
        description: "one is deleted, then one made", before: [parcel(1, "A")],
        batch: [delete(1, id: "1", base: 1, model: "Parcel"), parcel(2, "A")],
        outcomes: ["accepted", "accepted"]),
    UniqueCase(
        description: "one is made, then one deleted", before: [parcel(1, "A")],
        batch: [parcel(2, "A"), delete(1, id: "1", base: 1, model: "Parcel")],
        outcomes: ["accepted", "accepted"]),
    UniqueCase(
        description: "deleted before", before: [parcel(1, "A"), remove(1, from: 1)],
        batch: [parcel(2, "A")], outcomes: ["accepted"]),
    UniqueCase(
        description: "given up", before: [parcel(1, "A")],
        batch: [parcel(2, "A"), edit(1, id: "1", from: 1, code(nil))],
        outcomes: ["accepted", "accepted"]),
    UniqueCase(
        description: "given up by the one that is made",
        batch: [parcel(1, "A"), edit(1, id: "1", from: nil, code("B")), parcel(2, "A")],
        outcomes: ["accepted", "accepted", "accepted"]),
    UniqueCase(
        description: "given up and taken back", before: [parcel(1, "A")],
        batch: [
            edit(1, id: "1", from: 1, code("B")), edit(1, id: "2", from: nil, code("A")),
            parcel(2, "A"), parcel(3, "B"),
        ], outcomes: ["accepted", "accepted", "notUnique code", "accepted"]),
    UniqueCase(
        description: "taken back too late", before: [parcel(1, "A")],
        batch: [
            edit(1, id: "1", from: 1, code("B")), parcel(2, "A"),
            edit(1, id: "2", from: nil, code("A")),
        ], outcomes: ["accepted", "accepted", "notUnique code"]),
]

/// Refusals that cause others.
private let refusals = [
    UniqueCase(
        description: "who is refused for another reason takes nothing",
        batch: [
            create(1, model: "Parcel", ["code": "A", "nothing": 1]),
            create(2, model: "Parcel", ["code": "A", "shelf": .string(guid(9))]), parcel(3, "A"),
        ], outcomes: ["unknownField nothing", "notFound shelf", "accepted"]),
    UniqueCase(
        description: "who is refused gives nothing up", before: [parcel(1, "A"), parcel(2, "B")],
        batch: [edit(1, id: "1", from: 1, code("B")), parcel(3, "A"), parcel(4, "C")],
        outcomes: ["notUnique code", "notUnique code", "accepted"]),
    UniqueCase(
        description: "who loses to an earlier one gives nothing up", before: [parcel(1, "A")],
        batch: [parcel(2, "B"), edit(1, id: "1", from: 1, code("B")), parcel(3, "A")],
        outcomes: ["accepted", "notUnique code", "notUnique code"]),
    UniqueCase(
        description: "who loses one value takes none", before: [parcel(1, "A")],
        batch: [
            create(2, model: "Parcel", ["code": "A", "weight": 7]), weighing(3, 7), weighing(4, 7),
        ], outcomes: ["notUnique code", "accepted", "notUnique weight"]),
    UniqueCase(
        description: "nor if it loses it to an earlier one",
        batch: [
            parcel(1, "A"), create(2, model: "Parcel", ["code": "A", "weight": 7]), weighing(3, 7),
        ], outcomes: ["accepted", "notUnique code", "accepted"]),
    UniqueCase(
        description: "what needs the refused one falls with it", before: [shelf(1, "A")],
        batch: [onShelf(3, 2), shelf(2, "A"), parcel(4, "A")],
        outcomes: ["dependsOnRefused shelf", "notUnique code", "accepted"]),
    UniqueCase(
        description: "what falls with it makes room", before: [shelf(1, "A")],
        batch: [
            create(3, model: "Parcel", ["code": "A", "shelf": .string(guid(2))]),
            shelf(2, "A"), parcel(4, "A"),
        ], outcomes: ["dependsOnRefused shelf", "notUnique code", "accepted"]),
]

/// Every way in which a record gets a value is checked.
private let modes = [
    UniqueCase(
        description: "MANUAL: what is set aside has nothing yet",
        before: [parcel(1, "A"), parcel(2, "B"), edit(1, id: "1", from: 1, code("C"))],
        batch: [edit(1, id: "2", from: 1, code("B")), parcel(3, "A")],
        outcomes: ["conflicted", "accepted"]),
    UniqueCase(
        description: "MANUAL: the losing side of a conflict holds nothing",
        before: [
            parcel(1, "A"), edit(1, id: "1", from: 1, code("B")),
            edit(1, id: "2", from: 1, code("C")),
        ], batch: [parcel(2, "C"), parcel(3, "B")], outcomes: ["accepted", "notUnique code"]),
    UniqueCase(
        description: "MANUAL: who resolves chooses what is free",
        before: [
            parcel(1, "A"), edit(1, id: "1", from: 1, code("B")),
            edit(1, id: "2", from: 1, code("C")), parcel(2, "C"),
        ],
        batch: [settle(1, id: "3", from: 3, code("C")), settle(1, id: "4", from: 3, code("A"))],
        outcomes: ["notUnique code", "accepted"]),
    UniqueCase(
        description: "MANUAL: who brings a record back brings its value",
        before: [
            parcel(1, "A"), remove(1, from: 1), edit(1, id: "1", from: 1, ["note": "n"]),
            parcel(2, "A"),
        ],
        batch: [
            settle(1, id: "2", from: 3, ["note": "n"]),
            settle(1, id: "3", from: 3, ["note": "n", "code": "B"]),
        ], outcomes: ["notUnique code", "accepted"]),
    UniqueCase(
        description: "MANUAL: who leaves it deleted brings none",
        before: [
            parcel(1, "A"), remove(1, from: 1), edit(1, id: "1", from: 1, ["note": "n"]),
            parcel(2, "A"),
        ], batch: [settle(1, id: "2", from: 3, [:])], outcomes: ["accepted"]),
    UniqueCase(
        description: "OVERWRITE: the last push wins no value of another", mode: .overwrite,
        before: [parcel(1, "A"), parcel(2, "B"), edit(1, id: "1", from: 1, code("C"))],
        batch: [edit(1, id: "2", from: 1, code("B")), edit(1, id: "3", from: 1, ["note": "n"])],
        outcomes: ["notUnique code", "accepted"]),
    UniqueCase(
        description: "OVERWRITE: who brings a record back brings its value", mode: .overwrite,
        before: [parcel(1, "A"), remove(1, from: 1), parcel(2, "A")],
        batch: [edit(1, id: "1", from: 1, ["note": "n"])], outcomes: ["notUnique code"]),
    UniqueCase(
        description: "OVERWRITE: and has it if it is free again", mode: .overwrite,
        before: [parcel(1, "A"), remove(1, from: 1), parcel(2, "A")],
        batch: [
            edit(1, id: "1", from: 1, ["note": "n"]), delete(2, id: "2", base: 1, model: "Parcel"),
            parcel(3, "A"),
        ], outcomes: ["accepted", "accepted", "notUnique code"]),
    UniqueCase(
        description: "DISCARD: what is discarded has nothing", mode: .discard,
        before: [parcel(1, "A"), parcel(2, "B"), edit(1, id: "1", from: 1, code("C"))],
        batch: [edit(1, id: "2", from: 1, code("B")), edit(1, id: "3", from: 1, code("D"))],
        outcomes: ["discarded", "discarded"]),
    UniqueCase(
        description: "MERGE: what is merged is looked at", mode: .merge,
        before: [parcel(1, "A"), parcel(2, "B"), edit(1, id: "1", from: 1, ["note": "n"])],
        batch: [edit(1, id: "2", from: 1, code("B"))], outcomes: ["notUnique code"]),
    UniqueCase(
        description: "MERGE: and taken where it is free", mode: .merge,
        before: [parcel(1, "A"), parcel(2, "B"), edit(1, id: "1", from: 1, ["note": "n"])],
        batch: [edit(1, id: "2", from: 1, code("C")), parcel(3, "C")],
        outcomes: ["merged", "notUnique code"]),
]

// MARK: - Changes

private func parcel(_ number: Int, _ text: String?) -> ChangeMessage {
    create(number, model: "Parcel", code(text))
}

private func shelf(_ number: Int, _ text: String) -> ChangeMessage {
    create(number, model: "Shelf", code(text))
}

private func weighing(_ number: Int, _ weight: JSONValue) -> ChangeMessage {
    create(number, model: "Parcel", ["weight": weight])
}

private func onShelf(_ number: Int, _ shelf: Int?) -> ChangeMessage {
    create(number, model: "Parcel", ["shelf": shelf.map { .string(guid($0)) } ?? .null])
}

private func edit(
    _ number: Int, id: String, from base: Int64?, _ fields: [String: JSONValue]
) -> ChangeMessage {
    update(number, id: "edit-\(id)", base: base, model: "Parcel", fields)
}

private func settle(
    _ number: Int, id: String, from base: Int64?, _ fields: [String: JSONValue]
) -> ChangeMessage {
    ChangeMessage(
        id: "settle-\(id)", action: .resolve, model: "Parcel", guid: guid(number), base: base,
        fields: fields)
}

private func remove(_ number: Int, from base: Int64) -> ChangeMessage {
    delete(number, id: "remove-\(number)", base: base, model: "Parcel")
}

private func code(_ text: String?) -> [String: JSONValue] {
    ["code": text.map { .string($0) } ?? .null]
}

private func words(of outcome: OutcomeMessage) -> String {
    guard let causes = outcome.causes else { return outcome.outcome.rawValue }
    return causes.map { cause in
        cause.code + (cause.field.map { " \($0)" } ?? "")
    }.joined(separator: ", ")
}

extension TestBench {
    /// Checks that no two records share a value, and that each value is recorded for its record.
    func expectNoValueTwice() async throws {
        let fields = [
            "code": FieldTypeName.text, "weight": .decimal, "shelf": .belongsTo,
        ]
        var expected: [UniqueValue: String] = [:]
        for record in try await person("a").everything(limit: 1000) where !record.deleted {
            for (name, type) in fields {
                let value = record.fields?[name].flatMap { FieldValue($0, of: type) }
                guard let text = value?.canonicalText else { continue }
                let key = UniqueValue(model: record.model, field: name, text: text)
                #expect(expected[key] == nil, "\(name) '\(text)'")
                expected[key] = record.guid
            }
        }
        #expect(try await holders(of: Set(expected.keys)) == expected)
    }
}
