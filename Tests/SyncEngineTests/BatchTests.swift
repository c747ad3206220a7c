import EngineKit
import JSON
import NativeCalls
import SyncProtocol
import Testing

@Suite("Relations are checked at the end of a batch")
struct BatchTests {
    private static let chain = [
        create(1, model: "Folder", ["name": "f"]),
        create(2, model: "Sheet", ["folder": .string(guid(1))]),
        create(3, model: "Sheet", ["folder": .string(guid(1)), "follows": .string(guid(2))]),
        create(4, model: "Sheet", ["folder": .string(guid(1)), "follows": .string(guid(4))]),
    ]

    @Test(arguments: permutations(chain))
    func anyOrderGivesOneResult(batch: [ChangeMessage]) async throws {
        let bench = try await TestBench(Documents.folders)
        let outcomes = try await bench.person("a").sync(batch).outcomes
        #expect(outcomes.map(\.outcome) == Array(repeating: .accepted, count: 4))
        #expect(outcomes.map(\.id) == batch.map(\.id))
    }

    @Test(arguments: permutations([0, 1, 2, 3]))
    func changeThatDependsOnRefusedCreationNamesIt(order: [Int]) async throws {
        var chain = Self.chain
        chain[0].fields = [:]
        let batch = order.map { chain[$0] }
        let bench = try await TestBench(Documents.folders)
        let outcomes = try await bench.person("a").sync(batch).outcomes
        for outcome in outcomes {
            let isRoot = outcome.guid == guid(1)
            #expect(outcome.causes?.first?.code == (isRoot ? "empty" : "dependsOnRefused"))
            if !isRoot { #expect(outcome.causes?.first?.argument != nil) }
        }
        #expect(try await bench.person("a").everything().isEmpty)
    }

    @Test func referenceToNothingIsRefusedAtItsRule() async throws {
        let bench = try await TestBench(Documents.folders)
        let outcome = try await bench.person("a").push(
            create(2, model: "Sheet", ["folder": .string(guid(1))]))[0]
        let cause = try #require(outcome.causes?.first)
        #expect(cause.code == "notFound")
        #expect(cause.field == "folder")
        #expect(cause.argument == guid(1))
        let lines = Documents.folders.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[try #require(cause.line) - 1].contains("<option name=\"model\">Folder"))
    }

    @Test func referenceToRecordOfAnotherModelOrDeletedOneIsRefused() async throws {
        let bench = try await TestBench(Documents.folders)
        let a = bench.person("a")
        _ = try await a.sync(Self.chain)
        _ = try await a.push(
            create(9, model: "Folder", ["name": "g"]),
            delete(9, id: "gone", base: nil, model: "Folder"))
        for target in [guid(2), guid(9)] {
            let change = create(20, id: target, model: "Sheet", ["folder": .string(target)])
            #expect(try await a.push(change)[0].causes?.map(\.code) == ["notFound"])
        }
    }

    @Test func childOfParentThatBatchDeletesIsRefused() async throws {
        let bench = try await TestBench(Documents.folders)
        let a = bench.person("a")
        _ = try await a.push(Self.chain[0])
        let outcomes = try await a.push(
            Self.chain[1], delete(1, id: "gone", base: 1, model: "Folder"))
        #expect(outcomes.map(\.outcome) == [.refused, .accepted])
    }

    @Test(arguments: [0, 1, 50, 98, 99])
    func badChangeBlocksNoOther(place: Int) async throws {
        let bench = try await TestBench(Documents.notes())
        let a = bench.person("a")
        var batch = (0..<100).map { create($0, ["title": .string("\($0)")]) }
        batch[place].fields["score"] = .integer(6)
        let outcomes = try await a.sync(batch).outcomes
        #expect(outcomes.indices.filter { outcomes[$0].outcome == .refused } == [place])
        #expect(try await a.everything().count == 99)
    }

    @Test func changesOfOneRecordFollowEachOther() async throws {
        let bench = try await TestBench(Documents.notes())
        let outcomes = try await bench.person("a").push(
            create(1, ["title": "t"]), update(1, id: "2", base: nil, ["score": 2]),
            update(1, id: "3", base: nil, ["score": 3]), delete(1, id: "4", base: nil))
        #expect(outcomes.map(\.outcome) == Array(repeating: .accepted, count: 4))
        #expect(outcomes.map(\.revision) == [1, 2, 3, 4])
    }

    /// A change that follows a losing change must lose too, not be applied to the other side's
    /// values.
    @Test func changesAfterConflictAreInConflictToo() async throws {
        let bench = try await TestBench(Documents.notes())
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": "t"]))
        _ = try await a.push(update(1, id: "2", base: 1, ["score": 2]))
        let outcomes = try await b.push(
            update(1, id: "1", base: 1, ["score": 3]),
            update(1, id: "2", base: nil, ["title": "u"]))
        #expect(outcomes.map(\.outcome) == [.conflicted, .conflicted])
        #expect(try await a.record(guid(1))?.conflicts?.count == 2)
    }

    @Test func changeWithoutBaseNeedsOneBefore() async throws {
        let bench = try await TestBench(Documents.notes())
        let a = bench.person("a")
        _ = try await a.push(create(1, ["title": "t"]))
        let codes = try await a.push(
            update(1, id: "2", base: nil, ["score": 2]),
            update(1, id: "3", base: 2, ["score": 2]),
            update(1, id: "4", base: 0, ["score": 2]),
            update(2, id: "5", base: 1, ["score": 2]),
            create(1, id: "6", ["title": "t"])
        ).map { $0.causes?.map(\.code) }
        #expect(
            codes == [
                ["baseMissing"], ["baseUnknown"], ["baseUnknown"], ["recordUnknown"],
                ["guidTaken"],
            ])
    }

    /// A long chain without a root is refused in a few rounds, not in one per link.
    @Test func thousandLinksFallTogether() async throws {
        let bench = try await TestBench(Documents.folders)
        let batch = (1...1000).map { number in
            create(
                number, model: "Sheet",
                ["folder": .string(guid(5000)), "follows": .string(guid(number + 1))])
        }
        let outcomes = try await bench.person("a").sync(batch).outcomes
        #expect(outcomes.allSatisfy { $0.outcome == .refused })
    }

    /// A batch made to be slow: each record is deleted unless its resolution brings it back, which
    /// needs the previous record. It is ended after 16 rounds.
    @Test func refusalsThatBringEachOtherOnAreEnded() async throws {
        let bench = try await TestBench(Documents.folders)
        let (a, b) = (bench.person("a"), bench.person("b"))
        let sheets = (1...40).map { create($0, model: "Sheet", ["folder": .string(guid(500))]) }
        _ = try await a.sync([create(500, model: "Folder", ["name": "f"])] + sheets)
        _ = try await a.sync((1...40).map { delete($0, id: "cut-\($0)", base: 1, model: "Sheet") })
        _ = try await b.sync(
            (1...40).map { number in
                update(
                    number, id: "\(number)", base: 1, model: "Sheet",
                    ["follows": .string(guid(500 + number))])
            })
        let resolutions = (1...40).map { number in
            ChangeMessage(
                id: "link-\(number)", action: .resolve, model: "Sheet", guid: guid(number), base: 3,
                fields: ["follows": .string(guid(number == 1 ? 999 : number - 1))])
        }
        let outcomes = try await a.sync(resolutions).outcomes
        let codes = outcomes.map { $0.causes?.map(\.code) }
        let expected =
            Array(repeating: ["notFound"], count: 15)
            + Array(repeating: ["tooEntangled"], count: 25)
        #expect(codes == expected)
    }
}

func permutations<Element>(_ items: [Element]) -> [[Element]] {
    guard items.count > 1 else { return [items] }
    return items.indices.flatMap { index in
        var rest = items
        let first = rest.remove(at: index)
        return permutations(rest).map { [first] + $0 }
    }
}
