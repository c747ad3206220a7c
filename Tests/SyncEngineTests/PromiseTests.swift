import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SyncProtocol
import TestKit
import Testing

@testable import SyncEngine

/// Guarantees without a suite of their own.
@Suite struct PromiseTests {
    // MARK: - Fields that some may not see

    /// Two users make three changes each to fields of one record that the other may not see, in
    /// every order: nothing is lost or revealed.
    @Test(arguments: interleavings(of: 3), [ConflictMode.merge, .overwrite])
    func disjointFieldsOfTwoUsers(order: [Bool], mode: ConflictMode) async throws {
        let bench = try await TestBench(Documents.halves(mode))
        let people = [bench.person("a"), bench.person("g", group: "guests")]
        _ = try await people[0].push(create(1, ["left": "0", "both": "t"]))
        var counts = [0, 0]
        var bases: [Int64?] = [1, 1]
        for isRight in order {
            let who = isRight ? 1 : 0
            counts[who] += 1
            let field = who == 0 ? "left" : "right"
            let outcome = try await people[who].push(
                update(
                    1, id: "\(counts[who])", base: bases[who],
                    [field: .string("\(counts[who])")]))[0]
            #expect(outcome.outcome == .merged || outcome.outcome == .accepted)
            bases[who] = outcome.revision
        }
        let (a, g) = (try await people[0].record(guid(1)), try await people[1].record(guid(1)))
        #expect(a?.fields == ["left": "3", "both": "t"])
        #expect(g?.fields == ["right": "3", "both": "t"])
    }

    // MARK: - Clocks

    /// The same changes with clocks that stand still, run backwards by an hour, and are ten years
    /// off.
    @Test(
        arguments: [
            { _ in 1000 }, { $0 < 5 ? 9_000_000 : 5_400_000 }, { _ in -315_360_000_000 },
            { 1_000_000_000_000 - $0 * 315_360_000_000 },
        ] as [@Sendable (Int64) -> Int64])
    func noClockDecides(clock: @Sendable (Int64) -> Int64) async throws {
        let told = try await story(by: clock)
        #expect(told == (try await story { $0 * 1000 }))
    }

    private func story(
        by clock: (Int64) -> Int64
    ) async throws -> [String] {
        let bench = try await TestBench(Documents.everyMode)
        var told: [String] = []
        for (index, mode) in ConflictMode.allCases.enumerated() {
            let model = mode.rawValue
            let changes = [
                create(index, id: "c\(model)", model: model, ["title": "0", "score": 0]),
                update(index, id: "1\(model)", base: 1, model: model, ["title": "1"]),
                update(index, id: "2\(model)", base: 1, model: model, ["score": 2]),
                update(index, id: "3\(model)", base: 1, model: model, ["title": "3"]),
                delete(index, id: "4\(model)", base: 2, model: model),
                update(index, id: "5\(model)", base: 2, model: model, ["score": 5]),
            ]
            for (step, change) in changes.enumerated() {
                let person = bench.person(step.isMultiple(of: 2) ? "a" : "b")
                let answer = try await person.sync([change], at: clock(Int64(step)))
                told += answer.outcomes.map { "\($0.outcome) \($0.revision ?? 0)" }
            }
            let record = try await bench.stored(guid(index))
            told.append("\(record?.fieldsText ?? "") \(record?.isDeleted ?? false)")
        }
        return told
    }

    // MARK: - Poison record

    /// One invalid record at each position.
    @Test func othersLand() async throws {
        let bench = try await TestBench(Documents.notes())
        for place in 0..<60 {
            let outcomes = try await bench.person("a").sync(
                (0..<60).map { number in
                    create(
                        place * 100 + number, ["title": number == place ? .null : "t"])
                }
            ).outcomes
            let refused = outcomes.indices.filter { outcomes[$0].outcome == .refused }
            #expect(refused == [place])
            #expect(outcomes.count { $0.outcome == .accepted } == 59)
        }
    }

    @Test(arguments: [0, 1, 499, 998, 999])
    func invalidChangeDoesNotAffectTheOthers(place: Int) async throws {
        let bench = try await TestBench(Documents.notes())
        let outcomes = try await bench.person("a").sync(
            (0..<1000).map { create($0, ["title": $0 == place ? .null : "t"]) }
        ).outcomes
        #expect(outcomes.indices.filter { outcomes[$0].outcome == .refused } == [place])
        #expect(outcomes[place].causes?.map(\.code) == ["empty"])
        #expect(try await bench.person("a").everything(limit: 1000).count == 999)
    }

    // MARK: - First sync of a lot

    /// Interrupted after each page, with writes in between, a first sync ends like an uninterrupted
    /// one.
    @Test(arguments: UInt64(0)..<8)
    func anyPageCanBeTheLastOneSeen(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let bench = try await TestBench(Documents.notes(.overwrite))
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.sync((0..<30).map { create($0, ["title": "0"]) })
        var replica = Replica()
        var count = 30
        for step in 0..<25 {
            let answer = try await b.sync(cursor: replica.cursor, limit: 3)
            if Bool.random(using: &random) { replica.apply(answer) }
            let number = Int.random(in: 0..<count, using: &random)
            let revision = try await bench.stored(guid(number))?.revision ?? 1
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                _ = try await a.push(create(count, ["title": "new"]))
                count += 1
            case 1: _ = try await a.push(delete(number, id: "d\(step)", base: revision))
            case _:
                _ = try await a.push(
                    update(
                        number, id: "u\(step)", base: revision, ["title": .string("\(step)")]))
            }
        }
        try await b.follow(&replica, limit: 3)
        var fresh = Replica()
        try await b.follow(&fresh)
        #expect(replica.records == fresh.records && replica.resyncs == 0)
    }
}

/// All orders of `count` steps of each of two users.
private func interleavings(of count: Int) -> [[Bool]] {
    (0..<(1 << (2 * count))).map { bits in (0..<2 * count).map { bits >> $0 & 1 == 1 } }
        .filter { $0.count { $0 } == count }
}
