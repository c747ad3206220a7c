import DefinitionModel
import Simulation
import Synchronization
import TestKit
import Testing

@Suite("The engine keeps every guarantee")
struct HistoryTests {
    @Test(arguments: seeds(300))
    func everyGuaranteeHolds(seed: UInt64) async throws {
        let scenario = try scenario(for: seed)
        let history = await simulate(scenario, seed: seed)
        guard history.violation != nil else { return }
        let short = await shrink(history, in: scenario)
        let steps = short.steps.map { "\n    \($0.summary(scenario))" }.joined()
        Issue.record("\(short.violation?.finding ?? ""), after:\(steps)")
    }

    /// A store writes the same whether or not it presumes rows absent.
    @Test(arguments: seeds(100))
    func presumptionsChangeNothing(seed: UInt64) async throws {
        let definition = try yard(ConflictMode.allCases[Int(seed % 4)], analyzed: seed % 8 < 4)
        let looking = try #require(
            Scenario(definition, clients: 5, steps: 80, requesting: seed % 3 == 0))
        let presuming = Mutex<PresumingStore?>(nil)
        var mutation = Mutation()
        mutation.store = { store in
            var lying = LyingStore(store)
            lying.presuming = PresumingStore(store, mayBePurged: seed % 2 == 0)
            presuming.withLock { $0 = lying.presuming }
            return lying
        }
        let scenario = try #require(
            Scenario(
                definition, clients: 5, steps: 80, mutation: mutation, requesting: seed % 3 == 0))
        let history = await simulate(scenario, seed: seed)
        #expect(history.violation == nil, "\(history.violation?.finding ?? "")")
        let expected = await simulate(looking, seed: seed)
        #expect(history.stored == expected.stored && history.counts == expected.counts)
        let transactions = try #require(presuming.withLock { $0 }).transactions
        #expect(transactions.presumed > 0)
    }

    /// Every second device has an app of an earlier version at first.
    @Test(arguments: seeds(200))
    func everyGuaranteeHoldsForEarlierApps(seed: UInt64) async throws {
        let mode = ConflictMode.allCases[Int(seed % 4)]
        let scenario = try #require(
            Scenario(
                try yard(mode, analyzed: seed % 8 < 4), clients: 5, steps: 80, earlierApps: true))
        let history = await simulate(scenario, seed: seed)
        guard history.violation != nil else { return }
        let short = await shrink(history, in: scenario)
        let steps = short.steps.map { "\n    \($0.summary(scenario))" }.joined()
        Issue.record("\(short.violation?.finding ?? ""), after:\(steps)")
    }

    /// A deployment requires a field, and fills it in while devices push.
    @Test(arguments: seeds(200))
    func everyGuaranteeHoldsWhileValuesAreFilledIn(seed: UInt64) async throws {
        let mode = ConflictMode.allCases[Int(seed % 4)]
        let scenario = try #require(
            Scenario(
                try yard(mode, analyzed: seed % 8 < 4), clients: 5, steps: 80,
                earlierApps: seed % 3 == 0, requiringField: true))
        let history = await simulate(scenario, seed: seed)
        guard history.violation != nil else { return }
        let short = await shrink(history, in: scenario)
        let steps = short.steps.map { "\n    \($0.summary(scenario))" }.joined()
        Issue.record("\(short.violation?.finding ?? ""), after:\(steps)")
    }

    /// The definition changes from version to version, and apps of any version go on.
    @Test(arguments: seeds(200))
    func everyGuaranteeHoldsWhileDefinitionsChange(seed: UInt64) async throws {
        let mode = ConflictMode.allCases[Int(seed % 4)]
        let scenario = try #require(
            Scenario(
                try yard(mode, analyzed: seed % 8 < 4), clients: 5, steps: 80, evolving: true))
        let history = await simulate(scenario, seed: seed)
        guard history.violation != nil else { return }
        let short = await shrink(history, in: scenario)
        let steps = short.steps.map { "\n    \($0.summary(scenario))" }.joined()
        Issue.record("\(short.violation?.finding ?? ""), after:\(steps)")
    }

    /// Clients of other wires make requests of several parts, and repeat them; deleted rows of
    /// another service are imported.
    @Test(arguments: seeds(120))
    func everyGuaranteeHoldsForRequestsOfSeveralParts(seed: UInt64) async throws {
        let scenario = try requestScenario(for: seed)
        let history = await simulate(scenario, seed: seed)
        guard history.violation != nil else { return }
        let short = await shrink(history, in: scenario)
        let steps = short.steps.map { "\n    \($0.summary(scenario))" }.joined()
        Issue.record("\(short.violation?.finding ?? ""), after:\(steps)")
    }

    @Test func thereAreRequestsOfSeveralParts() async throws {
        var counts = HistoryCounts()
        for seed in UInt64(0)..<30 {
            counts = counts + (await simulate(try requestScenario(for: seed), seed: seed)).counts
        }
        #expect(counts.doneRequests > 10 && counts.repeatedRequests > 5, "\(counts)")
        #expect(counts.deletedRows > 10, "\(counts)")
    }

    /// An event that never occurs cannot violate anything.
    @Test func thereIsSomethingOfEverything() async throws {
        var counts = HistoryCounts()
        for seed in UInt64(0)..<60 {
            let history = await simulate(try scenario(for: seed), seed: seed)
            counts = counts + history.counts
        }
        #expect(counts.histories == 60 && Set(counts.outcomes.keys).count == 5)
        #expect(counts.outcomes.values.allSatisfy { $0 > 5 }, "\(counts.outcomes)")
        #expect(counts.repeats > 100 && counts.faults > 100 && counts.drops > 10, "\(counts)")
        #expect(counts.resyncs > 0 && counts.purged > 0, "\(counts)")
        #expect(counts.told > 100 && counts.retold > 0, "\(counts)")
    }

    @Test func thereIsEveryKindOfVersion() async throws {
        var (kinds, counts) = (Set<Substring>(), HistoryCounts())
        for seed in UInt64(0)..<30 {
            let scenario = try #require(
                Scenario(try yard(.manual), clients: 5, steps: 80, evolving: true))
            let history = await simulate(scenario, seed: seed)
            counts = counts + history.counts
            kinds.formUnion(history.steps.flatMap(\.kindsOfVersions))
        }
        #expect(kinds.count > 13, "\(kinds)")
        #expect(counts.versions > 60 && counts.updates > 20, "\(counts)")
    }

    private func requestScenario(for seed: UInt64) throws -> Scenario {
        let mode = ConflictMode.allCases[Int(seed % 4)]
        return try #require(
            Scenario(
                try yard(mode, analyzed: seed % 8 < 4), clients: 5, steps: 80, requesting: true))
    }

    private func scenario(for seed: UInt64) throws -> Scenario {
        let mode = ConflictMode.allCases[Int(seed % 4)]
        return try #require(Scenario(try yard(mode, analyzed: seed % 8 < 4), clients: 5, steps: 80))
    }
}

