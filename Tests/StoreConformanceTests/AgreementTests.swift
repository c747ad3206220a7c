import SyncEngine
import TestKit
import Testing

@Suite("Every store says the same to the same calls")
struct AgreementTests {
    @Test(arguments: UInt64(0)..<100)
    func anyCallsInAnyOrderGetTheSameAnswers(seed: UInt64) async throws {
        var random = RandomCalls(seed: seed)
        var now = Instant(milliseconds: 0)
        var subjects: [Subject] = []
        for kind in stores { subjects.append(Subject(try await kind.open())) }
        for environment in 0...1 {
            let version = random.firstVersion(of: environment)
            for index in subjects.indices {
                try await subjects[index].deploy(version, to: environment)
            }
        }
        for step in 0..<120 {
            now = Instant(milliseconds: now.milliseconds + random.milliseconds())
            let environment = random.environment()
            let sequence = try await subjects[0].sequence(of: environment) ?? 0
            let call = random.call(in: environment, at: sequence)
            let expected = await subjects[0].answer(to: call, about: environment, at: now)
            for (kind, subject) in zip(stores, subjects).dropFirst() {
                let answer = await subject.answer(to: call, about: environment, at: now)
                try #require(
                    answer == expected, "\(kind.testDescription), step \(step): \(call)")
            }
        }
    }
}

/// A store with its own numbers of two environments.
private struct Subject {
    private let bench: StoreBench
    private var ids: [EnvironmentID] = []

    init(_ bench: StoreBench) {
        self.bench = bench
    }

    mutating func deploy(_ version: NewVersion, to environment: Int) async throws {
        let deployed = try await bench.store.deploy(to: "\(environment)") { _ in
            .success(version)
        }
        ids.append(try deployed.get().state.id)
    }

    func sequence(of environment: Int) async throws -> Int64? {
        try await bench.store.environment(named: "\(environment)")?.sequence
    }

    func answer(
        to call: StoreCall, about environment: Int, at now: Instant
    ) async -> StoreAnswer {
        await call.answer(
            of: bench.store, in: ids[environment], named: "\(environment)", at: now)
    }
}
