import SyncEngine
import TestKit
import Testing

/// Makes random calls to several stores and compares their answers with those of the first.
struct RandomPlay {
    private var random: RandomCalls
    private var now = Instant(milliseconds: 0)
    private var subjects: [Subject] = []

    /// Each store has the same two environments, `0` and `1`.
    init(seed: UInt64, stores benches: [StoreBench]) async throws {
        random = RandomCalls(seed: seed)
        subjects = benches.map { Subject($0) }
        for environment in 0...1 {
            let version = random.firstVersion(of: environment)
            for index in subjects.indices {
                try await subjects[index].deploy(version, to: environment)
            }
        }
    }

    mutating func go(
        steps: Int, leavingOut isLeftOut: (StoreCall) -> Bool = { _ in false }
    ) async throws {
        for step in 0..<steps {
            now = Instant(milliseconds: now.milliseconds + random.milliseconds())
            let environment = random.environment()
            let sequence = try await subjects[0].sequence(of: environment) ?? 0
            let call = random.call(in: environment, at: sequence)
            guard !isLeftOut(call) else { continue }
            let expected = await subjects[0].answer(to: call, about: environment, at: now)
            for (number, subject) in subjects.enumerated().dropFirst() {
                let answer = await subject.answer(to: call, about: environment, at: now)
                try #require(answer == expected, "store \(number), step \(step): \(call)")
            }
        }
    }

    /// Continues with another store in place of the last one.
    mutating func replaceLast(by bench: StoreBench, _ ids: [EnvironmentID]) {
        subjects[subjects.count - 1] = Subject(bench, ids: ids)
    }
}

/// A store with its own ids of the two environments.
private struct Subject {
    private let bench: StoreBench
    private var ids: [EnvironmentID]

    init(_ bench: StoreBench, ids: [EnvironmentID] = []) {
        self.bench = bench
        self.ids = ids
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