@Suite("A seed determines a history")
struct SeedTests {
    @Test(arguments: UInt64(0)..<8)
    func sameSeedIsTheSameHistory(seed: UInt64) async throws {
        let scenario = try #require(Scenario(try yard(.merge), clients: 5, steps: 80))
        let first = await simulate(scenario, seed: seed)
        let second = await simulate(scenario, seed: seed)
        #expect(first.steps == second.steps && first.counts == second.counts)
        #expect(first.stored == second.stored && !first.stored.isEmpty)
        let other = await simulate(scenario, seed: seed + 1)
        #expect(other.steps != first.steps)
    }

    @Test(arguments: UInt64(0)..<8)
    func itsStepsPlayedAgainComeToTheSame(seed: UInt64) async throws {
        let scenario = try #require(Scenario(try yard(.manual), clients: 5, steps: 80))
        let history = await simulate(scenario, seed: seed)
        let again = await replay(history.steps, in: scenario, seed: seed)
        #expect(again.stored == history.stored && again.counts == history.counts)
    }

    /// Device clocks are ten years ahead and behind, and the server's clock runs backwards:
    /// everything but displayed times is the same. Sweeps depend on the clock, and are excluded.
    @Test(arguments: seeds(40))
    func clocksDecideNothing(seed: UInt64) async throws {
        let mode = ConflictMode.allCases[Int(seed % 4)]
        let scenario = try #require(Scenario(try yard(mode), clients: 5, steps: 80))
        let steps = await simulate(scenario, seed: seed).steps.filter { !$0.isOfClocks }
        let decade: Int64 = 315_360_000
        let disturbed = steps.enumerated().flatMap { number, step -> [Step] in
            let client = number % 4
            return [
                .server(.clock(seconds: number % 3 == 0 ? -3600 : 60)),
                .clientClock(client: client, seconds: number % 2 == 0 ? decade : -2 * decade), step,
            ]
        }
        let calm = await replay(steps, in: scenario, seed: seed)
        let stormy = await replay(disturbed, in: scenario, seed: seed)
        #expect(stormy.violation == nil && calm.violation == nil)
        #expect(stormy.stored == calm.stored && !calm.stored.isEmpty)
    }
}

extension Step {
    /// The kinds of changes of a definition, and of what apps do with versions.
    fileprivate var kindsOfVersions: [Substring] {
        switch self {
        case .server(.evolve(let changes, _)), .server(.prepare(let changes, _)):
            changes.map { "\($0)".prefix { $0.isLetter } }
        case .appIsAhead: ["appIsAhead"]
        case .newDevice: ["newDevice"]
        case .server(.goBack): ["goBack"]
        case .edit, .sync, .arrival, .answer, .browse, .resolveAll, .clientClock, .appEnds,
            .appUpdate, .server, .foreign, .request, .deletedRow:
            []
        }
    }

    fileprivate var isOfClocks: Bool {
        switch self {
        case .clientClock, .server(.clock), .server(.sweep): true
        case .edit, .sync, .arrival, .answer, .browse, .resolveAll, .appEnds, .appUpdate,
            .appIsAhead, .newDevice, .server, .foreign, .request, .deletedRow:
            false
        }
    }
}
